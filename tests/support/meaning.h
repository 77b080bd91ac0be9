#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generators/sare/text.h"
#include "harness/sched/text.h"
#include "oracle/equivalence/equivalence.h"
#include "oracle/unrolled/unrolled.h"
#include "oracle/validator/counterexamples/replay.h"
#include "oracle/validator/evaluation/interface_check.h"
#include "oracle/validator/validator.h"
#include "tests/support/specimens.h"

// Puts one specimen to the interpreter, the validator, the validator at given sizes and the equivalence checker, and
// compares their answers.
namespace haruspex::testing {

struct Meaning {
    std::string refused;                      // why the specimen was not put to them
    std::map<std::string, std::string> said;  // answers by engine
    std::vector<std::string> faults;          // contradictions: one engine is wrong
    bool is_wrong = false;                    // shown by some run
};

// Deterministic, since budgets count work.
inline Meaning meaning_of(const Specimen& specimen, std::uint64_t seed, int sizes_of_each = 3) {
    using validator::Inputs;
    constexpr std::uint64_t most_steps = 100'000;
    Meaning result;
    const auto sare = sare::parse_sare(specimen.specification, "specification");
    if (!sare) {
        result.refused = "specification: " + to_string(sare.error());
        return result;
    }
    const auto program = sched::parse_program(specimen.program, "program");
    if (!program) {
        result.refused = "program: " + to_string(program.error());
        return result;
    }
    if (const auto fits = validator::check_interface(*sare, *program); !fits) {
        result.refused = "fit: " + fits.error().message;
        return result;
    }
    Choices choices(random_source(derive_seed(seed, 77)));
    struct Run {
        Sizes sizes;
        bool ran = false, is_wrong = false;
        std::string message;
    };
    std::vector<Run> runs;
    for (int n = 0; n < sizes_of_each; ++n) {
        Run run{{{"N", choices.integer(4, 9)}, {"M", choices.integer(4, 6)}}, true, false, {}};
        for (const auto style : {Inputs::Style::small, Inputs::Style::extreme, Inputs::Style::wide}) {
            const auto trial = validator::replay(*sare, *program, run.sizes, {style, seed + 1, {}}, most_steps);
            run.ran = run.ran && trial.ran;
            if (trial.is_wrong) {
                run.is_wrong = true;
                run.message = to_string(trial);
                break;
            }
        }
        result.is_wrong = result.is_wrong || run.is_wrong;
        runs.push_back(std::move(run));
    }
    const auto where = [](const Run& run) {
        return " at N=" + std::to_string(run.sizes.at("N")) + " M=" + std::to_string(run.sizes.at("M"));
    };
    const auto contradicted = [&](const std::string& engine, const Run& run) {
        if (run.is_wrong) { result.faults.push_back(engine + " proves it, but" + where(run) + ": " + run.message); }
    };

    validator::Options options;
    options.operations = 4'000'000;
    options.evaluation_operations = 2'000'000;
    options.obligation_operations = 1'000'000;
    options.most_exhausted = 1;
    options.most_steps = most_steps;
    options.ladder.smt_rlimit = 300'000;
    options.probes = seed % 2 == 0;
    const auto verdict = validator::validate(*sare, *program, options);
    result.said["validator"] = std::string(name(verdict.outcome));
    if (verdict.contradiction) { result.faults.push_back("validator: " + reason(verdict)); }
    if (verdict.outcome == validator::Outcome::validated) {
        for (const Run& run : runs) { contradicted("the validator", run); }
    }
    // A violation of these kinds at given sizes is visible in a run at these sizes: sets are then not approximated.
    static const std::set<validator::Kind> exact{validator::Kind::bounds_read, validator::Kind::bounds_write,
                                                 validator::Kind::freed, validator::Kind::input_written,
                                                 validator::Kind::race_read_write};
    if (verdict.outcome == validator::Outcome::undecided) {
        for (const Run& run : runs) {
            validator::Options here = options;
            here.sizes = run.sizes;
            const auto there = validator::validate(*sare, *program, here);
            for (const validator::Judgement& judgement : there.judgements) {
                const bool is_violated = exact.contains(judgement.kind) && judgement.reason == "violated";
                if (is_violated && run.ran && !run.is_wrong) {
                    result.faults.push_back("the validator says violated, a run does not" + where(run) + ": " +
                                            std::string(name(judgement.kind)) + ": " + judgement.statement);
                    break;
                }
            }
        }
    }

    unrolled::Options at_sizes;
    at_sizes.most_steps = most_steps;
    at_sizes.most_values = 100'000;
    at_sizes.effort.most_queries = 4;
    for (const Run& run : runs) {
        const auto own = unrolled::validate(*sare, *program, run.sizes, at_sizes);
        result.said["own sizes"] = std::string(name(own.outcome));
        if (own.outcome == validator::Outcome::validated) { contradicted("the validator of given sizes", run); }
    }

    equivalence::Options equal;
    equal.operations = 2'000'000;
    const auto same = equivalence::check(*sare, *program, equal);
    result.said["equivalence"] = std::string(name(same.outcome));
    if (same.outcome == equivalence::Outcome::proved) {
        for (const Run& run : runs) { contradicted("the equivalence checker", run); }
    }
    return result;
}

}  // namespace haruspex::testing
