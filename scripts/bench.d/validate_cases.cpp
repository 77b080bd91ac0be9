// Validates the lowered programs of random cases, beside the concrete verdict.
//
//   validate_cases SEED FIRST COUNT [all [effort N]] [list]     all: for all sizes instead of each case's own, with N
//                                                               times a campaign's budgets
//
// Prints counts, a line for each case that is undecided, takes seconds or contradicts the interpreter (list: for each
// case), and the time of the validator and its parts beside compile_jit's for the same cases. Exit code 1 if a wrong
// program was validated or a right one refuted.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "generators/random/random_case.h"
#include "harness/compiler/fork_server.h"
#include "harness/halide/halide_compiler.h"
#include "oracle/judge/validated.h"
#include "oracle/pipeline/judge_case.h"
#include "oracle/pipeline/validation.h"

using namespace haruspex;

namespace {

double since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

struct Distribution {
    double mean = 0, median = 0, high = 0, worst = 0;  // high: the 95th percentile

    explicit Distribution(std::vector<double> values) {
        if (values.empty()) { return; }
        std::ranges::sort(values);
        for (const double value : values) { mean += value / static_cast<double>(values.size()); }
        median = values[values.size() / 2];
        high = values[values.size() * 95 / 100];
        worst = values.back();
    }
};

std::ostream& operator<<(std::ostream& out, const Distribution& times) {
    return out << "mean " << times.mean << ", median " << times.median << ", 95% " << times.high << ", worst "
               << times.worst;
}

void print_goal(const std::string& what, double found, double goal, bool is_met) {
    std::cout << "  " << what << " " << found << ", goal " << goal << ": " << (is_met ? "met" : "missed") << "\n";
}

// The time of each part of the validator's work, over all cases.
class Parts {
public:
    void begin(const std::string& part) {
        end();
        current_ = part;
        since_ = std::chrono::steady_clock::now();
    }

    void end() {
        if (!current_.empty()) { milliseconds_[current_] += since(since_); }
        current_.clear();
    }

    void print() const {
        double all = 0;
        for (const auto& [part, ms] : milliseconds_) { all += ms; }
        std::cout << "  of the validator's time:";
        for (const auto& [part, ms] : milliseconds_) {
            std::cout << (part == milliseconds_.begin()->first ? " " : ", ") << part << " "
                      << std::lround(100 * ms / all) << "%";
        }
        std::cout << "\n";
    }

private:
    std::map<std::string, double> milliseconds_;
    std::string current_;
    std::chrono::steady_clock::time_point since_;
};

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
    std::uint64_t obligations = 0, without_solver = 0;
    Parts parts;
    budgets.on_part = [&](std::string_view part) { parts.begin(std::string(part)); };
    unrolled::Options unrolled_budgets;
    unrolled_budgets.on_part = budgets.on_part;
    std::uint64_t bad = 0, lowered = 0;
    for (std::uint64_t index = first; index < first + count; ++index) {
        const cases::Case c = random::campaign_case(seed, index, random::Policy{}, compiler::language_of(identity));
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
            ++reasons[to_string(program.error())];
            continue;
        }
        const auto begin = std::chrono::steady_clock::now();
        parts.begin("other");
        validator::Verdict verdict;
        try {
            verdict = for_all ? pipeline::validate_for_all_sizes(c, program->program, identity, budgets)
                              : pipeline::validate_at_sizes(c, *program, server, unrolled_budgets);
        } catch (const std::exception& e) {
            std::cout << index << " FAULT " << e.what() << std::endl;
            ++bad;
            parts.end();
            continue;
        }
        const double took = since(begin);
        parts.end();
        obligations += verdict.judgements.size();
        for (const auto& [rung, n] : verdict.by_rung) {
            without_solver += rung < validator::Rung::uninterpreted ? n : 0;
        }
        request.run = true;
        request.lower = false;
        const auto compile = std::chrono::duration<double, std::milli>(server.observe(c, request).timings.compile);
        // A case that crashes during compilation has no compile time.
        if (compile.count() > 0) {
            validated.push_back(took);
            compiled.push_back(compile.count());
        }
        const std::string outcome(validator::name(verdict.outcome));
        ++outcomes[outcome + ", " + seen];
        const bool agrees = judged.verdict.cls == verdict::Class::agrees;
        const bool is_contradicted = (verdict.outcome == validator::Outcome::validated && !agrees) ||
                                     (verdict.outcome == validator::Outcome::refuted && agrees);
        if (judge::with_validator(judged.verdict, judged.lowered, verdict).cls == verdict::Class::unsound_validator) {
            std::cout << index << " UNSOUND" << std::endl;
            ++bad;
        }
        if (lists_all || verdict.outcome != validator::Outcome::validated || is_contradicted || took > 2000) {
            std::cout << index << " " << outcome << " (" << seen << ") " << reason(verdict).substr(0, 300) << "; "
                      << verdict.operations << " operations, " << static_cast<int>(took) << " ms, compile_jit "
                      << static_cast<int>(compile.count()) << " ms" << std::endl;
            if (verdict.counterexample) {
                std::cout << "    at";
                for (const auto& [name, n] : verdict.counterexample->sizes) { std::cout << " " << name << " = " << n; }
                std::cout << ": " << verdict.counterexample->message.substr(0, 300) << std::endl;
            }
        }
        if (verdict.outcome == validator::Outcome::unsupported || verdict.outcome == validator::Outcome::undecided) {
            ++reasons[outcome + ": " + reason(verdict).substr(0, reason(verdict).find(':'))];
        }
    }
    std::cout << lowered << " cases that the compiler takes\n";
    for (const auto& [outcome, n] : outcomes) { std::cout << "  " << outcome << " " << n << "\n"; }
    for (const auto& [reason, n] : reasons) { std::cout << "    " << n << " " << reason << "\n"; }
    const Distribution of_validator(validated), of_compiler(compiled);
    std::cout << "  ms, validator:   " << of_validator << "\n  ms, compile_jit: " << of_compiler << "\n";
    parts.print();
    const double most = for_all ? 2 : 0.5, most_tail = 5;
    const double ratio = of_validator.mean / of_compiler.mean, tail = of_validator.high / of_validator.median;
    print_goal("mean of the validator / mean of compile_jit", ratio, most, ratio <= most);
    print_goal("95th percentile of the validator / its median", tail, most_tail, tail <= most_tail);
    if (obligations > 0) {
        const double share = static_cast<double>(without_solver) / static_cast<double>(obligations);
        print_goal("obligations shown without a solver, of all", share, 0.85, share >= 0.85);
    }
    return bad == 0 ? 0 : 1;
}
