#include "oracle/judge/judge.h"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <optional>
#include <string>
#include <variant>

#include "generators/base/ensure.h"
#include "generators/schedule/language.h"
#include "oracle/judge/outputs.h"

namespace haruspex::judge {
namespace {

using compiler::Outcome;
using compiler::Phase;
using verdict::Class;
using verdict::Verdict;

bool before_execution(Phase phase) { return phase == Phase::build || phase == Phase::compile; }

std::string phase_name(Phase phase) {
    switch (phase) {
        case Phase::build: return "build";
        case Phase::compile: return "compile";
        case Phase::bounds_query: return "bounds query";
        case Phase::first_run: return "first run";
        case Phase::second_run: return "second run";
        case Phase::done: return "clean-up";
    }
    ENSURE(false, "a phase that is not handled");
    return {};
}

// The text on one line, or `otherwise` if it is empty.
std::string one_line(const std::string& text, const std::string& otherwise) {
    std::string line;
    bool gap = false;
    for (const char c : text) {
        if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
            gap = !line.empty();
            continue;
        }
        if (gap) { line += ' '; }
        gap = false;
        line += c;
    }
    return line.empty() ? otherwise : line;
}

// "SIGSEGV: …", whether or not the compiler's message begins with the signal.
std::string death(const compiler::Observation& observation) {
    const std::string words = one_line(observation.message, "");
    const char* abbreviation = observation.signal == 0 ? nullptr : ::sigabbrev_np(observation.signal);
    if (abbreviation == nullptr) { return words.empty() ? "ended without a word" : words; }
    const std::string name = std::string("SIG") + abbreviation;
    if (words.starts_with(name)) { return words; }
    return words.empty() ? name : name + ": " + words;
}

Verdict at(Class cls, const compiler::Observation& observation, std::string message) {
    Verdict verdict;
    verdict.cls = cls;
    verdict.message = std::move(message);
    verdict.phase = phase_name(observation.phase);
    verdict.signal = observation.signal;
    verdict.hang = observation.outcome == Outcome::deadlocked ? verdict::Hang::deadlock : verdict::Hang::limit;
    return verdict;
}

Verdict plain(Class cls, std::string message) {
    Verdict verdict;
    verdict.cls = cls;
    verdict.message = std::move(message);
    return verdict;
}

// An observation that is impossible if the harness works.
std::optional<std::string> contradiction(const compiler::Observation& observation) {
    if (observation.outcome == Outcome::ran && observation.phase != Phase::done) {
        return "the case ran, but only up to: " + phase_name(observation.phase);
    }
    if (observation.outcome == Outcome::run_time_error && before_execution(observation.phase)) {
        return "a run-time error before the program ran: " + one_line(observation.message, "no message");
    }
    if (observation.outcome == Outcome::too_large && before_execution(observation.phase)) {
        return "a program's inputs are too large before there is a program";
    }
    return std::nullopt;
}

std::optional<Verdict> judge_compiler(const compiler::Observation& observation) {
    const bool compiling = before_execution(observation.phase);
    switch (observation.outcome) {
        case Outcome::harness_failed:
            return at(Class::harness_failure, observation, one_line(observation.message, "no message"));
        case Outcome::internal_error: {
            Verdict verdict =
                at(Class::compiler_internal_error, observation, one_line(observation.message, "no message"));
            verdict.failed_check = observation.failed_check;
            return verdict;
        }
        case Outcome::rejected: return at(Class::rejected, observation, one_line(observation.message, "no message"));
        case Outcome::crashed:
            if (!compiling) { return std::nullopt; }
            return at(Class::compiler_crash, observation, death(observation));
        case Outcome::timed_out:
        case Outcome::deadlocked:
            if (!compiling) { return std::nullopt; }
            return at(Class::compiler_hang, observation, one_line(observation.message, "time limit"));
        case Outcome::out_of_memory:
            if (!compiling) { return std::nullopt; }
            return at(Class::compiler_out_of_memory, observation, one_line(observation.message, "memory limit"));
        case Outcome::ran:
        case Outcome::too_large:
        case Outcome::run_time_error: return std::nullopt;
    }
    ENSURE(false, "an outcome that is not handled");
    return std::nullopt;
}

std::optional<Verdict> judge_reference(const cases::Case& c,
                                       const Result<std::vector<interp::OutputValues>>& reference) {
    if (!reference) {
        return plain(Class::bad_case, "the reference fails: " + one_line(reference.error().message, ""));
    }
    for (const interp::OutputValues& output : *reference) {
        const auto undefined = std::ranges::find_if_not(output.cells, &value::Value::is_defined);
        if (undefined == output.cells.end()) { continue; }
        const auto index = static_cast<std::size_t>(undefined - output.cells.begin());
        return plain(Class::bad_case,
                     "the reference is undefined at " + cell_name(c.sare, output, cell_at(output, index)));
    }
    return std::nullopt;
}

std::optional<Verdict> judge_execution(const compiler::Observation& observation,
                                       const std::vector<std::string>& excuses) {
    switch (observation.outcome) {
        case Outcome::run_time_error: {
            const std::string words = one_line(observation.message, "no message");
            if (excuses.empty()) { return at(Class::over_rejection, observation, words); }
            return at(Class::outside_context, observation,
                      words + " (documented: " + one_line(excuses.front(), "a size rule") + ")");
        }
        case Outcome::crashed: return at(Class::program_crash, observation, death(observation));
        case Outcome::timed_out:
        case Outcome::deadlocked:
            return at(Class::program_hang, observation, one_line(observation.message, "time limit"));
        case Outcome::out_of_memory:
            return at(Class::program_out_of_memory, observation, one_line(observation.message, "memory limit"));
        case Outcome::too_large:
            return at(Class::too_large, observation, one_line(observation.message, "inputs beyond our limit"));
        case Outcome::ran: break;
        case Outcome::rejected:
        case Outcome::internal_error:
        case Outcome::harness_failed: ENSURE(false, "judged before"); break;
    }
    if (!observation.stray_write.empty()) {
        Verdict verdict = plain(Class::stray_write, one_line(observation.stray_write, "no description"));
        verdict.is_heap_write = observation.is_heap_write;
        return verdict;
    }
    return std::nullopt;
}

std::string count_of(const verdict::Difference& difference) {
    return fmt::format("{} of {} cells differ", difference.differing_cells, difference.compared_cells);
}

// Without a schedule a case need not name a compiler.
bool has_free_order(const cases::Case& c) {
    return !c.schedule.directives.empty() && schedule::language(c.compiler).has_free_order(c.schedule);
}

Verdict judge_outputs(const cases::Case& c, const std::vector<interp::OutputValues>& reference,
                      const compiler::Observation& observation) {
    for (const auto* run : {&observation.first, &observation.second}) {
        if (auto misfit = misshapen(c.sare, reference, *run)) {
            return plain(Class::harness_failure, "the observed outputs do not fit the case: " + *misfit);
        }
    }
    const bool exact = c.comparison == cases::Comparison::exact;
    if (exact || !has_free_order(c)) {
        if (auto difference = compare_runs(reference, observation.first, observation.second, equality(c))) {
            Verdict verdict = plain(Class::nondeterminism,
                                    cell_name(c.sare, *difference) + " is " + value::to_string(difference->expected) +
                                        " in the first run and " + value::to_string(difference->actual) +
                                        " in the second; " + count_of(*difference));
            verdict.difference = std::move(difference);
            return verdict;
        }
    }
    if (!exact) { return plain(Class::not_compared, "the result cannot be exact"); }
    if (auto difference = compare_with_reference(reference, observation.first, equality(c))) {
        Verdict verdict =
            plain(Class::wrong_result, cell_name(c.sare, *difference) + " is " + value::to_string(difference->actual) +
                                           ", expected " + value::to_string(difference->expected) + "; " +
                                           count_of(*difference));
        verdict.difference = std::move(difference);
        return verdict;
    }
    return plain(Class::agrees, "");
}

}  // namespace

Verdict judge(const cases::Case& c, const Result<std::vector<interp::OutputValues>>& reference,
              const compiler::Observation& observation, const std::vector<std::string>& excuses) {
    if (auto verdict = judge_compilation(c, reference, observation)) { return *verdict; }
    if (auto verdict = judge_execution(observation, excuses)) { return *verdict; }
    return judge_outputs(c, *reference, observation);
}

std::optional<Verdict> judge_compilation(const cases::Case& c,
                                         const Result<std::vector<interp::OutputValues>>& reference,
                                         const compiler::Observation& observation) {
    if (auto broken = contradiction(observation)) { return at(Class::harness_failure, observation, *broken); }
    const auto of_compiler = judge_compiler(observation);
    const auto of_reference = judge_reference(c, reference);
    if (of_compiler && !of_reference && compiler::is_refused_in_code_generation(observation)) {
        return at(Class::compiler_internal_error, observation, of_compiler->message);
    }
    return of_compiler ? of_compiler : of_reference;
}

Verdict outside_context(Verdict verdict, const std::string& asks) {
    const bool is_accusation = verdict::is_finding(verdict.cls) || verdict.cls == Class::unsound_validator ||
                               verdict.cls == Class::translation_fault;
    if (!is_accusation) { return verdict; }
    const std::string words = verdict.message.empty() ? "" : ": " + verdict.message;
    verdict.message = fmt::format("{}{} (the documentation asks {})", verdict::name(verdict.cls), words, asks);
    verdict.cls = Class::outside_context;
    verdict.pass.reset();
    return verdict;
}

}  // namespace haruspex::judge
