#include "generators/schedule/halide/forms.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "generators/base/overload.h"
#include "generators/sare/traverse.h"
#include "generators/schedule/halide/apply.h"
#include "generators/schedule/halide/linear.h"
#include "generators/schedule/halide/state.h"

namespace haruspex::schedule::halide {
namespace {

using Names = std::set<std::string>;

// The loops that the directive splits.
std::vector<std::string> split_loops(const Action& action) {
    const auto with_factor = [](const auto& a) {
        return a.factor ? std::vector<std::string>{a.var} : std::vector<std::string>{};
    };
    return std::visit(Overload{
                          [](const Split& a) -> std::vector<std::string> { return {a.old_var}; },
                          [](const Tile& a) -> std::vector<std::string> { return {a.x, a.y}; },
                          [&](const Vectorize& a) { return with_factor(a); },
                          [&](const Unroll& a) { return with_factor(a); },
                          [&](const Parallel& a) { return with_factor(a); },
                          [](const auto&) -> std::vector<std::string> { return {}; },
                      },
                      action);
}

bool is_of_loops(const Action& action) {
    return !split_loops(action).empty() || std::holds_alternative<Fuse>(action) ||
           std::holds_alternative<Reorder>(action) || std::holds_alternative<Vectorize>(action) ||
           std::holds_alternative<Unroll>(action) || std::holds_alternative<Parallel>(action) ||
           std::holds_alternative<Serial>(action);
}

bool is_same_stage(const StageRef& a, const StageRef& b) { return a.tensor == b.tensor && a.update == b.update; }

class Forms {
public:
    Forms(const sare::Algorithm& algorithm, const Schedule& schedule, Vocabulary vocabulary)
        : schedule_(schedule), state_(initial_state(algorithm, vocabulary)) {}

    Names find() {
        for (std::size_t i = 0; i < schedule_.directives.size(); ++i) {
            const Directive& directive = schedule_.directives[i];
            before(i);
            if (!apply_directive(state_, directive)) { return std::move(names_); }
        }
        for (const TensorState& tensor : state_.tensors) {
            for (std::size_t s = 0; s < tensor.stages.size(); ++s) { stage(tensor, s); }
        }
        return std::move(names_);
    }

private:
    void add(const std::string& name) { names_.insert("form:" + name); }

    // The forms that a directive makes with those before it.
    void before(std::size_t number) {
        const Directive& directive = schedule_.directives[number];
        if (const StageState* stage = state_.find(directive.stage)) {
            for (const std::string& var : split_loops(directive.action)) {
                const auto loop = std::ranges::find(stage->nest.loops, var, &Loop::var);
                if (var.empty() || loop == stage->nest.loops.end()) { continue; }
                if (loop->kind == LoopKind::vectorized) { add("split-of-vectorized"); }
                if (loop->kind == LoopKind::unrolled) { add("split-of-unrolled"); }
                for (const SplitRecord& split : stage->splits) {
                    if (split.kind == SplitRecord::Kind::fuse && split.old_var == loop->path) { add("split-of-fused"); }
                }
            }
        }
        if (is_of_loops(directive.action)) {
            const std::pair key{directive.stage.tensor, stage_index(directive.stage)};
            if (++directives_[key] == most_usual + 1) { add("many-directives"); }
        }
        const TensorState* tensor = state_.find(directive.stage.tensor);
        const bool bounds =
            std::holds_alternative<Bound>(directive.action) || std::holds_alternative<BoundExtent>(directive.action);
        if (bounds && tensor != nullptr && !tensor->is_output) { add("bounded-internal"); }
        if (const auto* with = std::get_if<ComputeWith>(&directive.action)) {
            if (directive.stage.update || with->level.stage.update) { add("compute_with-update"); }
        }
        if (const auto* cut = std::get_if<RFactor>(&directive.action)) { rfactor(number, *cut); }
    }

    void rfactor(std::size_t number, const RFactor& cut) {
        for (std::size_t i = 0; i < number; ++i) {
            const Directive& earlier = schedule_.directives[i];
            if (!is_same_stage(earlier.stage, schedule_.directives[number].stage)) { continue; }
            const auto* split = std::get_if<Split>(&earlier.action);
            const bool is_its_own = split != nullptr && std::ranges::any_of(cut.preserved, [&](const auto& one) {
                                        return one.first == split->outer || one.first == split->inner;
                                    });
            if (!is_its_own) { add("late-rfactor"); }
        }
    }

    // --- The loops and reads of a stage in the complete schedule ---

    void stage(const TensorState& tensor, std::size_t number) {
        const auto& loops = tensor.stages[number].nest.loops;
        const auto is_vectorized = [&](bool over_rvars) {
            return std::ranges::any_of(loops, [&](const Loop& loop) {
                return loop.kind == LoopKind::vectorized && loop.is_rvar == over_rvars;
            });
        };
        if (is_vectorized(true) && is_vectorized(false)) {
            add("vectorized-both");
            operands(tensor, number);
        }
        if (!tensor.is_inlined()) { producers(tensor, number); }
    }

    void operands(const TensorState& tensor, std::size_t number) {
        const StageFacts& facts = tensor.facts->stages[number];
        const auto is_pure = [&](const std::string& name) {
            return std::ranges::find(facts.pure_variables, name) != facts.pure_variables.end();
        };
        const auto is_rvar = [&](const std::string& name) { return facts.rvar_is_pure.contains(name); };
        for (const TensorAccess& access : facts.accesses) {
            if (access.tensor == tensor.name()) { continue; }
            bool has_rvar = false, has_pure = false;
            for (const sare::Index& index : access.indices) {
                const Names free = sare::free_variables(index);
                const bool rvars = std::ranges::any_of(free, is_rvar), pure = std::ranges::any_of(free, is_pure);
                if (rvars && pure) { add("vectorized-both-affine"); }
                has_rvar = has_rvar || rvars;
                has_pure = has_pure || pure;
            }
            if (has_rvar && !has_pure) { add("vectorized-both-recurrence"); }
        }
    }

    void producers(const TensorState& tensor, std::size_t number) {
        std::map<std::string, std::vector<const TensorAccess*>> reads;
        for (const TensorAccess& access : tensor.facts->stages[number].accesses) {
            const TensorState* producer = state_.find(access.tensor);
            if (producer == nullptr || producer == &tensor || producer->is_inlined()) { continue; }
            reads[access.tensor].push_back(&access);
        }
        std::size_t with_neighbours = 0;
        bool has_reversed = false;
        for (const auto& [name, accesses] : reads) {
            bool found = false;
            for (std::size_t i = 0; i < accesses.size(); ++i) {
                for (std::size_t j = 0; j < i; ++j) {
                    const auto reversed = neighbours(*accesses[i], *accesses[j]);
                    found = found || reversed.has_value();
                    has_reversed = has_reversed || reversed.value_or(false);
                }
            }
            with_neighbours += found ? 1U : 0U;
        }
        if (with_neighbours < 2) { return; }
        add("stored-neighbours");
        if (has_reversed) { add("stored-reversed"); }
    }

    // Whether the two are of different cells whose indices differ by constants: nullopt if they are not. Otherwise
    // whether an index with a variable has a negative factor.
    static std::optional<bool> neighbours(const TensorAccess& a, const TensorAccess& b) {
        bool differ = false, reversed = false, varies = false;
        for (std::size_t d = 0; d < a.indices.size(); ++d) {
            const auto one = linear_form(a.indices[d]), other = linear_form(b.indices[d]);
            if (!one || !other) {
                if (a.indices[d] != b.indices[d]) { return std::nullopt; }
                continue;
            }
            if (one->coefficients != other->coefficients) { return std::nullopt; }
            differ = differ || one->constant != other->constant;
            for (const auto& [name, factor] : one->coefficients) {
                varies = varies || factor != 0;
                reversed = reversed || factor < 0;
            }
        }
        return differ && varies ? std::optional(reversed) : std::nullopt;
    }

    static constexpr int most_usual = 7;

    const Schedule& schedule_;
    ScheduleState state_;
    std::map<std::pair<std::string, std::size_t>, int> directives_;  // on the loops of each stage
    Names names_;
};

}  // namespace

std::set<std::string> forms(const sare::Algorithm& algorithm, const Schedule& schedule, Vocabulary vocabulary) {
    return Forms(algorithm, schedule, vocabulary).find();
}

}  // namespace haruspex::schedule::halide
