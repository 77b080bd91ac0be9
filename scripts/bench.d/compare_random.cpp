// Puts random SCHED programs of known truth to the equivalence checker and to the validator
// (scripts/check-equivalence).
//
//   compare_random correct|mutated SEED FIRST COUNT [OPERATIONS [AC]]
//
//   correct     programs that are right by construction
//   mutated     the same with one mutation that the interpreters show to be wrong at some sizes
//   OPERATIONS  the equivalence checker's budget of isl operations
//   AC          the operators that it may reorder, such as "add,mul"; none by default
//
// Prints a line for each program, and counts; exit code 1 if a wrong program was proved.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/choice.h"
#include "harness/sched/traverse.h"
#include "harness/transform/random_program.h"
#include "oracle/equivalence/equivalence.h"
#include "oracle/validator/validator.h"
#include "tests/support/known_truth.h"

using namespace haruspex;

namespace {

struct Counts {
    std::map<std::string, std::uint64_t> equivalence, validator, reasons;
    std::map<std::pair<std::string, std::string>, std::uint64_t> both;
    std::vector<double> equivalence_ms, validator_ms;
};

double milliseconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

void print_times(const char* who, std::vector<double> all) {
    if (all.empty()) { return; }
    std::ranges::sort(all);
    const auto at = [&](double share) {
        return all[static_cast<std::size_t>(share * static_cast<double>(all.size() - 1))];
    };
    double sum = 0;
    for (const double ms : all) { sum += ms; }
    std::printf("  %s ms: mean %.1f, median %.1f, 95%% %.1f, worst %.1f\n", who, sum / static_cast<double>(all.size()),
                at(0.5), at(0.95), at(1));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 5 || argc > 7) {
        std::cerr << "usage: compare_random correct|mutated SEED FIRST COUNT [OPERATIONS [AC]]\n";
        return 2;
    }
    const bool is_correct = std::string(argv[1]) == "correct";
    const std::uint64_t seed = std::stoull(argv[2]), first = std::stoull(argv[3]), count = std::stoull(argv[4]);
    const auto reorderable = equivalence::parse_reorderable(argc == 7 ? argv[6] : "");
    if (!reorderable) {
        std::cerr << reorderable.error().message << "\n";
        return 2;
    }
    Counts counts;
    std::uint64_t put = 0, wrong = 0;
    for (std::uint64_t index = first; put < count; ++index) {
        Choices choices(random_source(derive_seed(seed, index)));
        const transform::RandomProgram drawn = transform::random_program(choices);
        sched::Program program = drawn.program;
        if (!is_correct) {
            const auto mutated = test::wrong_mutation(drawn.sare, drawn.program, choices);
            if (!mutated) { continue; }
            program = *mutated;
        }
        ++put;
        equivalence::Options options;
        options.reorderable = *reorderable;
        if (argc >= 6) { options.operations = std::stoull(argv[5]); }
        auto begin = std::chrono::steady_clock::now();
        const equivalence::Verdict verdict = equivalence::check(drawn.sare, sched::erase_prophecies(program), options);
        counts.equivalence_ms.push_back(milliseconds_since(begin));
        begin = std::chrono::steady_clock::now();
        const validator::Verdict validated = validator::validate(drawn.sare, program);
        counts.validator_ms.push_back(milliseconds_since(begin));
        const std::string outcome(name(verdict.outcome)), other(name(validated.outcome));
        ++counts.equivalence[outcome];
        ++counts.validator[other];
        ++counts.both[{outcome, other}];
        const bool is_wrong = !is_correct && verdict.outcome == equivalence::Outcome::proved;
        wrong += is_wrong ? 1 : 0;
        if (verdict.outcome != equivalence::Outcome::proved) {
            ++counts.reasons[outcome + ": " + verdict.reason.substr(0, verdict.reason.find(':'))];
        }
        std::printf("%llu %s%s %s %.0f %.0f ms: %s\n", static_cast<unsigned long long>(index),
                    is_wrong ? "WRONGLY " : "", outcome.c_str(), other.c_str(), counts.equivalence_ms.back(),
                    counts.validator_ms.back(), verdict.reason.c_str());
        std::fflush(stdout);
    }
    std::printf("%s: %llu programs\n", argv[1], static_cast<unsigned long long>(put));
    for (const auto& [outcome, n] : counts.equivalence) {
        std::printf("  equivalence %s %llu\n", outcome.c_str(), static_cast<unsigned long long>(n));
    }
    for (const auto& [reason, n] : counts.reasons) {
        std::printf("    %llu %s\n", static_cast<unsigned long long>(n), reason.c_str());
    }
    for (const auto& [outcome, n] : counts.validator) {
        std::printf("  validator %s %llu\n", outcome.c_str(), static_cast<unsigned long long>(n));
    }
    for (const auto& [outcomes, n] : counts.both) {
        std::printf("  equivalence %s, validator %s: %llu\n", outcomes.first.c_str(), outcomes.second.c_str(),
                    static_cast<unsigned long long>(n));
    }
    print_times("equivalence", counts.equivalence_ms);
    print_times("validator", counts.validator_ms);
    return wrong == 0 ? 0 : 1;
}
