#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "oracle/verdict/verdict.h"
#include "reports/triage/symptom.h"

// Short texts for parts of verdicts, for tests.
namespace haruspex {

// Parses "agrees"; "read_write_race: reads f[0]"; "refuses: halide_error_bad_fold"; "not run: steps"; "unsupported:
// half floats"; anything else is a difference: a wrong value, or an Undef or Uninit one ("f(0) is undef_i32").
inline std::optional<verdict::LoweredOutcome> a_lowered(std::string_view text) {
    using verdict::LoweredState;
    if (text.empty()) { return std::nullopt; }
    verdict::LoweredOutcome lowered;
    const std::size_t colon = text.find(": ");
    const std::string_view head = text.substr(0, colon);
    const std::string rest(colon == text.npos ? std::string_view() : text.substr(colon + 2));
    lowered.detail = rest;
    if (text == "agrees") {
        lowered.state = LoweredState::equal;
    } else if (head == "refuses") {
        lowered.state = LoweredState::refuses;
        lowered.error = rest;
    } else if (head == "not run") {
        lowered.not_run = verdict::parse_not_run(rest);
        lowered.state = lowered.not_run == verdict::NotRun::steps ? LoweredState::too_large : LoweredState::unknown;
    } else if (head == "unsupported") {
        lowered.not_run = verdict::NotRun::untranslated;
    } else if (const auto kind = verdict::parse_trouble_kind(head)) {
        lowered.state = LoweredState::troubled;
        lowered.trouble = kind;
    } else {
        const bool is_missing = text.find(" uninit") != text.npos, is_undef = text.find(" undef") != text.npos;
        lowered.state = is_missing ? LoweredState::troubled
                        : is_undef ? LoweredState::overflows
                                   : LoweredState::differs;
        lowered.detail = text;
    }
    return lowered;
}

// Parses "(a, b]"; nullopt for any other text.
inline std::optional<verdict::PassInterval> a_pass(std::string_view text) { return verdict::parse_pass_interval(text); }

inline triage::Symptom a_symptom(std::string_view cls, std::string_view pass, std::string_view sign) {
    return {verdict::parse_class(cls).value(), a_pass(pass), triage::parse_sign(sign)};
}

}  // namespace haruspex
