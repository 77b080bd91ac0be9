#include <fmt/ranges.h>

#include <array>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/sare/text.h"
#include "generators/schedule/halide/spelling.h"
#include "generators/schedule/halide/text.h"

namespace haruspex::schedule::halide {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

std::string list(const std::vector<std::string>& parts) { return fmt::format("{}", fmt::join(parts, ", ")); }

void add_tail(std::vector<std::string>& arguments, Tail tail) {
    if (tail != Tail::automatic) { arguments.emplace_back(tail_name(tail)); }
}

template <typename Mark>
std::vector<std::string> mark_arguments(const Mark& mark) {
    std::vector<std::string> arguments{mark.var};
    if (mark.factor) {
        arguments.push_back(number(*mark.factor));
        add_tail(arguments, mark.tail);
    }
    return arguments;
}

std::vector<std::string> level_arguments(const LoopLevel& level) { return {print(level.stage), level.var}; }

std::vector<std::string> rfactor_arguments(const RFactor& action) {
    if (action.preserved.size() == 1) {
        return {action.preserved[0].first, action.preserved[0].second, action.intermediate};
    }
    std::vector<std::string> pairs;
    for (const auto& [rvar, var] : action.preserved) { pairs.push_back("{" + rvar + ", " + var + "}"); }
    return {"{" + list(pairs) + "}", action.intermediate};
}

std::vector<std::string> arguments_of(const Action& action) {
    using Arguments = std::vector<std::string>;
    return std::visit(
        Overload{
            [](const Split& a) {
                Arguments arguments{a.old_var, a.outer, a.inner, number(a.factor)};
                add_tail(arguments, a.tail);
                return arguments;
            },
            [](const Tile& a) {
                Arguments arguments{a.x,       a.y,       a.x_outer,          a.y_outer,
                                    a.x_inner, a.y_inner, number(a.x_factor), number(a.y_factor)};
                add_tail(arguments, a.tail);
                return arguments;
            },
            [](const Fuse& a) { return Arguments{a.inner, a.outer, a.fused}; },
            [](const Reorder& a) { return a.vars; },
            [](const Vectorize& a) { return mark_arguments(a); },
            [](const Unroll& a) { return mark_arguments(a); },
            [](const Parallel& a) { return mark_arguments(a); },
            [](const Serial& a) { return Arguments{a.var}; },
            [](const Partition& a) { return Arguments{a.var, std::string(partitioning_name(a.policy))}; },
            [](const NeverPartition& a) { return a.vars; },
            [](const AlwaysPartition& a) { return a.vars; },
            [](const NeverPartitionAll&) { return Arguments{}; },
            [](const AlwaysPartitionAll&) { return Arguments{}; },
            [](const Prefetch& a) {
                Arguments arguments{a.tensor, a.at, a.from};
                const bool has_bound = a.bound != FetchBound::guard_with_if;
                if (a.offset != 1 || has_bound) { arguments.push_back(number(a.offset)); }
                if (has_bound) { arguments.emplace_back(fetch_bound_name(a.bound)); }
                return arguments;
            },
            [](const ComputeRoot&) { return Arguments{}; },
            [](const ComputeInline&) { return Arguments{}; },
            [](const ComputeAt& a) { return level_arguments(a.level); },
            [](const StoreRoot&) { return Arguments{}; },
            [](const StoreAt& a) { return level_arguments(a.level); },
            [](const HoistStorage& a) { return level_arguments(a.level); },
            [](const HoistStorageRoot&) { return Arguments{}; },
            [](const Bound& a) { return Arguments{a.var, sare::print(a.min), sare::print(a.extent)}; },
            [](const BoundExtent& a) { return Arguments{a.var, sare::print(a.extent)}; },
            [](const AlignBounds& a) {
                Arguments arguments{a.var, number(a.modulus)};
                if (a.remainder != 0) { arguments.push_back(number(a.remainder)); }
                return arguments;
            },
            [](const ReorderStorage& a) { return a.vars; },
            [](const FoldStorage& a) {
                Arguments arguments{a.var, number(a.factor)};
                if (!a.forward) { arguments.emplace_back("false"); }
                return arguments;
            },
            [](const AlignStorage& a) { return Arguments{a.var, number(a.alignment)}; },
            [](const RingBuffer& a) { return Arguments{number(a.extent)}; },
            [](const Specialize& a) { return Arguments{sare::print(a.condition)}; },
            [](const Atomic& a) { return a.override_associativity_test ? Arguments{"true"} : Arguments{}; },
            [](const RFactor& a) { return rfactor_arguments(a); },
            [](const ComputeWith& a) {
                Arguments arguments = level_arguments(a.level);
                if (a.align != Align::automatic) { arguments.emplace_back(align_name(a.align)); }
                return arguments;
            },
            [](const Async&) { return Arguments{}; },
        },
        action);
}

}  // namespace

std::string_view action_name(const Action& action) {
    ENSURE(action.index() < action_names.size(), "every action has a name");
    return action_names[action.index()];
}

std::string_view tail_name(Tail tail) {
    ENSURE(static_cast<std::size_t>(tail) < tail_names.size(), "every tail strategy has a name");
    return tail_names[static_cast<std::size_t>(tail)];
}

std::string_view align_name(Align align) {
    ENSURE(static_cast<std::size_t>(align) < align_names.size(), "every alignment has a name");
    return align_names[static_cast<std::size_t>(align)];
}

std::string_view partitioning_name(Partitioning policy) {
    ENSURE(static_cast<std::size_t>(policy) < partitioning_names.size(), "every policy of partitioning has a name");
    return partitioning_names[static_cast<std::size_t>(policy)];
}

std::string_view fetch_bound_name(FetchBound bound) {
    ENSURE(static_cast<std::size_t>(bound) < fetch_bound_names.size(), "every bound of a prefetch has a name");
    return fetch_bound_names[static_cast<std::size_t>(bound)];
}

std::string print(const StageRef& stage) {
    std::string text = stage.tensor;
    if (stage.update) { text += fmt::format(".update({})", *stage.update); }
    if (stage.specialization) { text += fmt::format(".specialize[{}]", *stage.specialization); }
    return text;
}

std::string print(const Directive& directive) {
    return fmt::format("{}.{}({})", print(directive.stage), action_name(directive.action),
                       list(arguments_of(directive.action)));
}

std::string print(const Schedule& schedule) {
    std::string text;
    for (const Directive& directive : schedule.directives) { text += print(directive) + "\n"; }
    return text;
}

std::string kind_of(const Directive& directive) { return std::string(action_name(directive.action)); }

}  // namespace haruspex::schedule::halide
