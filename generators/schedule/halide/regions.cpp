#include "generators/schedule/halide/regions.h"

#include <algorithm>
#include <set>

#include "generators/base/overload.h"
#include "generators/sare/build.h"
#include "generators/sare/traverse.h"
#include "generators/schedule/halide/linear.h"
#include "generators/schedule/halide/tails.h"

namespace haruspex::schedule::halide {
namespace {

using sare::Index;
using Range = std::optional<SymbolicRange>;
using RangeOf = std::map<std::string, Range>;

// The smaller (larger) of two indices; chosen directly if they differ by a constant.
Index extreme(const Index& a, const Index& b, bool smaller) {
    if (a == b) { return a; }
    const auto difference = linear_form(a - b);
    if (difference && difference->coefficients.empty()) { return (difference->constant < 0) == smaller ? a : b; }
    return smaller ? sare::min(a, b) : sare::max(a, b);
}

Range join(const Range& a, const Range& b) {
    if (!a || !b) { return std::nullopt; }
    return SymbolicRange{extreme(a->low, b->low, true), extreme(a->high, b->high, false), a->is_exact && b->is_exact};
}

// Whether the two indices take all pairs of values that their ranges allow, so that the range of their sum or minimum
// is exact.
bool are_independent(const Index& a, const Index& b, const RangeOf& variables) {
    const std::set<std::string> of_a = sare::free_variables(a), of_b = sare::free_variables(b);
    return std::ranges::none_of(of_a, [&](const std::string& v) { return variables.contains(v) && of_b.contains(v); });
}

Range range_of(const Index& index, const RangeOf& variables) {
    const auto of = [&](const Index& part) { return range_of(part, variables); };
    return std::visit(
        Overload{
            [&](const sare::IndexConstant&) -> Range { return SymbolicRange{index, index}; },
            [&](const sare::IndexVariable& v) -> Range {
                const auto known = variables.find(v.name);
                return known == variables.end() ? SymbolicRange{index, index} : known->second;
            },
            [&](const sare::IndexBinary& b) -> Range {
                const Range left = of(*b.a), right = of(*b.b);
                if (!left || !right) { return std::nullopt; }
                const bool is_exact = left->is_exact && right->is_exact && are_independent(*b.a, *b.b, variables);
                switch (b.op) {
                    case sare::IndexOp::add:
                        return SymbolicRange{tidy(left->low + right->low), tidy(left->high + right->high), is_exact};
                    case sare::IndexOp::sub:
                        return SymbolicRange{tidy(left->low - right->high), tidy(left->high - right->low), is_exact};
                    case sare::IndexOp::min:
                        return SymbolicRange{extreme(left->low, right->low, true),
                                             extreme(left->high, right->high, true), is_exact};
                    case sare::IndexOp::max:
                        return SymbolicRange{extreme(left->low, right->low, false),
                                             extreme(left->high, right->high, false), is_exact};
                }
                return std::nullopt;
            },
            [&](const sare::IndexScale& s) -> Range {
                const Range range = of(*s.a);
                if (!range) { return std::nullopt; }
                const Index a = tidy(s.factor * range->low), b = tidy(s.factor * range->high);
                return s.factor >= 0 ? SymbolicRange{a, b, range->is_exact} : SymbolicRange{b, a, range->is_exact};
            },
            [&](const sare::IndexDiv& d) -> Range {
                const Range range = of(*d.a);
                if (!range) { return std::nullopt; }
                return SymbolicRange{sare::floor_div(range->low, d.divisor), sare::floor_div(range->high, d.divisor),
                                     range->is_exact};
            },
            [&](const sare::IndexMod& m) -> Range {
                return SymbolicRange{sare::constant(0), sare::constant(m.divisor - 1), false};
            },
            [&](const sare::IndexSelect& s) -> Range {
                Range both = join(of(*s.if_true), of(*s.if_false));
                if (both) { both->is_exact = false; }
                return both;
            },
        },
        index.node);
}

// Of indices and conditions.
struct Nodes {
    std::size_t count = 0;
    void of(const Index& index) {
        ++count;
        std::visit(Overload{
                       [](const sare::IndexConstant&) {},
                       [](const sare::IndexVariable&) {},
                       [&](const sare::IndexBinary& b) {
                           of(*b.a);
                           of(*b.b);
                       },
                       [&](const sare::IndexScale& s) { of(*s.a); },
                       [&](const sare::IndexDiv& d) { of(*d.a); },
                       [&](const sare::IndexMod& m) { of(*m.a); },
                       [&](const sare::IndexSelect& s) {
                           of(*s.if_true);
                           of(*s.if_false);
                       },
                   },
                   index.node);
    }
};

// Minima of minima double from one tensor of a chain to the next: beyond this size no bound is known.
bool is_too_large(const SymbolicRange& range) {
    constexpr std::size_t most_nodes = 400;
    Nodes nodes;
    nodes.of(range.low);
    nodes.of(range.high);
    return nodes.count > most_nodes;
}

class Requirements {
public:
    Requirements(const ScheduleState& state, const std::vector<sare::Output>& outputs) : state_(state) {
        for (const sare::Output& output : outputs) {
            SymbolicBox box;
            for (const sare::Span& span : output.box) {
                box.push_back(SymbolicRange{span.min, tidy(span.min + span.extent - sare::constant(1))});
            }
            boxes_[output.tensor] = std::move(box);
        }
    }

    std::map<std::string, SymbolicBox> run() {
        for (auto tensor = state_.tensors.rbegin(); tensor != state_.tensors.rend(); ++tensor) {
            if (boxes_.contains(tensor->name())) { visit(*tensor); }
        }
        return std::move(boxes_);
    }

private:
    void require(const std::string& tensor, const std::vector<Index>& indices, const RangeOf& variables, bool affine) {
        if (state_.find(tensor) == nullptr) { return; }  // an input
        const bool known = boxes_.contains(tensor);
        SymbolicBox& box = boxes_[tensor];
        for (std::size_t d = 0; d < indices.size(); ++d) {
            const Range range = affine ? range_of(indices[d], variables) : std::nullopt;
            if (known) {
                box[d] = join(box[d], range);
            } else {
                box.push_back(range);
            }
            if (box[d] && is_too_large(*box[d])) { box[d] = std::nullopt; }
        }
    }

    void visit(const TensorState& tensor) {
        const sare::Function& function = tensor.facts->function;
        // The updates first: the cells of the tensor itself that they write and read are required too.
        for (std::size_t s = tensor.stages.size(); s-- > 0;) {
            const RangeOf variables = computed(tensor, s);
            if (s > 0) { require(function.name, function.updates[s - 1].target, variables, true); }
            for (const TensorAccess& access : tensor.facts->stages[s].accesses) {
                require(access.tensor, access.indices, variables, access.over_stage_variables);
            }
        }
    }

    // The ranges of a stage's variables: required, bounded, aligned and overshot.
    RangeOf computed(const TensorState& tensor, std::size_t s) const {
        const sare::Function& function = tensor.facts->function;
        const SymbolicBox& box = boxes_.at(tensor.name());
        RangeOf variables;
        for (std::size_t d = 0; d < function.variables.size(); ++d) {
            const std::string& variable = function.variables[d];
            Range range = box[d];
            const auto bound = std::ranges::find(tensor.bounds, variable, &BoundState::var);
            if (range && !tensor.is_inlined() && bound != tensor.bounds.end()) {
                if (bound->min) { range->low = *bound->min; }
                if (bound->extent) { range->high = tidy(range->low + *bound->extent - sare::constant(1)); }
                if (bound->modulus > 0) { widen(*range, {bound->modulus - 1, bound->modulus - 1}); }
            }
            if (range && !tensor.is_inlined()) {
                Overshoot most = overshoot(tensor.stages[s], variable);
                for (const StageState& branch : tensor.stages[s].specializations) {
                    const Overshoot other = overshoot(branch, variable);
                    most = {std::max(most.below, other.below), std::max(most.above, other.above)};
                }
                widen(*range, most);
            }
            variables[variable] = range;
        }
        if (s > 0) {
            for (const sare::RecurrenceVariable& rvar : function.updates[s - 1].over) {
                variables[rvar.name] = SymbolicRange{rvar.min, tidy(rvar.min + rvar.extent - sare::constant(1))};
            }
        }
        return variables;
    }

    static void widen(SymbolicRange& range, Overshoot by) {
        range.low = tidy(range.low - sare::constant(by.below));
        range.high = tidy(range.high + sare::constant(by.above));
        range.is_exact = range.is_exact && by.below == 0 && by.above == 0;
    }

    const ScheduleState& state_;
    std::map<std::string, SymbolicBox> boxes_;
};

}  // namespace

Overshoot overshoot(const StageState& stage, const std::string& variable) {
    // The distance by which one step of a loop moves the variable; a fused loop moves its outer part by at most one.
    std::map<std::string, std::int64_t> step{{variable, 1}};
    Overshoot result;
    for (const SplitRecord& split : stage.splits) {
        if (split.kind == SplitRecord::Kind::fuse) {
            const auto outer = step.find(split.outer), inner = step.find(split.inner);
            const std::int64_t most =
                std::max(outer == step.end() ? 0 : outer->second, inner == step.end() ? 0 : inner->second);
            if (most > 0) { step[split.old_var] = most; }
            continue;
        }
        const auto old = step.find(split.old_var);
        if (old == step.end()) { continue; }
        const std::int64_t by = old->second;
        if (shifts_inwards(split.tail)) {
            result.below += by * (split.factor - 1);
        } else if (!guards_the_end(split.tail) || split.tail == Tail::predicate_stores) {
            result.above += by * (split.factor - 1);
        }
        step[split.outer] = by * split.factor;
        step[split.inner] = by;
    }
    return result;
}

std::map<std::string, SymbolicBox> required_boxes(const ScheduleState& state,
                                                  const std::vector<sare::Output>& outputs) {
    return Requirements(state, outputs).run();
}

}  // namespace haruspex::schedule::halide
