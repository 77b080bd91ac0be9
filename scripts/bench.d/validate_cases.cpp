// Puts what the compiler lowers of random cases to the validator, beside the concrete verdict.
//
//   validate_cases SEED FIRST COUNT [all [effort N]] [list]     all: for all sizes instead of each case's own, with so
//                                                               many times a campaign's budgets
//
// Prints a line for each case that is not decided, takes seconds or contradicts the interpreter (list: for each case),
// and counts, and how long the validator takes beside compile_jit of the same cases; exit code 1 when a wrong program
// was validated or a right one refuted.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "generators/random/random_case.h"
#include "harness/compiler/fork_server.h"
#include "harness/halide/halide_compiler.h"
#include "oracle/judge/validated.h"
#include "oracle/pipeline/pipeline.h"
#include "oracle/pipeline/validation.h"

using namespace haruspex;

namespace {

void print_times(const std::string& of, std::vector<double> milliseconds) {
    if (milliseconds.empty()) { return; }
    std::ranges::sort(milliseconds);
    double sum = 0;
    for (const double ms : milliseconds) { sum += ms; }
    std::cout << "  ms, " << of << ": mean " << sum / static_cast<double>(milliseconds.size()) << ", median "
              << milliseconds[milliseconds.size() / 2] << ", 95% " << milliseconds[milliseconds.size() * 95 / 100]
              << ", worst " << milliseconds.back() << "\n";
}

double since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + std::min(argc, 4), argv + argc);
    bool for_all = false, lists_all = false, is_understood = argc >= 4;
    std::uint64_t effort = 1;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "all") {
            for_all = true;
        } else if (words[i] == "list") {
            lists_all = true;
        } else if (words[i] == "effort" && for_all && i + 1 < words.size()) {
            effort = std::stoull(words[++i]);
        } else {
            is_understood = false;
        }
    }
    if (!is_understood) {
        std::cerr << "usage: validate_cases SEED FIRST COUNT [all [effort N]] [list]\n";
        return 2;
    }
    validator::Options budgets = pipeline::all_sizes_options();
    for (std::uint64_t* operations :
         {&budgets.operations, &budgets.evaluation_operations, &budgets.obligation_operations}) {
        *operations *= effort;
    }
    const std::uint64_t seed = std::stoull(argv[1]), first = std::stoull(argv[2]), count = std::stoull(argv[3]);
    const auto compiler = halide::make_halide();
    const compiler::Identity identity = compiler->identity();
    compiler::ForkServer server(*compiler, {});
    pipeline::Options concrete;
    concrete.native = false;
    concrete.localise = false;
    std::map<std::string, std::uint64_t> outcomes, reasons;
    std::vector<double> validated, compiled;
    std::uint64_t bad = 0, lowered = 0;
    for (std::uint64_t index = first; index < first + count; ++index) {
        const cases::Case c = random::campaign_case(seed, index, random::Policy{}, {identity.major});
        const pipeline::Judged judged = pipeline::judge_case(c, server, identity, concrete);
        const std::string seen(verdict::name(judged.verdict.cls));
        if (judged.verdict.cls == verdict::Class::rejected) { continue; }
        ++lowered;
        compiler::Request request;
        request.run = false;
        request.lower = true;
        const auto program =
            for_all ? pipeline::lower_with_prophecies(c, server) : pipeline::last_lowered(server.observe(c, request));
        if (!program) {
            ++outcomes["nothing to validate, " + seen];
            ++reasons[program.error()];
            continue;
        }
        const auto begin = std::chrono::steady_clock::now();
        validator::Verdict verdict;
        try {
            verdict = for_all ? pipeline::validate_for_all_sizes(c, program->program, identity, budgets)
                              : pipeline::validate_at_sizes(c, *program, server);
        } catch (const std::exception& e) {
            std::cout << index << " FAULT " << e.what() << std::endl;
            ++bad;
            continue;
        }
        const double took = since(begin);
        request.run = true;
        request.lower = false;
        const auto compile = std::chrono::duration<double, std::milli>(server.observe(c, request).timings.compile);
        // What does not survive its compilation has no time.
        if (compile.count() > 0) {
            validated.push_back(took);
            compiled.push_back(compile.count());
        }
        const std::string outcome(validator::name(verdict.outcome));
        ++outcomes[outcome + ", " + seen];
        const bool agrees = judged.verdict.cls == verdict::Class::agrees;
        const bool is_contradicted = (verdict.outcome == validator::Outcome::validated && !agrees) ||
                                     (verdict.outcome == validator::Outcome::refuted && agrees);
        if (judge::with_validator(judged.verdict, verdict).cls == verdict::Class::unsound_validator) {
            std::cout << index << " UNSOUND" << std::endl;
            ++bad;
        }
        if (lists_all || verdict.outcome != validator::Outcome::validated || is_contradicted || took > 2000) {
            std::cout << index << " " << outcome << " (" << seen << ") " << verdict.reason.substr(0, 300) << "; "
                      << verdict.operations << " operations, " << static_cast<int>(took) << " ms, compile_jit "
                      << static_cast<int>(compile.count()) << " ms" << std::endl;
            if (verdict.counterexample) {
                std::cout << "    at";
                for (const auto& [name, n] : verdict.counterexample->sizes) { std::cout << " " << name << " = " << n; }
                std::cout << ": " << verdict.counterexample->message.substr(0, 300) << std::endl;
            }
        }
        if (verdict.outcome == validator::Outcome::unsupported || verdict.outcome == validator::Outcome::undecided) {
            ++reasons[outcome + ": " + verdict.reason.substr(0, verdict.reason.find(':'))];
        }
    }
    std::cout << lowered << " cases that the compiler takes\n";
    for (const auto& [outcome, n] : outcomes) { std::cout << "  " << outcome << " " << n << "\n"; }
    for (const auto& [reason, n] : reasons) { std::cout << "    " << n << " " << reason << "\n"; }
    print_times("validator", validated);
    print_times("compile_jit", compiled);
    return bad == 0 ? 0 : 1;
}
