#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace haruspex::verdict {

// Kinds of proof obligations (oracle/validator/evaluation/obligation.h has the obligations themselves).
enum class ObligationKind : std::uint8_t {
    bounds_read,
    bounds_write,
    freed,             // no access to a freed array
    input_written,     // no write to an input
    uninit,            // no index, condition or requested output depends on memory that was not written
    lanes,             // two lanes do not leave different values in one cell
    race_read_write,   // rw-safe
    race_write_write,  // ww-covered
    value,             // a write's value is that of its prophecy
    coverage,          // every requested output cell holds the value of its tensor's cell
    assertion,         // an assert holds
    vacuous,           // the proof is not vacuous: the context allows sizes at which an output cell is requested
};
inline constexpr std::array all_obligation_kinds{
    ObligationKind::bounds_read,     ObligationKind::bounds_write,     ObligationKind::freed,
    ObligationKind::input_written,   ObligationKind::uninit,           ObligationKind::lanes,
    ObligationKind::race_read_write, ObligationKind::race_write_write, ObligationKind::value,
    ObligationKind::coverage,        ObligationKind::assertion,        ObligationKind::vacuous};

std::string_view name(ObligationKind kind);  // "bounds_read", …
std::optional<ObligationKind> parse_obligation_kind(std::string_view name);

constexpr bool is_about_bounds(ObligationKind kind) {
    return kind == ObligationKind::bounds_read || kind == ObligationKind::bounds_write;
}

}  // namespace haruspex::verdict
