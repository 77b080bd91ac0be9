#include "reports/triage/symptom.h"

#include <string_view>
#include <tuple>
#include <utility>

#include "generators/base/overload.h"
#include "reports/triage/signature.h"

namespace haruspex::triage {
namespace {

using verdict::Class;

constexpr std::string_view wrong_value = "value";

bool is_latent(const Symptom& symptom) { return symptom.cls == Class::latent_bug; }
bool is_from_source(const Symptom& symptom) { return symptom.pass && verdict::is_from_source(*symptom.pass); }

Sign words(std::string text) {
    if (text.empty()) { return {}; }
    return text;
}

// Returns the sign of a lowered program (oracle/judge/lowered.h).
Sign sign_of(const std::optional<verdict::LoweredOutcome>& lowered) {
    if (lowered && lowered->trouble) { return *lowered->trouble; }
    if (lowered && !lowered->error.empty()) { return words(lowered->error); }
    return WrongValue{};
}

Sign sign_of(const std::optional<verdict::Validation>& validation) {
    return words(validation ? summary(*validation) : "");
}

Sign sign_of_hang(const verdict::Verdict& verdict) {
    if (verdict::is_deadlock(verdict)) { return verdict::TroubleKind::deadlock; }
    return words("limit");
}

// The lowered program is known only if the compiler reached code generation.
Sign sign_of_death(const verdict::Verdict& verdict) {
    const std::string how =
        verdict.signal == 0 ? to_string(sign_of_hang(verdict)) : "signal " + std::to_string(verdict.signal);
    return words(how + " in " + verdict.phase + (verdict.lowered ? ", lowered" : ""));
}

Sign sign_of_error(const cases::Case& c, const verdict::Verdict& verdict) {
    if (!verdict.failed_check) { return words(signature(c, verdict).message); }
    FailedCheck check = *verdict.failed_check;
    check.words = normalise_words(c, check.words);
    return check;
}

// Whether the native class is one that a wrong lowered program may bring about.
bool is_native_accident(Class cls) {
    return cls == Class::nondeterminism || cls == Class::program_crash || cls == Class::program_hang ||
           cls == Class::program_out_of_memory || cls == Class::stray_write;
}

}  // namespace

std::strong_ordering Symptom::operator<=>(const Symptom& other) const {
    const auto texts = [](const Symptom& symptom) {
        return std::tuple(verdict::name(symptom.cls), symptom.pass ? verdict::to_string(*symptom.pass) : std::string(),
                          triage::to_string(symptom.sign), symptom.sign);
    };
    return texts(*this) <=> texts(other);
}

std::optional<Symptom> symptom(const cases::Case& c, const verdict::Verdict& verdict) {
    const Class cls = verdict.cls;
    Symptom found{cls, {}, {}};
    const auto lowered = [&](Sign sign) {
        found.pass = verdict.pass;
        found.sign = std::move(sign);
    };
    switch (cls) {
        case Class::agrees:
        case Class::rejected:
        case Class::outside_context:
        case Class::not_compared:
        case Class::too_large:
        case Class::bad_case:
        case Class::solver_contradiction:
        case Class::harness_failure: return std::nullopt;
        case Class::wrong_lowering:
        case Class::latent_bug:
        case Class::introduced_overflow:
        case Class::translation_fault: lowered(sign_of(verdict.lowered)); break;
        case Class::over_rejection:
            lowered(verdict.pass ? sign_of(verdict.lowered) : words(signature(c, verdict).message));
            break;
        case Class::refuted_lowering: {
            // At the case's own sizes, or at others.
            const bool is_there = has_outcome(verdict.own_sizes, verdict::Outcome::refuted);
            lowered(sign_of(is_there ? verdict.own_sizes : verdict.all_sizes));
            break;
        }
        case Class::unsound_validator: lowered(sign_of(verdict.own_sizes)); break;
        case Class::compiler_internal_error: lowered(sign_of_error(c, verdict)); break;
        case Class::compiler_crash: lowered(sign_of_death(verdict)); break;
        case Class::compiler_hang:
        case Class::compiler_out_of_memory: found.sign = sign_of_death(verdict); break;
        case Class::program_crash: found.sign = words("signal " + std::to_string(verdict.signal)); break;
        case Class::program_hang: found.sign = sign_of_hang(verdict); break;
        case Class::program_out_of_memory:
        case Class::wrong_code:
        case Class::wrong_result:
        case Class::nondeterminism:
        case Class::stray_write: break;
    }
    if (is_native_accident(cls) && verdict.pass) {
        found.cls = Class::wrong_lowering;
        lowered(sign_of(verdict.lowered));
    }
    return found;
}

bool is_check(const Symptom& symptom) { return std::holds_alternative<FailedCheck>(symptom.sign); }

bool are_alike(const Sign& a, const Sign& b) {
    const auto *one = std::get_if<FailedCheck>(&a), *other = std::get_if<FailedCheck>(&b);
    return one != nullptr && other != nullptr ? is_same_check(*one, *other) : a == b;
}

bool may_be_one_check(const Symptom& a, const Symptom& b, const PassOrder& order) {
    return a.cls == b.cls && is_check(a) && is_check(b) && are_alike(a.sign, b.sign) && order.overlap(a.pass, b.pass);
}

bool still_shows(const Symptom& found, const Symptom& sought, const PassOrder& order) {
    if (may_be_one_check(found, sought, order)) { return true; }
    const bool shows = found.cls == sought.cls || (found.cls == Class::wrong_lowering && is_latent(sought));
    return shows && found.sign == sought.sign && order.holds(sought.pass, found.pass);
}

bool locates(const verdict::Verdict& found, const verdict::Verdict& sought) {
    const auto was_run = [](const verdict::Verdict& verdict) {
        return !verdict.lowered || !verdict::is_not_run(*verdict.lowered);
    };
    if (was_run(sought) || !was_run(found)) { return false; }
    // A wrong result comes from wrong code if the lowered program is right. Otherwise it comes from a wrong lowering,
    // or from one that overflows and so may have any result.
    if (sought.cls == Class::wrong_result) {
        return found.cls == Class::wrong_code || found.cls == Class::wrong_lowering ||
               found.cls == Class::introduced_overflow;
    }
    return is_native_accident(sought.cls) && found.cls == sought.cls;
}

bool shows_plainly(const Symptom& found, const Symptom& sought, const PassOrder& order) {
    if (still_shows(found, sought, order)) { return true; }
    const bool is_sought =
        sought.cls == Class::wrong_lowering || is_latent(sought) || sought.cls == Class::introduced_overflow;
    // A bug that shows natively must not become latent.
    const bool shows = found.cls == Class::wrong_lowering || (is_latent(found) && is_latent(sought));
    const bool has_room_for_one = is_race(sought) || !is_from_source(sought);
    return is_sought && has_room_for_one && shows && found.sign == Sign(WrongValue{}) &&
           order.holds(sought.pass, found.pass);
}

bool is_plain(const Symptom& symptom) {
    if (symptom.cls == Class::introduced_overflow) { return false; }
    const bool is_lowered = symptom.cls == Class::wrong_lowering || is_latent(symptom);
    return !is_lowered || symptom.sign == Sign(WrongValue{});
}

bool is_race(const Symptom& symptom) {
    const auto* trouble = std::get_if<verdict::TroubleKind>(&symptom.sign);
    return trouble != nullptr && verdict::is_race(*trouble);
}

std::string to_string(const Sign& sign) {
    return std::visit(
        Overload{[](std::monostate) { return std::string(); }, [](WrongValue) { return std::string(wrong_value); },
                 [](verdict::TroubleKind kind) { return std::string(verdict::name(kind)); },
                 [](const std::string& text) { return text; },
                 [](const FailedCheck& check) { return haruspex::to_string(check); }},
        sign);
}

Sign parse_sign(std::string_view text) {
    if (text == wrong_value) { return WrongValue{}; }
    if (const auto trouble = verdict::parse_trouble_kind(text)) { return *trouble; }
    return words(std::string(text));
}

std::string to_string(const Symptom& symptom) {
    std::string text(verdict::name(symptom.cls));
    const std::string pass = symptom.pass ? to_string(*symptom.pass) : "";
    for (const std::string& part : {to_string(symptom.sign), pass}) {
        if (!part.empty()) { text += " " + part; }
    }
    return text;
}

}  // namespace haruspex::triage
