#pragma once

#include <array>
#include <string_view>
#include <variant>

#include "generators/schedule/halide/directive.h"

// Halide's spelling of directives, tail strategies and alignments, for the printer and the parser.
namespace haruspex::schedule::halide {

// In the order of Action's alternatives.
inline constexpr std::array<std::string_view, 24> action_names{
    "split",         "tile",       "fuse",         "reorder",        "vectorize",       "unroll",
    "parallel",      "serial",     "compute_root", "compute_inline", "compute_at",      "store_root",
    "store_at",      "bound",      "bound_extent", "align_bounds",   "reorder_storage", "fold_storage",
    "align_storage", "specialize", "atomic",       "rfactor",        "compute_with",    "async"};
static_assert(action_names.size() == std::variant_size_v<Action>);

// In the order of Tail's and Align's enumerators. "Auto" is accepted but never printed: it is the default.
inline constexpr std::array<std::string_view, 9> tail_names{
    "Auto",           "RoundUp",         "GuardWithIf",  "Predicate",
    "PredicateLoads", "PredicateStores", "ShiftInwards", "ShiftInwardsAndBlend",
    "RoundUpAndBlend"};
inline constexpr std::array<std::string_view, 4> align_names{"Auto", "AlignStart", "AlignEnd", "NoAlign"};

std::string_view align_name(Align align);

}  // namespace haruspex::schedule::halide
