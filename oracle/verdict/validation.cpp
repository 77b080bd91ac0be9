#include "oracle/verdict/validation.h"

#include "generators/base/ensure.h"

namespace haruspex::verdict {
namespace {

constexpr std::string_view condition = "when";
constexpr std::string_view of_real_floats = ", floats being real numbers";

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

bool Validation::is_conditional() const {
    return outcome == Outcome::validated && reason.starts_with(std::string(condition) + " ");
}

bool comes_to(const std::optional<Validation>& validation, Outcome outcome) {
    return validation && validation->outcome == outcome;
}

std::string to_string(const Validation& validation) {
    std::string line = std::string(name(validation.outcome)).append(separator(validation.outcome)) + validation.reason;
    return validation.has_real_floats ? line.append(of_real_floats) : line;
}

std::optional<Validation> parse_validation(std::string_view line) {
    for (const Outcome outcome : {Outcome::validated, Outcome::refuted, Outcome::undecided, Outcome::unsupported}) {
        const std::string beginning = std::string(name(outcome)).append(separator(outcome));
        if (!line.starts_with(beginning)) { continue; }
        line.remove_prefix(beginning.size());
        const bool has_real_floats = outcome == Outcome::validated && line.ends_with(of_real_floats);
        if (has_real_floats) { line.remove_suffix(of_real_floats.size()); }
        return Validation{outcome, std::string(line), has_real_floats};
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
