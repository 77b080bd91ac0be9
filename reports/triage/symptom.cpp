#include "reports/triage/symptom.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "reports/triage/signature.h"

namespace haruspex::triage {
namespace {

using verdict::Class;

constexpr bool is_word(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

std::string_view leading_word(std::string_view text) {
    return text.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(text, is_word) - text.begin()));
}

bool has_class(const Symptom& symptom, Class cls) { return symptom.cls == verdict::name(cls); }
bool is_latent(const Symptom& symptom) { return has_class(symptom, Class::latent_bug); }

constexpr std::string_view plain_trouble = "value";

// Of the sentence about the lowered program (oracle/judge/lowered.h).
std::string trouble_of(std::string_view lowered) {
    const std::string_view word = leading_word(lowered);
    if (!word.empty() && lowered.substr(word.size()).starts_with(": ")) { return std::string(word); }
    constexpr std::string_view error = "halide_error_";
    if (const std::size_t at = lowered.find(error); at != lowered.npos) {
        return std::string(leading_word(lowered.substr(at)));
    }
    return std::string(plain_trouble);
}

std::string fate_of(const std::optional<verdict::Validation>& validation) {
    return validation ? fate(*validation) : "";
}

std::string how_without_end(const verdict::Verdict& verdict) {
    return verdict::is_deadlock(verdict) ? "deadlock" : "limit";
}

// What was lowered is known only of a compiler that came as far as generating code.
std::string compiler_death(const verdict::Verdict& verdict) {
    const std::string how = verdict.signal == 0 ? how_without_end(verdict) : "signal " + std::to_string(verdict.signal);
    return how + " in " + verdict.phase + (verdict.lowered.empty() ? "" : ", lowered");
}

// Whether the native class is one that a wrong lowered program may bring about.
bool is_native_accident(Class cls) {
    return cls == Class::nondeterminism || cls == Class::program_crash || cls == Class::program_hang ||
           cls == Class::program_out_of_memory || cls == Class::stray_write;
}

}  // namespace

std::optional<Symptom> symptom(const cases::Case& c, const verdict::Verdict& verdict) {
    const Class cls = verdict.cls;
    Symptom found{std::string(verdict::name(cls)), {}, {}};
    const auto lowered = [&](std::string trouble) {
        found.pass = verdict.pass;
        found.trouble = std::move(trouble);
    };
    switch (cls) {
        case Class::agrees:
        case Class::rejected:
        case Class::outside_context:
        case Class::not_compared:
        case Class::too_large:
        case Class::bad_case:
        case Class::harness_failure: return std::nullopt;
        case Class::wrong_lowering:
        case Class::latent_bug:
        case Class::introduced_overflow:
        case Class::translation_fault: lowered(trouble_of(verdict.lowered)); break;
        case Class::over_rejection:
            lowered(verdict.pass.empty() ? signature(c, verdict).message : trouble_of(verdict.lowered));
            break;
        case Class::refuted_lowering: {
            // At the case's own sizes, or at others.
            const bool is_there = comes_to(verdict.validator, verdict::Outcome::refuted);
            lowered(fate_of(is_there ? verdict.validator : verdict.all_sizes));
            break;
        }
        case Class::unsound_validator: lowered(fate_of(verdict.validator)); break;
        case Class::compiler_internal_error: lowered(signature(c, verdict).message); break;
        case Class::compiler_crash: lowered(compiler_death(verdict)); break;
        case Class::compiler_hang:
        case Class::compiler_out_of_memory: found.trouble = compiler_death(verdict); break;
        case Class::program_crash: found.trouble = "signal " + std::to_string(verdict.signal); break;
        case Class::program_hang: found.trouble = how_without_end(verdict); break;
        case Class::program_out_of_memory:
        case Class::wrong_code:
        case Class::wrong_result:
        case Class::nondeterminism:
        case Class::stray_write: break;
    }
    if (is_native_accident(cls) && !verdict.pass.empty()) {
        found.cls = verdict::name(Class::wrong_lowering);
        lowered(trouble_of(verdict.lowered));
    }
    return found;
}

bool still_shows(const Symptom& found, const Symptom& sought, const PassOrder& order) {
    const bool shows = found.cls == sought.cls || (has_class(found, Class::wrong_lowering) && is_latent(sought));
    return shows && found.trouble == sought.trouble && order.holds(sought.pass, found.pass);
}

bool locates(const verdict::Verdict& found, const verdict::Verdict& sought) {
    const auto was_run = [](const verdict::Verdict& verdict) { return !verdict.lowered.starts_with("not run: "); };
    if (was_run(sought) || !was_run(found)) { return false; }
    // A wrong result is of wrong code when the lowered program is right, and otherwise of a wrong lowering, or of one
    // that overflows, so that it may have any result.
    if (sought.cls == Class::wrong_result) {
        return found.cls == Class::wrong_code || found.cls == Class::wrong_lowering ||
               found.cls == Class::introduced_overflow;
    }
    return is_native_accident(sought.cls) && found.cls == sought.cls;
}

bool shows_plainly(const Symptom& found, const Symptom& sought, const PassOrder& order) {
    if (still_shows(found, sought, order)) { return true; }
    const bool is_sought =
        has_class(sought, Class::wrong_lowering) || is_latent(sought) || has_class(sought, Class::introduced_overflow);
    // What shows natively does not become latent.
    const bool shows = has_class(found, Class::wrong_lowering) || (is_latent(found) && is_latent(sought));
    const bool is_race = sought.trouble.ends_with("_race");
    const bool has_room_for_one = is_race || !sought.pass.starts_with("(source,");
    return is_sought && has_room_for_one && shows && found.trouble == plain_trouble &&
           order.holds(sought.pass, found.pass);
}

bool is_plain(const Symptom& symptom) {
    if (has_class(symptom, Class::introduced_overflow)) { return false; }
    const bool is_lowered = has_class(symptom, Class::wrong_lowering) || is_latent(symptom);
    return !is_lowered || symptom.trouble == plain_trouble;
}

std::string to_string(const Symptom& symptom) {
    std::string text = symptom.cls;
    for (const std::string& part : {symptom.trouble, symptom.pass}) {
        if (!part.empty()) { text += " " + part; }
    }
    return text;
}

}  // namespace haruspex::triage
