#include "oracle/verdict/validation.h"

#include <array>
#include <initializer_list>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/base/enumerators.h"

namespace haruspex::verdict {
namespace {

constexpr std::array all_outcomes{Outcome::validated, Outcome::refuted, Outcome::undecided, Outcome::unsupported};
constexpr std::array all_floats{Floats::ieee, Floats::numbers, Floats::abstract, Floats::real};
constexpr std::array all_causes{Cause::none,    Cause::obligation,     Cause::run,          Cause::feature,
                                Cause::budget,  Cause::compiler_limit, Cause::not_compared, Cause::not_confirmed,
                                Cause::not_run, Cause::contradiction};

// The addition to a proof's text.
std::string_view addition(Floats floats) {
    switch (floats) {
        case Floats::ieee: return "";
        case Floats::numbers: return ", floats being numbers";
        case Floats::abstract: return ", floats being abstract";
        case Floats::real: return ", floats being real numbers";
    }
    raise_internal_error(__FILE__, __LINE__, "no such floats");
}

// The words for a cause that says more than the kind of its subject; otherwise empty.
std::string_view words(Cause cause) {
    switch (cause) {
        case Cause::none:
        case Cause::obligation:
        case Cause::run:
        case Cause::feature:
        case Cause::budget: return "";
        case Cause::compiler_limit: return "time limit";
        case Cause::not_compared: return "not compared";
        case Cause::not_confirmed: return "refuted, not confirmed";
        case Cause::not_run: return "refuted, not run";
        case Cause::contradiction: return "a fault of haruspex";
    }
    raise_internal_error(__FILE__, __LINE__, "no such cause");
}

std::string kind_of(const Validation& validation) {
    return validation.obligation ? std::string(name(*validation.obligation)) : validation.what.kind;
}

// Joins the parts that are not empty with colons.
std::string joined(std::initializer_list<std::string_view> parts) {
    std::string text;
    for (const std::string_view part : parts) {
        if (!part.empty()) { text.append(text.empty() ? "" : ": ").append(part); }
    }
    return text;
}

std::string reason_of_proof(const Validation& validation) {
    const std::string fitting = validation.needs_fitting_sums ? ", as long as no partial sum overflows" : "";
    if (validation.premise) { return "when " + *validation.premise + fitting; }
    const std::string sizes = validation.is_for_all_sizes ? "for all sizes" : "for the given sizes";
    return sizes + (validation.needs_proper_boxes ? " at which no output's box has a negative extent" : "") + fitting;
}

}  // namespace

std::string_view name(Outcome outcome) {
    switch (outcome) {
        case Outcome::validated: return "validated";
        case Outcome::refuted: return "refuted";
        case Outcome::undecided: return "undecided";
        case Outcome::unsupported: return "unsupported";
    }
    raise_internal_error(__FILE__, __LINE__, "no such outcome");
}

std::optional<Outcome> parse_outcome(std::string_view text) { return enumerator_named(all_outcomes, text); }

std::string_view name(Floats floats) {
    switch (floats) {
        case Floats::ieee: return "ieee";
        case Floats::numbers: return "numbers";
        case Floats::abstract: return "abstract";
        case Floats::real: return "real";
    }
    raise_internal_error(__FILE__, __LINE__, "no such floats");
}

std::optional<Floats> parse_floats(std::string_view text) { return enumerator_named(all_floats, text); }

std::string_view name(Cause cause) {
    switch (cause) {
        case Cause::none: return "none";
        case Cause::obligation: return "obligation";
        case Cause::run: return "run";
        case Cause::feature: return "feature";
        case Cause::budget: return "budget";
        case Cause::compiler_limit: return "compiler_limit";
        case Cause::not_compared: return "not_compared";
        case Cause::not_confirmed: return "not_confirmed";
        case Cause::not_run: return "not_run";
        case Cause::contradiction: return "contradiction";
    }
    raise_internal_error(__FILE__, __LINE__, "no such cause");
}

std::optional<Cause> parse_cause(std::string_view text) { return enumerator_named(all_causes, text); }

Validation proved(bool is_for_all_sizes) {
    Validation validation;
    validation.outcome = Outcome::validated;
    validation.is_for_all_sizes = is_for_all_sizes;
    return validation;
}

Validation obstructed(Outcome outcome, Cause cause, Feature what) {
    Validation validation;
    validation.outcome = outcome;
    validation.cause = cause;
    validation.what = std::move(what);
    return validation;
}

Validation obstructed(Outcome outcome, ObligationKind obligation, std::string detail) {
    Validation validation = obstructed(outcome, Cause::obligation, {{}, std::move(detail)});
    validation.obligation = obligation;
    return validation;
}

bool has_outcome(const std::optional<Validation>& validation, Outcome outcome) {
    return validation && validation->outcome == outcome;
}

std::string reason(const Validation& validation) {
    if (validation.outcome == Outcome::validated) { return reason_of_proof(validation); }
    return joined({words(validation.cause), kind_of(validation), validation.what.detail});
}

std::string to_string(const Validation& validation) {
    const std::string outcome(name(validation.outcome));
    if (validation.outcome == Outcome::validated) {
        return outcome + " " + reason(validation) + std::string(addition(validation.floats));
    }
    return joined({outcome, reason(validation)});
}

std::string cause_of(const Validation& validation) {
    if (validation.outcome == Outcome::validated) { return {}; }
    const std::string_view cause = words(validation.cause);
    return cause.empty() ? kind_of(validation) : std::string(cause);
}

std::string summary(const Validation& validation) {
    const std::string outcome(name(validation.outcome));
    if (validation.outcome == Outcome::validated) { return outcome + (validation.is_conditional() ? " when" : ""); }
    return joined({outcome, cause_of(validation)});
}

}  // namespace haruspex::verdict
