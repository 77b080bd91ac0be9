#include "oracle/verdict/validation.h"

#include "generators/base/ensure.h"

namespace haruspex::verdict {
namespace {

constexpr std::string_view condition = "when";

// What is said of a proof beyond its reason.
std::string_view addition(Floats floats) {
    switch (floats) {
        case Floats::ieee: return "";
        case Floats::numbers: return ", floats being numbers";
        case Floats::real: return ", floats being real numbers";
    }
    raise_internal_error(__FILE__, __LINE__, "no such floats");
}

std::string_view separator(Outcome outcome) { return outcome == Outcome::validated ? " " : ": "; }

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

std::string_view name(Floats floats) {
    switch (floats) {
        case Floats::ieee: return "ieee";
        case Floats::numbers: return "numbers";
        case Floats::real: return "real";
    }
    raise_internal_error(__FILE__, __LINE__, "no such floats");
}

bool Validation::is_conditional() const {
    return outcome == Outcome::validated && reason.starts_with(std::string(condition) + " ");
}

bool comes_to(const std::optional<Validation>& validation, Outcome outcome) {
    return validation && validation->outcome == outcome;
}

std::string to_string(const Validation& validation) {
    return std::string(name(validation.outcome))
        .append(separator(validation.outcome))
        .append(validation.reason)
        .append(addition(validation.floats));
}

std::optional<Validation> parse_validation(std::string_view line) {
    for (const Outcome outcome : {Outcome::validated, Outcome::refuted, Outcome::undecided, Outcome::unsupported}) {
        const std::string beginning = std::string(name(outcome)).append(separator(outcome));
        if (!line.starts_with(beginning)) { continue; }
        line.remove_prefix(beginning.size());
        for (const Floats floats : {Floats::numbers, Floats::real}) {
            if (outcome != Outcome::validated || !line.ends_with(addition(floats))) { continue; }
            line.remove_suffix(addition(floats).size());
            return Validation{outcome, std::string(line), floats};
        }
        return Validation{outcome, std::string(line)};
    }
    return std::nullopt;
}

std::string fate(const Validation& validation) {
    const std::string outcome(name(validation.outcome));
    if (validation.outcome == Outcome::validated) {
        return validation.is_conditional() ? outcome + " " + std::string(condition) : outcome;
    }
    return outcome + ": " + validation.reason.substr(0, validation.reason.find(':'));
}

}  // namespace haruspex::verdict
