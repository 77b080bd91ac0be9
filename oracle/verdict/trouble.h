#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace haruspex::verdict {

// The kinds of run-time errors of a SCHED program. A wrong value is not among them.
enum class TroubleKind : std::uint8_t {
    out_of_bounds_read,
    out_of_bounds_write,
    read_after_free,  // or a read of an array whose condition did not hold
    write_after_free,
    free_after_free,
    write_to_input,
    read_write_race,    // U-PARLOOP: dom(δμ_i) # ρ_j; or between branches of a fork
    write_write_race,   // U-PARLOOP: δμ_i and δμ_j are not compatible; or between branches of a fork
    lane_conflict,      // two lanes of an assignment leave different values in one cell
    depends_on_uninit,  // an index, an extent, an assertion or a requested output depends on Uninit; or the bounds of a
                        // loop do, and do not limit its iterations
    depends_on_undef,   // likewise on Undef
    assertion_failed,
    index_overflow,   // an index left 64 bits
    negative_extent,  // of an allocation
    negative_units,   // of a semaphore, an acquire or a release
    deadlock,         // branches wait for each other for ever
    order_matters,    // branches leave a different memory when they take turns in another order
};
inline constexpr std::array all_trouble_kinds{
    TroubleKind::out_of_bounds_read, TroubleKind::out_of_bounds_write, TroubleKind::read_after_free,
    TroubleKind::write_after_free,   TroubleKind::free_after_free,     TroubleKind::write_to_input,
    TroubleKind::read_write_race,    TroubleKind::write_write_race,    TroubleKind::lane_conflict,
    TroubleKind::depends_on_uninit,  TroubleKind::depends_on_undef,    TroubleKind::assertion_failed,
    TroubleKind::index_overflow,     TroubleKind::negative_extent,     TroubleKind::negative_units,
    TroubleKind::deadlock,           TroubleKind::order_matters};

std::string_view name(TroubleKind kind);  // "out_of_bounds_read", …
std::optional<TroubleKind> parse_trouble_kind(std::string_view name);

// Whether a program with no other kind of trouble may be right: an allocation of a negative extent has no cells
// (U-ALLOCATE). Compilers emit it where no cell is needed; an access to it is separate trouble.
constexpr bool is_harmless(TroubleKind kind) { return kind == TroubleKind::negative_extent; }
constexpr bool is_race(TroubleKind kind) {
    return kind == TroubleKind::read_write_race || kind == TroubleKind::write_write_race;
}
constexpr bool is_out_of_bounds(TroubleKind kind) {
    return kind == TroubleKind::out_of_bounds_read || kind == TroubleKind::out_of_bounds_write;
}

}  // namespace haruspex::verdict
