#include <algorithm>
#include <array>
#include <optional>

#include "generators/base/overload.h"
#include "generators/sare/build.h"
#include "reports/minimize/halide/loops.h"
#include "reports/minimize/halide/passes.h"

// A pass over the guards of iterations: tails of splits in directives that also do something else, and predicates of
// updates. The plainest guard is that of a split loop whose extent is not a multiple of the factor.
namespace haruspex::minimize::halide {
namespace {

using namespace schedule::halide;

constexpr std::array plain_tails{Tail::automatic, Tail::guard_with_if};

// Returns the draft with boxes and sizes that have `enough` cells.
Draft with_room(Draft draft) {
    for (sare::Output& output : draft.algorithm.outputs) {
        for (sare::Span& span : output.box) {
            const auto* extent = std::get_if<sare::IndexConstant>(&span.extent.node);
            if (extent != nullptr && extent->value < enough) { span.extent = sare::constant(enough); }
        }
    }
    for (auto& [name, size] : draft.c.sizes) { size = std::max(size, enough); }
    return draft;
}

Split split_of(const std::string& var, std::int64_t factor, Tail tail) {
    return {var, var + "o", var + "i", factor, tail};
}

// Returns the split that a directive contains, without what the directive does with one of the loops.
std::optional<Split> split_of(const Action& action) {
    const auto mark = [](const auto& a) {
        return a.factor ? std::optional(split_of(a.var, *a.factor, a.tail)) : std::nullopt;
    };
    return std::visit(
        Overload{[&](const Vectorize& a) { return mark(a); }, [&](const Unroll& a) { return mark(a); },
                 [&](const Parallel& a) { return mark(a); }, [](const Split& a) { return std::optional(a); },
                 [](const auto&) { return std::optional<Split>(); }},
        action);
}

// Proposes the plain tail on larger sizes, which it may need where the present tail does not.
void propose_plain_tail(const Draft& draft, Schedule schedule, std::size_t at, const Propose& propose) {
    const auto plain = [](auto& action) {
        if constexpr (requires { action.tail; }) { action.tail = Tail::automatic; }
    };
    std::visit(plain, schedule.directives[at].action);
    propose(with_room(with_schedule(draft, std::move(schedule))));
}

void propose_split(const Draft& draft, Schedule schedule, std::size_t at, const Split& split, const Propose& propose) {
    Directive& directive = schedule.directives[at];
    // A directive such as vectorize(x, 8) leaves the name x to the outer loop, which the split names anew.
    const bool is_marked = !std::holds_alternative<Split>(directive.action);
    directive.action = split;
    if (is_marked) { rename_loop(schedule, at + 1, StageRef(directive.stage), split.old_var, split.outer); }
    Draft changed = with_schedule(draft, std::move(schedule));
    propose(changed);
    propose(with_room(std::move(changed)));
}

}  // namespace

void split_plainly(const Draft& draft, const Propose& propose) {
    const Schedule before = typed(draft.c.schedule);
    const auto& functions = draft.algorithm.functions;
    for (std::size_t f = functions.size(); f-- > 0;) {
        const auto has_predicate = [](const sare::UpdateDefinition& update) {
            return update.where != sare::Condition{sare::Truth{true}};
        };
        if (functions[f].variables.empty() || !std::ranges::any_of(functions[f].updates, has_predicate)) { continue; }
        for (const Tail tail : plain_tails) {
            Schedule schedule = before;
            Directive& directive = schedule.directives.emplace_back();
            directive.stage.tensor = functions[f].name;
            directive.action = split_of(functions[f].variables[0], 2, tail);
            Draft changed = with_room(with_schedule(draft, std::move(schedule)));
            changed.algorithm.functions[f].updates.clear();
            propose(std::move(changed));
        }
    }
    const auto& directives = before.directives;
    for (std::size_t i = 0; i < directives.size(); ++i) {
        auto split = split_of(directives[i].action);
        if (!split) { continue; }
        if (split->tail != Tail::automatic) { propose_plain_tail(draft, before, i, propose); }
        const Tail own = split->tail;
        for (const Tail tail : plain_tails) {
            split->tail = tail;
            propose_split(draft, before, i, *split, propose);
        }
        split->tail = own;
        propose_split(draft, before, i, *split, propose);
    }
}

}  // namespace haruspex::minimize::halide
