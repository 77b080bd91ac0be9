#include "reports/minimize/halide/reducer.h"

#include <algorithm>
#include <variant>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/schedule/halide/directive.h"
#include "reports/minimize/halide/loops.h"
#include "reports/minimize/halide/passes.h"
#include "reports/minimize/numbers.h"

namespace haruspex::minimize::halide {
namespace {

using namespace schedule::halide;

// The directives, which must be Halide's, in place.
std::vector<Directive*> directives_of(schedule::Schedule& schedule) {
    std::vector<Directive*> found;
    for (schedule::Directive& directive : schedule.directives) {
        auto* own = directive.as<Directive>();
        ENSURE(own != nullptr, "a directive of Halide: " + directive.text());
        found.push_back(own);
    }
    return found;
}

struct Detail {
    std::int64_t words = 0, numbers = 0;
};

Detail with_tail(Detail detail, Tail tail) {
    // GuardWithIf is a plain condition, which every reader knows.
    detail.words += tail == Tail::automatic ? 0 : tail == Tail::guard_with_if ? 1 : 2;
    return detail;
}

// With a factor, the directive is a split and a mark of a loop: it counts more than any split.
template <typename Mark>
Detail mark(const Mark& a) {
    return with_tail({a.factor ? 8 : 2, a.factor ? magnitude(*a.factor) : 0}, a.tail);
}

Detail detail_of(const schedule::halide::Action& action) {
    const auto names = [](std::size_t count) { return static_cast<std::int64_t>(count); };
    return std::visit(
        Overload{[](const Split& a) { return with_tail({5, magnitude(a.factor)}, a.tail); },
                 [](const Tile& a) { return with_tail({10, magnitude(a.x_factor) + magnitude(a.y_factor)}, a.tail); },
                 [](const Fuse&) { return Detail{4, 0}; },
                 [&](const Reorder& a) { return Detail{1 + names(a.vars.size()), 0}; },
                 [](const Vectorize& a) { return mark(a); },
                 [](const Unroll& a) { return mark(a); },
                 [](const Parallel& a) { return mark(a); },
                 [](const Serial&) { return Detail{1, 0}; },
                 [](const Partition& a) { return Detail{a.policy == Partitioning::automatic ? 1 : 2, 0}; },
                 [&](const NeverPartition& a) { return Detail{2 + names(a.vars.size()), 0}; },
                 [&](const AlwaysPartition& a) { return Detail{2 + names(a.vars.size()), 0}; },
                 [](const NeverPartitionAll&) { return Detail{2, 0}; },
                 [](const AlwaysPartitionAll&) { return Detail{2, 0}; },
                 [](const Prefetch& a) {
                     const bool is_plain = a.bound == FetchBound::guard_with_if;
                     return Detail{3 + (a.from == a.at ? 0 : 1) + (is_plain ? 0 : 1), magnitude(a.offset)};
                 },
                 [](const ComputeRoot&) { return Detail{1, 0}; },
                 [](const ComputeInline&) { return Detail{1, 0}; },
                 [](const ComputeAt& a) { return Detail{a.level.stage.update ? 4 : 3, 0}; },
                 [](const StoreRoot&) { return Detail{1, 0}; },
                 [](const StoreAt& a) { return Detail{a.level.stage.update ? 4 : 3, 0}; },
                 [](const HoistStorage& a) { return Detail{a.level.stage.update ? 4 : 3, 0}; },
                 [](const HoistStorageRoot&) { return Detail{1, 0}; },
                 [](const Bound&) { return Detail{4, 0}; },
                 [](const BoundExtent&) { return Detail{3, 0}; },
                 [](const AlignBounds& a) { return Detail{3, magnitude(a.modulus) + magnitude(a.remainder)}; },
                 [&](const ReorderStorage& a) { return Detail{1 + names(a.vars.size()), 0}; },
                 [](const FoldStorage& a) { return Detail{a.forward ? 3 : 4, magnitude(a.factor)}; },
                 [](const AlignStorage& a) { return Detail{3, magnitude(a.alignment)}; },
                 [](const RingBuffer& a) { return Detail{2, magnitude(a.extent)}; },
                 [](const Specialize&) { return Detail{2, 0}; },
                 [](const Atomic& a) { return Detail{a.override_associativity_test ? 2 : 1, 0}; },
                 [&](const RFactor& a) { return Detail{2 + 2 * names(a.preserved.size()), 0}; },
                 [](const ComputeWith& a) { return Detail{a.align == Align::automatic ? 3 : 4, 0}; },
                 [](const Async&) { return Detail{2, 0}; }},
        action);
}

class HalideReducer final : public Reducer {
public:
    std::span<const Pass> passes() const override { return halide::passes(); }

    ScheduleSize size(const schedule::Schedule& schedule) const override {
        ScheduleSize size;
        for (const Directive& directive : typed(schedule).directives) {
            const Detail detail = detail_of(directive.action);
            size.tensors += std::holds_alternative<RFactor>(directive.action) ? 1 : 0;
            size.words += detail.words + (directive.stage.specialization ? 1 : 0);
            size.numbers += detail.numbers;
        }
        return size;
    }

    std::vector<sare::Index*> indices(schedule::Schedule& schedule) const override {
        std::vector<sare::Index*> found;
        for (Directive* directive : directives_of(schedule)) {
            if (auto* bound = std::get_if<Bound>(&directive->action)) {
                found.push_back(&bound->min);
                found.push_back(&bound->extent);
            }
            if (auto* bound = std::get_if<BoundExtent>(&directive->action)) { found.push_back(&bound->extent); }
        }
        return found;
    }
    std::vector<sare::Condition*> conditions(schedule::Schedule& schedule) const override {
        std::vector<sare::Condition*> found;
        for (Directive* directive : directives_of(schedule)) {
            if (auto* special = std::get_if<Specialize>(&directive->action)) { found.push_back(&special->condition); }
        }
        return found;
    }

    void place(schedule::Schedule& schedule, const std::string& tensor) const override {
        const auto own = typed(schedule).directives;
        const bool is_placed = std::ranges::any_of(own, [&](const Directive& directive) {
            const Action& action = directive.action;
            return directive.stage.tensor == tensor &&
                   (std::holds_alternative<ComputeRoot>(action) || std::holds_alternative<ComputeAt>(action) ||
                    std::holds_alternative<ComputeInline>(action));
        });
        if (!is_placed) { schedule.directives.emplace_back(Directive{{tensor, {}, {}}, ComputeRoot{}}); }
    }

    void forget_variable(schedule::Schedule& schedule, const std::string& tensor, std::optional<int> update,
                         const std::string& variable) const override {
        Schedule own = typed(schedule);
        forget_loop(own, tensor, update, variable);
        schedule = untyped(std::move(own));
    }

    void forget_updates(schedule::Schedule& schedule, const std::string& tensor, std::size_t first,
                        std::size_t count) const override {
        Schedule own = typed(schedule);
        const int low = static_cast<int>(first), high = static_cast<int>(first + count);
        const auto is_gone = [&](const StageRef& stage) {
            return stage.tensor == tensor && stage.update && *stage.update >= low && *stage.update < high;
        };
        const auto renumber = [&](StageRef& stage) {
            if (stage.tensor == tensor && stage.update && *stage.update >= high) {
                *stage.update -= static_cast<int>(count);
            }
        };
        std::erase_if(own.directives, [&](const Directive& directive) { return is_gone(directive.stage); });
        for (Directive& directive : own.directives) {
            renumber(directive.stage);
            if (auto* level = level_of(directive.action)) { renumber(level->stage); }
        }
        schedule = untyped(std::move(own));
    }

    void move_to_definition(schedule::Schedule& schedule, const std::string& tensor) const override {
        const auto move = [&](StageRef& stage) {
            if (stage.tensor == tensor && !stage.specialization) { stage.update.reset(); }
        };
        for (Directive* directive : directives_of(schedule)) {
            move(directive->stage);
            if (auto* level = level_of(directive->action)) { move(level->stage); }
        }
    }

    // In a pure definition the automatic tail would shift the last tile.
    void write_out_guards(schedule::Schedule& schedule, const std::string& tensor) const override {
        const auto write_out = [](auto& action) {
            if constexpr (requires { action.tail; }) {
                bool splits = true;
                if constexpr (requires { action.factor.has_value(); }) { splits = action.factor.has_value(); }
                if (splits && action.tail == Tail::automatic) { action.tail = Tail::guard_with_if; }
            }
        };
        for (Directive* directive : directives_of(schedule)) {
            if (directive->stage.tensor == tensor) { std::visit(write_out, directive->action); }
        }
    }
};

}  // namespace

const Reducer& reducer() {
    static const HalideReducer the_reducer;
    return the_reducer;
}

}  // namespace haruspex::minimize::halide
