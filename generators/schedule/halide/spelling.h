#pragma once

#include <array>
#include <string_view>
#include <variant>

#include "generators/schedule/halide/directive.h"

// Halide's spelling of directives and of the words among their arguments, for the printer and the parser.
namespace haruspex::schedule::halide {

// In the order of Action's alternatives.
inline constexpr std::array<std::string_view, 33> action_names{"split",
                                                               "tile",
                                                               "fuse",
                                                               "reorder",
                                                               "vectorize",
                                                               "unroll",
                                                               "parallel",
                                                               "serial",
                                                               "partition",
                                                               "never_partition",
                                                               "always_partition",
                                                               "never_partition_all",
                                                               "always_partition_all",
                                                               "prefetch",
                                                               "compute_root",
                                                               "compute_inline",
                                                               "compute_at",
                                                               "store_root",
                                                               "store_at",
                                                               "hoist_storage",
                                                               "hoist_storage_root",
                                                               "bound",
                                                               "bound_extent",
                                                               "align_bounds",
                                                               "reorder_storage",
                                                               "fold_storage",
                                                               "align_storage",
                                                               "ring_buffer",
                                                               "specialize",
                                                               "atomic",
                                                               "rfactor",
                                                               "compute_with",
                                                               "async"};
static_assert(action_names.size() == std::variant_size_v<Action>);

// In the order of the enumerators of Tail, Align, Partitioning and FetchBound. The first is accepted but never printed
// where it is the default: "Auto" but for partition, and "GuardWithIf" of a prefetch.
inline constexpr std::array<std::string_view, 9> tail_names{
    "Auto",           "RoundUp",         "GuardWithIf",  "Predicate",
    "PredicateLoads", "PredicateStores", "ShiftInwards", "ShiftInwardsAndBlend",
    "RoundUpAndBlend"};
inline constexpr std::array<std::string_view, 4> align_names{"Auto", "AlignStart", "AlignEnd", "NoAlign"};
inline constexpr std::array<std::string_view, 3> partitioning_names{"Auto", "Never", "Always"};
inline constexpr std::array<std::string_view, 3> fetch_bound_names{"GuardWithIf", "Clamp", "NonFaulting"};

std::string_view align_name(Align align);
std::string_view partitioning_name(Partitioning policy);
std::string_view fetch_bound_name(FetchBound bound);

}  // namespace haruspex::schedule::halide
