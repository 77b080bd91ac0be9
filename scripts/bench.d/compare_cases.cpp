// Puts what the compiler lowers of random cases to the equivalence checker and to the validator, for all sizes.
//
//   compare_cases SEED FIRST COUNT OPERATIONS [AC]      AC: what may be reordered, "add,mul"
//
// The equivalence checker gets the program that was lowered without prophecies. Prints a line for each case, and
// counts; exit code 1 when a program was proved that the interpreters show to be wrong.
#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>
#include <string>

#include "generators/random/random_case.h"
#include "generators/sare/outline.h"
#include "harness/compiler/fork_server.h"
#include "harness/halide/halide_compiler.h"
#include "harness/sched/traverse.h"
#include "oracle/conversion/conversion.h"
#include "oracle/equivalence/equivalence.h"
#include "oracle/pipeline/lowered.h"
#include "oracle/pipeline/pipeline.h"
#include "oracle/pipeline/validation.h"
#include "oracle/validator/fit.h"

using namespace haruspex;

namespace {

void assume(sare::Sare& sare, const sare::Condition& condition) {
    sare.assumptions = {sare::And{sare.assumptions, condition}};
}

// The best verdict of the ways to bring the program over the specification's parameters; where its premises hold.
equivalence::Verdict check_lowered(const sare::Sare& sare, const sched::Program& program,
                                   const equivalence::Options& options) {
    equivalence::Verdict best{equivalence::Outcome::unsupported, "", {}, {}, {}, {}};
    for (const auto inlined : conversion::all_ways) {
        const auto converted = conversion::convert(sare, program, inlined);
        if (!converted) {
            if (best.reason.empty()) { best.reason = converted.error().message; }
            continue;
        }
        sare::Sare here = sare;
        for (const conversion::Premise& premise : converted->premises) {
            if (premise.condition) { assume(here, *premise.condition); }
        }
        if (const auto fits = validator::fits(here, converted->program); !fits) {
            best.reason = fits.error().message;
            continue;
        }
        equivalence::Verdict verdict = equivalence::check(here, sched::erase_prophecies(converted->program), options);
        if (verdict.outcome == equivalence::Outcome::proved) { return verdict; }
        if (best.outcome == equivalence::Outcome::unsupported) { best = std::move(verdict); }
    }
    return best;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5 && argc != 6) {
        std::cerr << "usage: compare_cases SEED FIRST COUNT OPERATIONS [AC]\n";
        return 2;
    }
    const std::uint64_t seed = std::stoull(argv[1]), first = std::stoull(argv[2]), count = std::stoull(argv[3]);
    const auto reorderable = equivalence::parse_reorderable(argc == 6 ? argv[5] : "");
    if (!reorderable) {
        std::cerr << reorderable.error().message << "\n";
        return 2;
    }
    const equivalence::Options options{*reorderable, false, {}, std::stoull(argv[4])};
    const auto compiler = halide::make_halide();
    const compiler::Identity identity = compiler->identity();
    compiler::ForkServer server(*compiler, {});
    pipeline::Options concrete;
    concrete.native = false;
    concrete.localise = false;
    std::map<std::string, std::uint64_t> outcomes, reasons;
    std::uint64_t wrong = 0;
    for (std::uint64_t index = first; index < first + count; ++index) {
        const cases::Case c = random::campaign_case(seed, index, random::Policy{}, {identity.major});
        const pipeline::Judged judged = pipeline::judge_case(c, server, identity, concrete);
        if (judged.verdict.cls == verdict::Class::rejected) { continue; }
        compiler::Request request;
        request.run = false;
        request.lower = true;
        const auto lowered = pipeline::last_lowered(server.observe(c, request));
        const auto foretold = pipeline::lower_with_prophecies(c, server);
        if (!lowered || !foretold) { continue; }
        sare::Sare sare = sare::outlined(c.sare);
        assume(sare, conversion::small_sizes(sare));
        for (const auto& rule : pipeline::size_rules(c, identity)) { assume(sare, rule.condition); }
        const auto begin = std::chrono::steady_clock::now();
        const equivalence::Verdict verdict = check_lowered(sare, lowered->program, options);
        const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
        const validator::Verdict validated = pipeline::validate_for_all_sizes(c, foretold->program, identity);
        const bool agrees = judged.verdict.cls == verdict::Class::agrees;
        const bool is_wrong = verdict.outcome == equivalence::Outcome::proved && !agrees;
        wrong += is_wrong ? 1 : 0;
        const std::string outcome(name(verdict.outcome)), other(name(validated.outcome));
        ++outcomes["equivalence " + outcome];
        ++outcomes["validator " + other];
        ++outcomes["equivalence " + outcome + ", validator " + other];
        if (verdict.outcome != equivalence::Outcome::proved) {
            ++reasons[outcome + ": " + verdict.reason.substr(0, verdict.reason.find(':'))];
        }
        std::printf("%llu %s%s %s (%s) %.0f ms: %.200s\n", static_cast<unsigned long long>(index),
                    is_wrong ? "WRONGLY " : "", outcome.c_str(), other.c_str(),
                    std::string(verdict::name(judged.verdict.cls)).c_str(), ms, verdict.reason.c_str());
        std::fflush(stdout);
    }
    for (const auto& [outcome, n] : outcomes) { std::cout << "  " << outcome << " " << n << "\n"; }
    for (const auto& [reason, n] : reasons) { std::cout << "    " << n << " " << reason << "\n"; }
    return wrong == 0 ? 0 : 1;
}
