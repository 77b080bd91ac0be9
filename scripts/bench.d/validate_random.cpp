// Puts random SCHED programs of known truth to the validator (scripts/check-validator).
//
//   validate_random correct|mutated|prophecies|reordered|reordered-mutated SEED FIRST COUNT [z3|cvc5|both
//                   [ieee|real|abstract]]
//
//   correct     programs that are right by construction
//   mutated     the same with one mutation that the interpreters show to be wrong at some sizes
//   reordered, reordered-mutated
//               the same as the first two, with many reductions whose steps are reordered
//   prophecies  the same with a further mutation, of a prophecy; for every second program, the one of several that
//               agrees with most of the values that the wrong code writes
//
// Prints counts, and a line for each program with an unexpected verdict; exit code 1 if a wrong program was validated
// or a right one refuted, or if two solvers contradict each other (the query is printed).
#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/choice.h"
#include "generators/base/enumerators.h"
#include "generators/sare/text.h"
#include "harness/mutants/sched/mutations.h"
#include "harness/sched/text.h"
#include "harness/sched/typing.h"
#include "harness/transform/random_program.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/interp/sched_interpreter.h"
#include "oracle/validator/validator.h"
#include "tests/support/known_truth.h"

using namespace haruspex;

namespace {

constexpr std::uint64_t most_steps = 400'000;

// The number of a run's writes that have the value of their prophecy.
int agreements(const sare::Sare& sare, const sched::Program& program, const Sizes& sizes) {
    const auto input = [](const std::string&, int, const std::vector<std::int64_t>& cell) {
        std::int64_t h = 7;
        for (const std::int64_t i : cell) { h = (h * 31 + i) % 13; }
        return h;
    };
    const auto value_of = [&](const std::string& name, const std::vector<std::int64_t>& cell) {
        const auto found = std::ranges::find(sare.inputs, name, &sare::Input::name);
        return value::is_float(found->type)
                   ? value::cast(found->type, value::Value::integer(value::Type::i32, input(name, 0, cell)))
                   : value::Value::integer(found->type, input(name, 0, cell));
    };
    interp::SareInterpreter specification(sare, sizes, value_of);
    int agreeing = 0;
    interp::Options options;
    options.most_steps = most_steps;
    options.prophesied = [&](const interp::ProphesiedWrite& write) {
        const auto tensor = std::ranges::find(sare.tensors, write.tensor, &sare::Tensor::name);
        const bool is_there = tensor != sare.tensors.end() && tensor->variables.size() == write.coordinates.size() &&
                              static_cast<std::size_t>(write.component) < tensor->types.size();
        if (!is_there) { return; }
        const auto expected = specification.evaluate(write.tensor, write.component, write.coordinates);
        agreeing += expected && expected->is_defined() && write.value.is_defined() && *expected == write.value ? 1 : 0;
    };
    const auto run = interp::run(
        program, sizes,
        [&](const std::string& tensor, int, const std::vector<std::int64_t>& cell) { return value_of(tensor, cell); },
        options);
    return run ? agreeing : -1;
}

std::optional<sched::Program> mutated(const sched::Program& program, Choices& choices, bool of_prophecy) {
    const auto mutation = mutants::sched::random_mutation(
        program, choices, [&](auto kind) { return mutants::sched::is_of_prophecy(kind) == of_prophecy; });
    return mutation ? std::optional(mutants::sched::apply(program, *mutation)) : std::nullopt;
}

struct Counts {
    std::map<std::string, std::uint64_t> by_outcome;
    std::map<std::string, std::uint64_t> by_reason;
    std::map<validator::Rung, std::uint64_t> by_rung;
    std::vector<double> milliseconds;
    std::uint64_t drawn = 0, put = 0, bad = 0, queries = 0;
    smt::CrossChecks cross_checks;
};

// The reason without the statement.
std::string kind_of_reason(const validator::Verdict& verdict) {
    if (verdict.outcome == validator::Outcome::unsupported) {
        return reason(verdict).substr(0, reason(verdict).find(':'));
    }
    const std::size_t last = reason(verdict).rfind(": ");
    const std::string kind = verdict.obligation ? std::string(validator::name(*verdict.obligation)) : "";
    return kind + (last == std::string::npos ? "" : ", " + reason(verdict).substr(last + 2));
}

}  // namespace

int main(int argc, char** argv) {
    validator::Options options;
    const auto solver = argc >= 6 ? enumerator_named(smt::all_solvers, argv[5]) : std::optional(options.solvers.solver);
    const auto floats = argc == 7 ? verdict::parse_floats(argv[6]) : std::optional(options.ladder.floats);
    if (argc < 5 || argc > 7 || !solver || !floats) {
        std::cerr << "usage: validate_random correct|mutated|prophecies|reordered|reordered-mutated SEED FIRST COUNT "
                     "[z3|cvc5|both [ieee|real|abstract]]\n";
        return 2;
    }
    options.solvers.solver = *solver;
    options.ladder.floats = *floats;
    const std::string mode = argv[1];
    const std::uint64_t seed = std::stoull(argv[2]), first = std::stoull(argv[3]), count = std::stoull(argv[4]);
    const bool is_correct = mode == "correct" || mode == "reordered";
    const transform::Policy policy =
        mode.starts_with("reordered") ? transform::reordering_policy() : transform::Policy();
    Counts counts;
    for (std::uint64_t index = first; counts.put < count && counts.drawn < 40 * count; ++index) {
        ++counts.drawn;
        Choices choices(random_source(derive_seed(seed, index)));
        transform::RandomProgram drawn = transform::random_program(choices, policy);
        sched::Program program = drawn.program;
        if (!is_correct) {
            const auto wrong = mutated(program, choices, false);
            if (!wrong || !test::is_shown_wrong(drawn.sare, *wrong, choices)) { continue; }
            program = *wrong;
        }
        if (mode == "prophecies") {
            const auto sizes = test::random_sizes(drawn.sare, choices);
            std::optional<sched::Program> best;
            int most = -2;
            for (int attempt = 0; attempt < (index % 2 == 0 ? 8 : 1) && sizes; ++attempt) {
                auto other = mutated(program, choices, true);
                if (!other) { break; }
                const int agreeing = agreements(drawn.sare, *other, *sizes);
                if (agreeing > most) {
                    most = agreeing;
                    best = std::move(other);
                }
            }
            if (!best) { continue; }
            program = std::move(*best);
        }
        if (!sched::check(program, sched::Rules::extended)) { continue; }
        ++counts.put;
        const auto begin = std::chrono::steady_clock::now();
        validator::Verdict verdict;
        try {
            verdict = validator::validate(drawn.sare, program, options);
        } catch (const std::exception& e) {
            std::cout << index << " FAULT " << e.what() << std::endl;
            ++counts.bad;
            continue;
        }
        counts.milliseconds.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
        ++counts.by_outcome[std::string(validator::name(verdict.outcome))];
        if (verdict.floats != validator::Floats::ieee) {
            ++counts.by_reason["floats being " + std::string(name(verdict.floats))];
        }
        for (const auto& [rung, n] : verdict.by_rung) { counts.by_rung[rung] += n; }
        counts.queries += verdict.queries;
        counts.cross_checks.add(verdict.cross_checks);
        const auto wanted = is_correct ? validator::Outcome::validated : validator::Outcome::refuted;
        const auto forbidden = is_correct ? validator::Outcome::refuted : validator::Outcome::validated;
        if (verdict.outcome == forbidden) { ++counts.bad; }
        if (verdict.outcome != wanted) {
            ++counts.by_reason[std::string(validator::name(verdict.outcome)) + ": " + kind_of_reason(verdict)];
            std::cout << index << (verdict.outcome == forbidden ? " WRONGLY " : " ") << validator::name(verdict.outcome)
                      << " " << reason(verdict) << std::endl;
        }
        if (verdict.outcome != wanted || counts.milliseconds.back() > 5000) {
            std::cout << index << " took " << static_cast<int>(counts.milliseconds.back()) << " ms" << std::endl;
        }
    }
    std::cout << mode << ": " << counts.drawn << " drawn, " << counts.put << " put to the validator\n";
    for (const auto& [outcome, n] : counts.by_outcome) { std::cout << "  " << outcome << " " << n << "\n"; }
    for (const auto& [reason, n] : counts.by_reason) { std::cout << "    " << n << " " << reason << "\n"; }
    for (const auto& [rung, n] : counts.by_rung) {
        std::cout << "  shown by " << validator::name(rung) << ": " << n << "\n";
    }
    std::cout << "  queries: " << counts.queries << "; checked: " << to_string(counts.cross_checks) << "\n";
    for (const auto& contradiction : counts.cross_checks.contradictions) {
        std::cout << "SOLVERS DISAGREE\n" << file_of(contradiction);
        ++counts.bad;
    }
    std::ranges::sort(counts.milliseconds);
    if (!counts.milliseconds.empty()) {
        const auto at = [&](double share) {
            return counts
                .milliseconds[static_cast<std::size_t>(share * static_cast<double>(counts.milliseconds.size() - 1))];
        };
        double sum = 0;
        for (const double ms : counts.milliseconds) { sum += ms; }
        std::cout << "  ms: mean " << sum / static_cast<double>(counts.milliseconds.size()) << ", median " << at(0.5)
                  << ", 95% " << at(0.95) << ", worst " << at(1) << "\n";
    }
    return counts.bad == 0 ? 0 : 1;
}
