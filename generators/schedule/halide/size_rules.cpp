#include "generators/schedule/halide/size_rules.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "generators/base/ensure.h"
#include "generators/sare/build.h"
#include "generators/sare/text.h"
#include "generators/schedule/halide/apply.h"
#include "generators/schedule/halide/linear.h"
#include "generators/schedule/halide/regions.h"
#include "generators/schedule/halide/state.h"
#include "generators/schedule/halide/tails.h"
#include "generators/schedule/halide/text.h"

namespace haruspex::schedule::halide {
namespace {

using sare::Condition;
using sare::Index;

Condition is_multiple(const Index& value, std::int64_t factor) {
    return sare::compare(sare::Relation::eq, sare::floor_mod(value, factor), sare::constant(0));
}
Condition at_least(const Index& value, std::int64_t least) {
    return sare::compare(sare::Relation::ge, value, sare::constant(least));
}
Condition equal(const Index& a, const Index& b) { return sare::compare(sare::Relation::eq, a, b); }
Condition less_equal(const Index& a, const Index& b) { return sare::compare(sare::Relation::le, a, b); }

// The extent of a loop over the parameters; for a fused loop the two factors of its extent.
struct Extent {
    Index value;
    std::optional<Index> times;
    std::string variable;      // the variable whose end an excess iteration exceeds
    bool end_is_safe = false;  // an iteration beyond the end has no effect outside the tensor's box
    // A known divisor of the extent (dim_extent_alignment). If Halide proves that a split's factor divides it, the tail
    // strategy is not applied, and so neither guards nor shifts the excess of later splits.
    std::optional<LinearForm> alignment;
};

bool divides(const std::optional<LinearForm>& alignment, std::int64_t factor) {
    return alignment && alignment->constant % factor == 0 &&
           std::ranges::all_of(alignment->coefficients, [&](const auto& term) { return term.second % factor == 0; });
}

std::optional<LinearForm> divided(const std::optional<LinearForm>& alignment, std::int64_t factor) {
    if (!divides(alignment, factor)) { return std::nullopt; }
    LinearForm result = *alignment;
    result.constant /= factor;
    for (auto& [name, coefficient] : result.coefficients) { coefficient /= factor; }
    return result;
}

std::optional<LinearForm> product(const std::optional<LinearForm>& a, const std::optional<LinearForm>& b) {
    if (!a || !b) { return std::nullopt; }
    const auto& scalar = a->coefficients.empty() ? *a : *b;
    LinearForm result = a->coefficients.empty() ? *b : *a;
    if (!scalar.coefficients.empty() || scalar.constant == 0) { return std::nullopt; }
    result.constant *= scalar.constant;
    for (auto& [name, coefficient] : result.coefficients) { coefficient *= scalar.constant; }
    return result;
}

// The rules of one stage whose cells must stay inside a box: an output's buffer or explicit bounds.
class StageRules {
public:
    StageRules(const TensorState& tensor, std::size_t stage, std::vector<SizeRule>& rules)
        : tensor_(tensor), is_update_(stage > 0), rules_(rules) {
        const auto& accesses = tensor.facts->stages[stage].accesses;
        reads_itself_ = std::ranges::any_of(accesses, [&](const TensorAccess& a) { return a.tensor == tensor.name(); });
    }

    // Adds the rules of a stage that runs at these sizes.
    void add(const StageState& stage, const std::map<std::string, Index>& extents, const Condition& when) {
        std::vector<Condition> branches;
        Condition otherwise = when;
        for (const Condition& taken : stage.conditions) {
            branches.push_back(both(otherwise, taken));
            otherwise = both(otherwise, !taken);
        }
        when_ = otherwise;
        extents_.clear();
        unknown_.clear();
        for (const auto& [variable, extent] : extents) {
            extents_[variable] = {extent, std::nullopt, variable, false, known_alignment(variable)};
        }
        for (const SplitRecord& split : stage.splits) {
            if (split.kind == SplitRecord::Kind::fuse) {
                fuse(split);
            } else if (extents_.contains(split.old_var)) {
                this->split(split);
            }
        }
        for (std::size_t i = 0; i < branches.size(); ++i) { add(stage.specializations[i], extents, branches[i]); }
    }

private:
    static Condition both(const Condition& a, const Condition& b) { return a == sare::truth(true) ? b : a && b; }

    std::optional<LinearForm> known_alignment(const std::string& variable) const {
        const auto bound = std::ranges::find(tensor_.bounds, variable, &BoundState::var);
        if (bound == tensor_.bounds.end()) { return std::nullopt; }
        return bound->extent ? linear_form(*bound->extent) : LinearForm{{}, bound->modulus};
    }

    void fuse(const SplitRecord& split) {
        const auto inner = extents_.find(split.inner), outer = extents_.find(split.outer);
        if (inner == extents_.end() || outer == extents_.end()) { return; }
        Extent fused{inner->second.value, outer->second.value, outer->second.variable, outer->second.end_is_safe,
                     product(inner->second.alignment, outer->second.alignment)};
        const auto a = constant_value(*fused.times), b = constant_value(fused.value);
        if (b) { std::swap(fused.value, *fused.times); }  // the constant is the factor
        if (a || b) {
            fused.value = (b ? *b : *a) * fused.value;
            fused.times = std::nullopt;
        }
        extents_[split.old_var] = std::move(fused);
    }

    void split(const SplitRecord& split) {
        const Extent old = extents_.at(split.old_var);
        const std::string name = std::string(tail_name(split.tail));
        const bool shifts = shifts_inwards(split.tail);
        // PredicateStores loads beyond the end, which matters if the loads are from the box itself.
        const bool rounds = !shifts && (!guards_the_end(split.tail) ||
                                        (split.tail == Tail::predicate_stores && is_update_ && reads_itself_));
        if (shifts) {
            add(
                split, old, [&](const Index& extent) { return at_least(extent, split.factor); },
                fmt::format("{}{}: extent of {} is at least {}", name, whose(), old.variable, split.factor));
        } else if (rounds && !old.end_is_safe) {
            add(
                split, old, [&](const Index& extent) { return is_multiple(extent, split.factor); },
                fmt::format("{}{}: extent of {} is a multiple of {}", name, whose(), old.variable, split.factor));
        }
        Extent outer = old, inner = old;
        if (old.times) {
            // The number of tiles of a product is not an affine index; it is only known to be positive.
            outer.value = sare::constant(1);
            outer.times = std::nullopt;
            unknown_.insert(split.outer);
        } else {
            outer.value = sare::floor_div(old.value + sare::constant(split.factor - 1), split.factor);
        }
        if (unknown_.contains(split.old_var)) { unknown_.insert(split.outer); }
        inner.value = sare::constant(split.factor);
        inner.times = std::nullopt;
        const bool applied = split.factor > 1 && !divides(old.alignment, split.factor);
        const bool guards = applied && !rounds && guards_the_end(split.tail);
        outer.end_is_safe = old.end_is_safe || guards || (applied && shifts);
        inner.end_is_safe = old.end_is_safe || guards;
        outer.alignment = divided(old.alignment, split.factor);
        inner.alignment = LinearForm{{}, split.factor};
        extents_[split.outer] = std::move(outer);
        extents_[split.inner] = std::move(inner);
    }

    // A product has the property if one factor has it and the other is positive. This condition is affine and
    // sufficient, not necessary.
    template <typename Property>
    void add(const SplitRecord& split, const Extent& extent, Property&& property, std::string reason) {
        Condition condition = property(extent.value);
        if (extent.times) {
            condition =
                (condition || property(*extent.times)) && at_least(extent.value, 1) && at_least(*extent.times, 1);
        }
        const bool is_unknown = unknown_.contains(split.old_var) && split.factor > 1;
        if (is_unknown) { condition = sare::truth(false); }
        if (condition == sare::truth(true)) { return; }
        if (when_ != sare::truth(true)) { condition = !when_ || condition; }
        rules_.push_back(
            {std::move(condition), split.directive, std::move(reason), is_unknown || extent.times.has_value()});
    }

    std::string whose() const { return tensor_.is_output ? " on an output" : " on a tensor with explicit bounds"; }

    const TensorState& tensor_;
    bool is_update_;
    bool reads_itself_ = false;
    std::vector<SizeRule>& rules_;
    std::map<std::string, Extent> extents_;  // by the loops' paths
    std::set<std::string> unknown_;
    Condition when_;
};

class RuleFinder {
public:
    RuleFinder(const sare::Algorithm& algorithm, const ScheduleState& state)
        : algorithm_(algorithm), state_(state), boxes_(required_boxes(state, algorithm.outputs)) {}

    std::vector<SizeRule> run() {
        for (const TensorState& tensor : state_.tensors) {
            if (tensor.is_inlined() || !boxes_.contains(tensor.name())) { continue; }
            const auto output = std::ranges::find(algorithm_.outputs, tensor.name(), &sare::Output::tensor);
            std::map<std::string, Index> extents;
            const auto& variables = tensor.facts->function.variables;
            if (output != algorithm_.outputs.end()) {
                for (std::size_t d = 0; d < variables.size(); ++d) {
                    extents.emplace(variables[d], output->box[d].extent);
                }
                output_rules(tensor, *output);
            } else {
                for (const BoundState& bound : tensor.bounds) {
                    if (bound.extent) { extents.emplace(bound.var, *bound.extent); }
                }
                bound_rules(tensor);
            }
            for (std::size_t s = 0; s < tensor.stages.size(); ++s) {
                StageRules(tensor, s, rules_).add(tensor.stages[s], extents, sare::truth(true));
            }
        }
        std::vector<SizeRule> ordered;
        for (std::size_t directive = 0; directive < state_.directives; ++directive) {
            std::ranges::copy_if(rules_, std::back_inserter(ordered),
                                 [&](const SizeRule& rule) { return rule.directive == directive; });
        }
        return ordered;
    }

private:
    static Index end_of(const Index& min, const Index& extent) { return min + extent; }

    void output_rules(const TensorState& tensor, const sare::Output& output) {
        const auto& variables = tensor.facts->function.variables;
        for (const BoundState& bound : tensor.bounds) {
            const auto d = static_cast<std::size_t>(std::ranges::find(variables, bound.var) - variables.begin());
            const sare::Span& span = output.box[d];
            if (bound.extent) {
                Condition condition = equal(*bound.extent, span.extent);
                if (bound.min) { condition = condition && equal(*bound.min, span.min); }
                add(std::move(condition), bound.directive,
                    "bound on an output: all of the bounds of " + bound.var +
                        " are computed, so they are the output's");
            } else {
                const Index remainder = sare::constant(bound.remainder);
                add(is_multiple(span.min - remainder, bound.modulus) &&
                        is_multiple(end_of(span.min, span.extent) - remainder, bound.modulus),
                    bound.directive, "align_bounds on an output: both ends of " + bound.var + " are aligned");
            }
        }
        // Reads of an output by other tensors must lie in its box, even if splits make the readers compute more.
        const auto cause = last_overshoot(readers_of(tensor.name()));
        if (!cause) { return; }
        const SymbolicBox& box = boxes_.at(tensor.name());
        for (std::size_t d = 0; d < variables.size(); ++d) {
            const sare::Span& span = output.box[d];
            Condition inside = sare::truth(false);
            if (box[d]) {
                inside = less_equal(span.min, box[d]->low) &&
                         less_equal(box[d]->high, end_of(span.min, span.extent) - sare::constant(1));
            }
            add(std::move(inside), *cause, "what is read of an output lies inside its box: " + variables[d],
                !box[d] || !box[d]->is_exact);
        }
    }

    void bound_rules(const TensorState& tensor) {
        const auto& variables = tensor.facts->function.variables;
        for (const BoundState& bound : tensor.bounds) {
            if (!bound.extent) { continue; }  // alignment only adds computed cells
            const auto d = static_cast<std::size_t>(std::ranges::find(variables, bound.var) - variables.begin());
            const auto& range = boxes_.at(tensor.name())[d];
            Condition inside = sare::truth(false);
            if (range) {
                const Index low = bound.min ? *bound.min : range->low;
                inside = less_equal(range->high, end_of(low, *bound.extent) - sare::constant(1));
                if (bound.min) { inside = less_equal(low, range->low) && inside; }
            }
            add(std::move(inside), bound.directive, "bound: the region required of " + bound.var + " lies inside",
                tensor.compute.kind == Placement::Kind::at || !range || !range->is_exact);
        }
    }

    // The tensors that read it, directly or not.
    std::set<std::string> readers_of(const std::string& name) const {
        std::set<std::string> readers;
        const auto reads = [&](const TensorState& t) {
            return t.facts->reads.contains(name) || std::ranges::any_of(readers, [&](const std::string& reader) {
                       return t.facts->reads.contains(reader);
                   });
        };
        for (bool has_grown = true; has_grown;) {
            has_grown = false;
            for (const TensorState& t : state_.tensors) {
                if (reads(t)) { has_grown = readers.insert(t.name()).second || has_grown; }
            }
        }
        return readers;
    }

    // The last directive that makes a stage of one of these tensors compute more than required.
    std::optional<std::size_t> last_overshoot(const std::set<std::string>& tensors) const {
        std::optional<std::size_t> last;
        const auto visit = [&](const auto& self, const StageState& stage) -> void {
            for (const SplitRecord& split : stage.splits) {
                if (split.kind == SplitRecord::Kind::split && split.factor > 1 && !guards_the_end(split.tail)) {
                    last = std::max(last.value_or(0), split.directive);
                }
            }
            for (const StageState& branch : stage.specializations) { self(self, branch); }
        };
        for (const TensorState& tensor : state_.tensors) {
            if (!tensors.contains(tensor.name())) { continue; }
            for (const StageState& stage : tensor.stages) { visit(visit, stage); }
            for (const BoundState& bound : tensor.bounds) { last = std::max(last.value_or(0), bound.directive); }
        }
        return last;
    }

    void add(Condition condition, std::size_t directive, std::string reason, bool may_be_too_strict = false) {
        if (condition == sare::truth(true)) { return; }
        rules_.push_back({std::move(condition), directive, std::move(reason), may_be_too_strict});
    }

    const sare::Algorithm& algorithm_;
    const ScheduleState& state_;
    std::map<std::string, SymbolicBox> boxes_;
    std::vector<SizeRule> rules_;
};

}  // namespace

std::vector<SizeRule> size_rules(const sare::Algorithm& algorithm, const Schedule& schedule, Vocabulary vocabulary) {
    ScheduleState state = initial_state(algorithm, vocabulary);
    for (const Directive& directive : schedule.directives) {
        const auto done = apply_directive(state, directive);
        ENSURE(done.has_value(), "a schedule names what exists: " + print(directive));
    }
    return RuleFinder(algorithm, state).run();
}

}  // namespace haruspex::schedule::halide
