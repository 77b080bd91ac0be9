#include "reports/store/older_verdict.h"

#include <array>
#include <cstdint>
#include <utility>

#include "generators/base/numbers.h"

namespace haruspex::store {
namespace {

using verdict::Cause;
using verdict::LoweredOutcome;
using verdict::LoweredState;
using verdict::NotRun;
using verdict::Outcome;

// Removes `beginning` from the text; false if the text does not begin with it.
bool take(std::string_view& text, std::string_view beginning) {
    if (!text.starts_with(beginning)) { return false; }
    text.remove_prefix(beginning.size());
    return true;
}

// Removes and returns the text before the separator, and removes the separator; takes all of the text if there is none.
std::string_view take_until(std::string_view& text, std::string_view separator) {
    const std::size_t at = text.find(separator);
    const std::string_view head = text.substr(0, at);
    text.remove_prefix(at == text.npos ? text.size() : at + separator.size());
    return head;
}

// "x = 0, y = 1"
std::vector<std::pair<std::string, std::int64_t>> position_of(std::string_view text) {
    std::vector<std::pair<std::string, std::int64_t>> position;
    while (!text.empty()) {
        const std::string variable(take_until(text, " = "));
        const auto value = parse_number<std::int64_t>(std::string(take_until(text, ", ")));
        if (value) { position.emplace_back(variable, *value); }
    }
    return position;
}

// Splits "reads f[3], which is out of bounds [0, 3): `f[x] := 1` at x = 3" into its parts.
void read_trouble(std::string_view text, LoweredOutcome& lowered) {
    const std::size_t open = text.find(": `"), close = text.rfind('`');
    if (open == text.npos || close <= open + 2) {
        lowered.detail = text;
        return;
    }
    lowered.detail = text.substr(0, open);
    lowered.statement = text.substr(open + 3, close - open - 3);
    std::string_view rest = text.substr(close + 1);
    if (take(rest, " at ")) { lowered.position = position_of(rest); }
}

// "fails with "NAME: f"": the name of the error.
std::string error_of(std::string_view detail) {
    if (!take(detail, "fails with \"")) { return {}; }
    const std::size_t end = detail.find_first_of(":\"");
    const std::string_view name = detail.substr(0, end);
    return name.find(' ') == name.npos ? std::string(name) : std::string();
}

LoweredOutcome not_run(LoweredState state, NotRun reason, std::string_view detail) {
    return {state, reason, {}, std::string(detail), {}};
}

LoweredOutcome untranslated(std::string_view feature) {
    if (feature.starts_with("the free variable ")) {
        return not_run(LoweredState::unknown, NotRun::free_variable, feature);
    }
    if (feature.starts_with("a text longer than ")) {
        return not_run(LoweredState::too_large, NotRun::long_text, feature);
    }
    return not_run(LoweredState::unknown, NotRun::untranslated, feature);
}

LoweredOutcome unrun(std::string_view why) {
    if (why == "nothing lowered") { return not_run(LoweredState::unknown, NotRun::nothing_lowered, why); }
    if (why == "the program is long") { return not_run(LoweredState::too_large, NotRun::slow_to_compile, why); }
    if (why.starts_with("the program")) { return not_run(LoweredState::too_large, NotRun::steps, why); }
    if (why.starts_with("the bounds query")) { return not_run(LoweredState::unknown, NotRun::regions, why); }
    return not_run(LoweredState::unknown, NotRun::parameters, why);
}

// Reads the obligation or other obstacle to a proof.
void read_obstacle(std::string_view text, verdict::Validation& validation) {
    const std::string_view line = text, kind = take_until(text, ": ");
    const bool is_value = validation.outcome == Outcome::refuted && !verdict::parse_obligation_kind(kind) &&
                          !verdict::parse_trouble_kind(kind);
    if (is_value) {
        // A run shows another value.
        validation.cause = validation.cause == Cause::none ? Cause::run : validation.cause;
        validation.what = {std::string(verdict::name(verdict::ObligationKind::value)), std::string(line)};
        return;
    }
    validation.obligation = verdict::parse_obligation_kind(kind);
    validation.what = {validation.obligation ? std::string() : std::string(kind), std::string(text)};
    if (validation.cause != Cause::none) { return; }
    const bool is_work = kind == "evaluation" || kind == "discharge" || kind == "specification";
    validation.cause = validation.obligation                        ? Cause::obligation
                       : validation.outcome == Outcome::refuted     ? Cause::run
                       : validation.outcome == Outcome::unsupported ? Cause::feature
                       : is_work                                    ? Cause::budget
                                                                    : Cause::feature;
}

std::optional<verdict::Validation> proof_of(std::string_view text) {
    verdict::Validation proof = verdict::proved(true);
    constexpr std::string_view numbers = ", floats being numbers", real = ", floats being real numbers";
    if (text.ends_with(numbers)) {
        proof.floats = verdict::Floats::numbers;
        text.remove_suffix(numbers.size());
    } else if (text.ends_with(real)) {
        proof.floats = verdict::Floats::real;
        text.remove_suffix(real.size());
    }
    if (take(text, "when ")) {
        proof.premise = text;
        return proof;
    }
    proof.is_for_all_sizes = take(text, "for all sizes");
    if (!proof.is_for_all_sizes && !take(text, "for the given sizes")) { return std::nullopt; }
    proof.needs_proper_boxes = !text.empty();
    return proof;
}

}  // namespace

LoweredOutcome parse_older_lowered(std::string_view line) {
    if (line == "agrees") { return {LoweredState::equal, {}, {}, {}, {}}; }
    if (take(line, "malformed: ")) { return {LoweredState::malformed, {}, {}, std::string(line), {}}; }
    if (take(line, "unsupported: ")) { return untranslated(line); }
    if (take(line, "not run: ")) { return unrun(line); }
    std::string_view rest = line;
    LoweredOutcome lowered;
    if (const auto trouble = verdict::parse_trouble_kind(take_until(rest, ": "))) {
        lowered.state = LoweredState::troubled;
        lowered.trouble = trouble;
        read_trouble(rest, lowered);
    } else if (line.starts_with("fails with ")) {
        lowered.state = LoweredState::refuses;
        read_trouble(line, lowered);
        lowered.error = error_of(lowered.detail);
    } else {
        const bool is_missing = line.find(" is uninit") != line.npos, is_undef = line.find(" is undef") != line.npos;
        lowered.state = is_missing ? LoweredState::troubled
                        : is_undef ? LoweredState::overflows
                                   : LoweredState::differs;
        lowered.detail = line;
    }
    return lowered;
}

std::optional<verdict::Validation> parse_older_validation(std::string_view line) {
    if (take(line, "validated ")) { return proof_of(line); }
    verdict::Validation validation;
    const auto outcome = verdict::parse_outcome(take_until(line, ": "));
    if (!outcome || *outcome == Outcome::validated) { return std::nullopt; }
    validation.outcome = *outcome;
    constexpr std::array<std::pair<std::string_view, Cause>, 4> causes{
        {{"refuted, not confirmed: ", Cause::not_confirmed},
         {"refuted, not run: ", Cause::not_run},
         {"not compared: ", Cause::not_compared},
         {"a fault of haruspex: ", Cause::contradiction}}};
    for (const auto& [words, cause] : causes) {
        if (take(line, words)) { validation.cause = cause; }
    }
    if (take(line, "time limit: ")) {
        validation.cause = Cause::compiler_limit;
        validation.what.detail = line;
        return validation;
    }
    read_obstacle(line, validation);
    return validation;
}

std::optional<verdict::IndexFit> parse_older_indices(std::string_view line) {
    verdict::IndexFit fit;
    fit.is_known = take(line, "fit 32 bits");
    if (!fit.is_known && !take(line, "are not known to fit 32 bits")) { return std::nullopt; }
    fit.is_for_all_sizes = line != " at these sizes";
    if (!fit.is_for_all_sizes || line.empty()) { return fit; }
    if (!take(line, " for sizes up to ")) { return std::nullopt; }
    fit.most_size = parse_number<std::int64_t>(std::string(line));
    return fit.most_size ? std::optional(fit) : std::nullopt;
}

void read_older_message(verdict::Verdict& verdict) {
    const bool is_deadlock = verdict::is_hang(verdict.cls) && verdict.message.starts_with("deadlock");
    if (is_deadlock) { verdict.hang = verdict::Hang::deadlock; }
    verdict.is_heap_write =
        verdict.cls == verdict::Class::stray_write && verdict.message.starts_with("an internal allocation");
}

}  // namespace haruspex::store
