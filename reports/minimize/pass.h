#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "reports/minimize/draft.h"

// The ways to make a case smaller, as data. The case's compiler says which of them are tried, and in which order
// (Reducer::passes).
namespace haruspex::minimize {

// Takes a changed draft. The draft need not be well-formed, admitted or smaller: the minimiser selects the drafts that
// are worth a run.
using Propose = std::function<void(Draft)>;

struct Pass {
    std::string_view name;
    // Calls `propose` with every change of the draft that this pass can make: large changes first, in an order that
    // depends on the draft alone.
    void (*proposals)(const Draft& draft, const Propose& propose);
};

// The outcome of one turn of a pass.
enum class Turn : std::uint8_t {
    shrunk,     // at least one of the pass's cases has the finding and was taken
    no_change,  // cases were run, and none has the finding
    exhausted,  // the budget was spent before all of the pass's cases were run
    invalid,    // none of the pass's cases was worth a run: not smaller, well-formed or admitted, or known already
};
inline constexpr std::size_t turn_count = 4;

// --- Passes over programs; each function proposes as Pass says ---

// definitions.cpp
void drop_outputs(const Draft& draft, const Propose& propose);
void drop_tensors(const Draft& draft, const Propose& propose);
void inline_tensors(const Draft& draft, const Propose& propose);
void drop_components(const Draft& draft, const Propose& propose);
// updates.cpp
void drop_updates(const Draft& draft, const Propose& propose);
void do_without_updates(const Draft& draft, const Propose& propose);
// dimensions.cpp
void drop_dimensions(const Draft& draft, const Propose& propose);
void drop_recurrence_variables(const Draft& draft, const Propose& propose);
void drop_parameters(const Draft& draft, const Propose& propose);
void merge_inputs(const Draft& draft, const Propose& propose);
// directives.cpp
void drop_directives(const Draft& draft, const Propose& propose);
// plainly.cpp
void compute_plainly(const Draft& draft, const Propose& propose);
// roots.cpp
void compute_at_root(const Draft& draft, const Propose& propose);
// expressions.cpp
void replace_expressions(const Draft& draft, const Propose& propose);
void keep_choices(const Draft& draft, const Propose& propose);
void lay_out_scalars(const Draft& draft, const Propose& propose);
void simplify_operators(const Draft& draft, const Propose& propose);
void replace_indices(const Draft& draft, const Propose& propose);
void replace_conditions(const Draft& draft, const Propose& propose);
// numbers.cpp
void simplify_types(const Draft& draft, const Propose& propose);
void shrink_sizes(const Draft& draft, const Propose& propose);
void shrink_constants(const Draft& draft, const Propose& propose);
void simplify_inputs(const Draft& draft, const Propose& propose);

}  // namespace haruspex::minimize
