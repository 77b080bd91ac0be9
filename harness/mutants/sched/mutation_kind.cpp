#include "harness/mutants/sched/mutation_kind.h"

#include <array>

namespace haruspex::mutants::sched {

std::string_view name(MutationKind kind) {
    static constexpr std::array<std::string_view, mutation_kinds> names{
        "index_off_by_one",  "index_coefficient", "indices_swapped", "store_elsewhere",    "loop_bound",
        "loop_kind",         "lane_count",        "lane_expression", "guard_changed",      "guard_dropped",
        "operator_replaced", "operands_swapped",  "literal_changed", "allocation_size",    "allocation_condition",
        "free_moved",        "free_dropped",      "let_moved",       "statement_swapped",  "statement_dropped",
        "statement_doubled", "atomic_dropped",    "prophecy_index",  "prophecy_component", "prophecy_dropped"};
    return names.at(static_cast<std::size_t>(kind));
}

bool is_of_prophecy(MutationKind kind) {
    return kind == MutationKind::prophecy_index || kind == MutationKind::prophecy_component ||
           kind == MutationKind::prophecy_dropped;
}

}  // namespace haruspex::mutants::sched
