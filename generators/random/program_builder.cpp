#include "generators/random/program_builder.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/random/exactness.h"
#include "generators/random/expressions.h"
#include "generators/random/operations.h"
#include "generators/sare/build.h"
#include "generators/sare/traverse.h"
#include "generators/value/range.h"

namespace haruspex::random {
namespace {

using sare::Expr;
using sare::Function;
using sare::Index;
using value::BinaryOp;
using value::Type;
using value::Value;

constexpr std::array variable_names{"x", "y", "z", "w"};
constexpr std::array extent_names{"W", "H", "D", "C"};

Expr access(const std::string& tensor, std::vector<Index> indices, int component) {
    return {sare::Access{tensor, std::move(indices), component}};
}

bool mentions(const Index& index, const std::string& name) {
    return sare::substitute(index, {{name, sare::constant(0)}}) != index;
}
bool mentions(const Expr& expr, const std::string& name) {
    return sare::substitute(expr, {{name, sare::constant(0)}}) != expr;
}

// Whether the update mentions its recurrence domain, if it has one; otherwise a compiler sees an update without one.
bool uses_its_domain(const sare::UpdateDefinition& update) {
    const auto used = [&](const sare::RecurrenceVariable& r) {
        return std::ranges::any_of(update.target, [&](const Index& i) { return mentions(i, r.name); }) ||
               std::ranges::any_of(update.values, [&](const Expr& e) { return mentions(e, r.name); });
    };
    return update.over.empty() || std::ranges::any_of(update.over, used);
}

class ProgramBuilder {
public:
    ProgramBuilder(Choices& choices, const Policy& policy, std::span<const Type> types)
        : choices_(choices), policy_(policy), types_(types) {}

    Program draw() {
        program_.algorithm.name = "program";
        program_.strict_float = choices_.boolean(policy_.strict_float_per_mille);
        const bool is_chain = choices_.boolean(policy_.long_chain_per_mille);
        if (is_chain) { policy_ = of_long_chains(policy_); }
        draw_inputs();
        const std::size_t count =
            is_chain ? static_cast<std::size_t>(choices_.integer(policy_.shortest_long_chain, policy_.longest_chain))
                     : 1 + choices_.weighted(policy_.tensors);
        for (std::size_t i = 0; i < count; ++i) { draw_function(i, i + 1 == count); }
        finish();
        return std::move(program_);
    }

private:
    sare::Algorithm& algorithm() { return program_.algorithm; }

    Type draw_type() { return value::all_types[choices_.weighted(policy_.types)]; }

    void draw_inputs() {
        const std::size_t count = 1 + choices_.weighted(policy_.inputs);
        for (std::size_t i = 0; i < count; ++i) {
            sare::Input input{"in" + std::to_string(i), draw_type(), static_cast<int>(choices_.weighted(policy_.rank))};
            cases::InputDomain domain;
            domain.range = draw_range(input.type);
            domain.special_values = value::is_float(input.type) && program_.strict_float &&
                                    choices_.boolean(policy_.special_values_per_mille);
            program_.inputs[input.name] = domain;
            algorithm().inputs.push_back(std::move(input));
        }
    }

    value::Range draw_range(Type type) {
        if (type == Type::boolean) { return value::full_range(type); }
        if (value::is_float(type)) {
            const std::int64_t reach = choices_.integer(1, 32, 8);
            return {type, -reach, reach, static_cast<int>(choices_.integer(0, 3, 0))};
        }
        if (choices_.boolean(policy_.input_near_end_per_mille)) {
            const value::Range all = value::full_range(type);
            const bool is_low = value::is_signed_integer(type) && choices_.boolean(policy_.low_end_per_mille);
            const std::int64_t reach = choices_.integer(1, value::bits(type) == 8 ? 15 : 60, 10);
            return is_low ? value::Range{type, all.low, all.low + reach, 0}
                          : value::Range{type, all.high - reach, all.high, 0};
        }
        if (value::wraps(type) && choices_.boolean(policy_.full_range_per_mille)) { return value::full_range(type); }
        const std::int64_t reach = choices_.integer(1, 60, 10);
        return {type, value::is_unsigned_integer(type) ? 0 : -reach, reach, 0};
    }

    // Restricts the extent's parameter, if it has one, to `least` or more, so that no recurrence domain has a negative
    // extent.
    void require_at_least(const Index& extent, std::int64_t least) {
        const auto* v = std::get_if<sare::IndexVariable>(&extent.node);
        if (v == nullptr) { return; }
        Interval& values = program_.parameters.at(v->name);
        if (values.low >= least) { return; }
        values.low = least;
        values.high = std::max(values.high, least);
        algorithm().assumptions =
            algorithm().assumptions && sare::compare(sare::Relation::ge, extent, sare::constant(least));
    }

    // A parameter with its possible values; a known name keeps its values.
    Index parameter(const std::string& name, Interval values) {
        if (!program_.parameters.contains(name)) {
            program_.parameters[name] = values;
            algorithm().parameters.push_back(name);
            algorithm().assumptions = algorithm().assumptions && sare::compare(sare::Relation::ge, sare::variable(name),
                                                                               sare::constant(values.low));
        }
        return sare::variable(name);
    }

    std::int64_t cap(std::size_t rank) const {
        constexpr std::array<std::int64_t, 5> most{1, 96, 40, 14, 7};
        return std::min<std::int64_t>(most[rank], rank == 1 ? 96 : policy_.largest_extent);
    }

    sare::Span output_span(std::size_t d, std::size_t rank) {
        sare::Span span{sare::constant(0), sare::constant(1)};
        if (choices_.boolean(policy_.nonzero_min_per_mille)) { span.min = sare::constant(choices_.integer(-5, 11, 0)); }
        if (choices_.boolean(policy_.constant_extent_per_mille)) {
            constexpr std::array<std::int64_t, 8> extents{1, 4, 8, 16, 32, 7, 17, 24};
            span.extent = sare::constant(std::min(choices_.one_of(extents), cap(rank)));
        } else {
            span.extent = parameter(extent_names[d], {1, cap(rank)});
        }
        return span;
    }

    // The range of a recurrence in a dimension of a function that is not an output.
    sare::Span recurrence_span() {
        sare::Span span{sare::constant(choices_.integer(-1, 3, 0)), sare::constant(1)};
        span.extent = recurrence_extent();
        return span;
    }

    Index recurrence_extent() {
        if (choices_.boolean(policy_.parametric_recurrence_per_mille)) {
            const bool empty = choices_.boolean(policy_.empty_domain_per_mille);
            const bool is_second = choices_.boolean(policy_.second_recurrence_parameter_per_mille);
            return parameter(is_second ? "L" : "K", {empty ? 0 : 1, policy_.largest_recurrence});
        }
        return sare::constant(choices_.integer(1, policy_.largest_recurrence, 3));
    }

    // --- Functions ---

    std::vector<Source> draw_sources(bool last) {
        std::vector<Source> sources;
        std::set<std::string> chosen;
        const auto choose = [&](const Source& source) {
            if (chosen.insert(source.name).second) { sources.push_back(source); }
        };
        std::vector<Source> all;
        for (const sare::Input& input : algorithm().inputs) {
            all.push_back({input.name, {input.type}, static_cast<std::size_t>(input.rank)});
        }
        for (const Function& function : algorithm().functions) {
            if (!is_output(function.name) && !one_arm_.contains(function.name)) {
                all.push_back({function.name, function.types, function.variables.size()});
            }
        }
        // A chain by default: the newest unread function, then others.
        for (auto function = algorithm().functions.rbegin(); function != algorithm().functions.rend(); ++function) {
            if (!unread_.contains(function->name)) { continue; }
            if (last || choices_.boolean(policy_.chained_per_mille)) {
                choose({function->name, function->types, function->variables.size()});
            }
            if (!last) { break; }
        }
        choices_.sequence(sources.empty() ? 1 : 0, 2, policy_.another_source_per_mille,
                          [&](std::size_t) { choose(choices_.one_of(all)); });
        return sources;
    }

    bool is_output(const std::string& name) {
        return std::ranges::any_of(algorithm().outputs, [&](const sare::Output& o) { return o.tensor == name; });
    }

    std::vector<std::string> parameter_names() { return algorithm().parameters; }

    int expression_size() {
        const std::size_t drawn = choices_.weighted(policy_.expression_size);
        return static_cast<int>(drawn + 1) + (drawn == 5 ? 6 : 0);
    }

    void draw_function(std::size_t number, bool last) {
        Function function;
        function.name = "f" + std::to_string(number);
        auto ranks = policy_.rank;
        if (last) { ranks[0] /= 4; }
        const std::size_t rank = std::ranges::any_of(ranks, [](int w) { return w > 0; }) ? choices_.weighted(ranks) : 1;
        for (std::size_t d = 0; d < rank; ++d) { function.variables.emplace_back(variable_names[d]); }
        function.types.push_back(draw_type());
        if (choices_.boolean(policy_.tuple_per_mille)) {
            function.types.push_back(draw_type());
            if (choices_.boolean(policy_.third_component_per_mille)) { function.types.push_back(draw_type()); }
        }
        std::vector<sare::Span> spans;
        const bool output = last || choices_.boolean(policy_.extra_output_per_mille);
        for (std::size_t d = 0; d < rank; ++d) { spans.push_back(output ? output_span(d, rank) : recurrence_span()); }

        Surroundings around;
        around.types = types_;
        around.pure = function.variables;
        const std::optional<Source> one_arm = draw_one_arm();
        around.sources = draw_sources(last);
        around.parameters = parameter_names();
        around.strict_float = program_.strict_float;
        ExpressionBuilder builder(choices_, policy_, around);
        for (const Type type : function.types) {
            function.values.push_back(builder.numeric_or_bool(type, expression_size()));
        }
        if (choices_.boolean(policy_.neighbours_per_mille)) { read_neighbours(function, builder); }
        if (last) { read_what_is_unread(function, around, builder); }
        const std::size_t updates = choices_.weighted(policy_.updates);
        const bool is_arm_of_update = one_arm && updates > 0 && choices_.boolean(policy_.one_arm_of_update_per_mille);
        if (one_arm && !is_arm_of_update) { read_in_one_arm(function.values[0], *one_arm, function.types[0], builder); }
        for (std::size_t u = 0; u < updates; ++u) {
            draw_update(function, spans, around.sources, is_arm_of_update && u == 0 ? one_arm : std::nullopt);
        }

        mark_as_read(function);
        if (output) {
            // An output is not read: a reader may need more cells than its box has.
            algorithm().outputs.push_back({function.name, spans});
        } else {
            unread_.insert(function.name);
        }
        algorithm().functions.push_back(std::move(function));
    }

    // The newest unread function, if it is to be read in one arm of a select alone.
    std::optional<Source> draw_one_arm() {
        const auto& functions = algorithm().functions;
        const auto newest = std::ranges::find_if(functions.rbegin(), functions.rend(),
                                                 [&](const Function& f) { return unread_.contains(f.name); });
        if (newest == functions.rend() || !choices_.boolean(policy_.one_arm_per_mille)) { return std::nullopt; }
        unread_.erase(newest->name);
        one_arm_.insert(newest->name);
        return Source{newest->name, newest->types, newest->variables.size()};
    }

    static Expr as_type(Expr read, Type from, Type to) {
        return from == to ? std::move(read) : Expr{sare::Cast{to, std::move(read)}};
    }

    // value op select(the same in all iterations, a read of the source, a literal)
    void read_in_one_arm(Expr& value, const Source& source, Type type, ExpressionBuilder& builder) {
        Expr read = as_type(builder.read(source), source.types[0], type);
        Expr other = builder.literal(type);
        if (choices_.boolean(policy_.read_if_false_per_mille)) { std::swap(read, other); }
        Expr chosen{sare::Select{builder.invariant_condition(), std::move(read), std::move(other)}};
        value = binary(type == Type::boolean ? BinaryOp::ne : BinaryOp::add, std::move(value), std::move(chosen));
    }

    // Adds reads of two or three earlier functions, each at cells that differ by constants.
    void read_neighbours(Function& function, ExpressionBuilder& builder) {
        std::vector<Source> producers;
        for (const Function& f : algorithm().functions) {
            if (is_output(f.name) || f.variables.empty() || one_arm_.contains(f.name)) { continue; }
            producers.push_back({f.name, f.types, f.variables.size()});
        }
        if (producers.size() < 2 || function.variables.empty()) { return; }
        choices_.shuffle(producers);
        const std::size_t most = choices_.boolean(policy_.third_neighbour_per_mille) ? 3 : 2;
        producers.resize(std::min(producers.size(), most));
        const Type type = function.types[0];
        for (const Source& producer : producers) {
            std::vector<Index> base;
            for (std::size_t d = 0; d < producer.rank; ++d) {
                const std::string& variable = function.variables[std::min(d, function.variables.size() - 1)];
                const bool reversed = choices_.boolean(policy_.reversed_neighbours_per_mille);
                base.push_back(builder.index(reversed ? AccessKind::reversed : AccessKind::aligned, variable));
            }
            const auto along =
                static_cast<std::size_t>(choices_.integer(0, static_cast<std::int64_t>(producer.rank) - 1, 0));
            const std::int64_t reads = choices_.boolean(policy_.third_neighbour_per_mille) ? 3 : 2;
            const std::int64_t first = choices_.integer(-2, 1, 0);
            for (std::int64_t i = 0; i < reads; ++i) {
                std::vector<Index> indices = base;
                indices[along] = indices[along] + sare::constant(first + i);
                Expr read = as_type(access(producer.name, std::move(indices), 0), producer.types[0], type);
                constexpr std::array ops{BinaryOp::add, BinaryOp::sub, BinaryOp::max, BinaryOp::min};
                const BinaryOp op = type == Type::boolean ? BinaryOp::ne : choices_.one_of(ops);
                function.values[0] = binary(op, std::move(function.values[0]), std::move(read));
            }
        }
    }

    void mark_as_read(const Function& function) {
        const auto note = [&](const Expr& e) {
            sare::for_each_access(e, [&](const sare::Access& a, const auto&) { unread_.erase(a.tensor); });
        };
        for_each_value(function, note);
    }

    template <typename Visit>
    static void for_each_value(const Function& function, Visit&& visit) {
        for (const Expr& e : function.values) { visit(e); }
        for (const sare::UpdateDefinition& update : function.updates) {
            for (const Expr& e : update.values) { visit(e); }
        }
    }

    // Makes the last function read every function that is still unread.
    void read_what_is_unread(Function& function, const Surroundings& around, ExpressionBuilder& builder) {
        mark_as_read(function);
        for (const Source& source : around.sources) {
            if (!unread_.contains(source.name)) { continue; }
            std::vector<Index> indices;
            for (std::size_t d = 0; d < source.rank; ++d) {
                const auto kind = static_cast<AccessKind>(choices_.weighted(policy_.access));
                indices.push_back(
                    function.variables.empty()
                        ? builder.index(AccessKind::broadcast, "")
                        : builder.index(kind, function.variables[std::min(d, function.variables.size() - 1)]));
            }
            Expr read = access(source.name, std::move(indices), 0);
            if (source.types[0] != function.types[0]) { read = Expr{sare::Cast{function.types[0], std::move(read)}}; }
            const BinaryOp op = function.types[0] == Type::boolean ? BinaryOp::ne : BinaryOp::add;
            function.values[0] = binary(op, std::move(function.values[0]), std::move(read));
        }
    }

    // --- Updates ---

    struct Draft {
        sare::UpdateDefinition update;
        std::vector<std::vector<Index>> self_indices;
        std::set<std::size_t> impure;  // positions whose target is not the function's own variable
        bool accumulates = false;
    };

    std::string fresh_recurrence_name(const sare::UpdateDefinition& update) { return update.over.empty() ? "k" : "l"; }

    void add_recurrence(sare::UpdateDefinition& update, const Index& min, const Index& extent) {
        update.over.push_back({fresh_recurrence_name(update), min, extent});
    }

    void draw_update(Function& function, const std::vector<sare::Span>& spans, const std::vector<Source>& sources,
                     const std::optional<Source>& one_arm) {
        const std::size_t rank = function.variables.size();
        auto forms = policy_.update;
        if (rank == 0) {
            for (const UpdateForm f :
                 {UpdateForm::scan, UpdateForm::in_place, UpdateForm::scatter, UpdateForm::boundary}) {
                forms[static_cast<std::size_t>(f)] = 0;
            }
        }
        const bool any = std::ranges::any_of(forms, [](int w) { return w > 0; });
        const auto form = any ? static_cast<UpdateForm>(choices_.weighted(forms)) : UpdateForm::accumulate;
        Draft draft = shape(form, function, spans);
        const bool recurs = !draft.update.over.empty();
        if (recurs && choices_.boolean(policy_.two_rvars_per_mille)) {
            const Index extent = recurrence_extent();
            add_recurrence(draft.update, sare::constant(choices_.integer(-1, 2, 0)), extent);
            if (choices_.boolean(policy_.swapped_rvars_per_mille)) {
                std::swap(draft.update.over[0], draft.update.over[1]);
            }
        }

        Surroundings around;
        around.types = types_;
        for (std::size_t d = 0; d < rank; ++d) {
            around.pure.push_back(draft.impure.contains(d) ? "" : function.variables[d]);
        }
        for (const auto& r : draft.update.over) { around.recurrence.push_back(r.name); }
        around.parameters = parameter_names();
        around.sources = sources;
        around.strict_float = program_.strict_float;
        around.self = Source{function.name, function.types, rank};
        around.self_indices = draft.self_indices;
        fill_values(function, draft, around, one_arm);
        if (recurs && choices_.boolean(policy_.predicate_per_mille)) {
            ExpressionBuilder builder(choices_, policy_, around);
            draft.update.where = builder.condition();
        }
        function.updates.push_back(std::move(draft.update));
    }

    Draft shape(UpdateForm form, const Function& function, const std::vector<sare::Span>& spans) {
        Draft draft;
        draft.update.target = sare::as_indices(function.variables);
        draft.self_indices = {draft.update.target};
        const std::size_t rank = function.variables.size();
        if (form == UpdateForm::accumulate || form == UpdateForm::pointwise) {
            if (form == UpdateForm::accumulate) {
                draft.accumulates = true;
                const Index extent = recurrence_extent();
                add_recurrence(draft.update, sare::constant(choices_.integer(-2, 3, 0)), extent);
            }
            return draft;
        }
        const auto p = static_cast<std::size_t>(choices_.integer(0, static_cast<std::int64_t>(rank) - 1, 0));
        const sare::Span& span = spans[p];
        draft.impure.insert(p);
        const auto at = [&](const Index& index) {
            std::vector<Index> indices = sare::as_indices(function.variables);
            indices[p] = index;
            return indices;
        };
        const Index last = span.min + span.extent - sare::constant(1);
        const Index k = sare::variable("k");
        switch (form) {
            case UpdateForm::scan: {
                const std::int64_t back = scan_distance(span.extent);
                require_at_least(span.extent, back);
                add_recurrence(draft.update, span.min + sare::constant(back), span.extent - sare::constant(back));
                if (choices_.boolean(policy_.mirrored_scan_per_mille)) {
                    // Against the direction of the dimension.
                    const Index mirrored = span.min + last - k;
                    draft.update.target = at(mirrored);
                    draft.self_indices = {at(mirrored + sare::constant(back)), at(mirrored)};
                } else {
                    draft.update.target = at(k);
                    draft.self_indices = {at(k - sare::constant(back)), at(k)};
                }
                break;
            }
            case UpdateForm::in_place:
                add_recurrence(draft.update, sare::constant(0), sare::floor_div(span.extent + sare::constant(1), 2));
                draft.update.target = at(span.min + 2 * k);
                draft.self_indices = {at(span.min + k), at(span.min + 2 * k)};
                break;
            case UpdateForm::scatter: {
                add_recurrence(draft.update, sare::constant(0), recurrence_extent());
                const bool wraps = choices_.boolean(policy_.wrapped_scatter_per_mille);
                const Index inside = sare::min(wraps ? sare::floor_mod(k, choices_.integer(2, 4, 2)) : k,
                                               span.extent - sare::constant(1));
                draft.update.target = at(span.min + inside);
                draft.self_indices = {draft.update.target};
                break;
            }
            case UpdateForm::boundary: {
                const Index where = choices_.boolean(policy_.last_boundary_per_mille) ? last : span.min;
                draft.update.target = at(where);
                draft.self_indices = {draft.update.target};
                break;
            }
            default: ENSURE(false, "the forms without an impure position are done");
        }
        return draft;
    }

    // How far back a scan reads: within the extent.
    std::int64_t scan_distance(const Index& extent) {
        const auto* constant = std::get_if<sare::IndexConstant>(&extent.node);
        const std::int64_t most = constant != nullptr ? std::min<std::int64_t>(2, constant->value) : 2;
        return choices_.integer(1, most, 1);
    }

    BinaryOp accumulate_op(Type type) {
        constexpr std::array ops{BinaryOp::add,     BinaryOp::mul,         BinaryOp::min,
                                 BinaryOp::max,     BinaryOp::logical_and, BinaryOp::logical_or,
                                 BinaryOp::bit_xor, BinaryOp::bit_and,     BinaryOp::bit_or};
        auto weights = policy_.accumulate_op;
        for (std::size_t i = 0; i < ops.size(); ++i) {
            if (!value::result_type(ops[i], type, type)) { weights[i] = 0; }
        }
        if (std::ranges::all_of(weights, [](int w) { return w == 0; })) {
            return type == Type::boolean ? BinaryOp::logical_or : BinaryOp::add;
        }
        return ops[choices_.weighted(weights)];
    }

    void fill_values(const Function& function, Draft& draft, const Surroundings& around,
                     const std::optional<Source>& one_arm) {
        const bool associative = draft.accumulates && choices_.boolean(policy_.pure_associative_per_mille);
        // Without the function itself in scope: the operand of f = f op e.
        Surroundings others = around;
        if (associative) { others.self.reset(); }
        ExpressionBuilder builder(choices_, policy_, others);
        for (std::size_t c = 0; c < function.types.size(); ++c) {
            const Type type = function.types[c];
            const auto component = static_cast<int>(c);
            Expr operand = builder.numeric_or_bool(type, expression_size() - 1);
            if (one_arm && c == 0) { read_in_one_arm(operand, *one_arm, type, builder); }
            Expr self = access(function.name, choices_.one_of(draft.self_indices), component);
            // Components recur through each other where their types allow it.
            if (!associative && function.types.size() > 1 && choices_.boolean(policy_.crossed_components_per_mille)) {
                const std::size_t other = (c + 1) % function.types.size();
                self = access(function.name, draft.self_indices.front(), static_cast<int>(other));
                if (function.types[other] != type) { self = Expr{sare::Cast{type, std::move(self)}}; }
            }
            if (associative || choices_.boolean(policy_.combines_old_value_per_mille)) {
                const BinaryOp op = accumulate_op(type);
                const bool flipped = associative && choices_.boolean(policy_.flipped_per_mille);
                draft.update.values.push_back(flipped ? binary(op, std::move(operand), std::move(self))
                                                      : binary(op, std::move(self), std::move(operand)));
            } else {
                draft.update.values.push_back(std::move(operand));
            }
        }
        if (!uses_its_domain(draft.update)) {
            // The first recurrence variable must have an effect.
            const Type type = function.types[0];
            Expr term{sare::Embed{type, sare::variable(draft.update.over[0].name)}};
            const BinaryOp op = type == Type::boolean ? BinaryOp::ne : BinaryOp::add;
            if (type == Type::boolean) {
                term = Expr{sare::Guard{
                    sare::compare(sare::Relation::gt, sare::variable(draft.update.over[0].name), sare::constant(1))}};
            }
            Expr& value = draft.update.values[0];
            auto* node = std::get_if<sare::Binary>(&value.node);
            if (associative && node != nullptr) {
                // Inside the operand, so that f = f op e keeps its form.
                const auto* a = std::get_if<sare::Access>(&node->a->node);
                Box<Expr>& operand = a != nullptr && a->tensor == function.name ? node->b : node->a;
                operand = binary(op, std::move(*operand), std::move(term));
            } else {
                value = binary(op, std::move(value), std::move(term));
            }
        }
        if (!associative && choices_.boolean(policy_.data_predicate_per_mille)) {
            // The old value stays where the condition does not hold.
            ExpressionBuilder conditions(choices_, policy_, others);
            const Expr condition = conditions.data_condition();
            for (std::size_t c = 0; c < draft.update.values.size(); ++c) {
                Expr old = access(function.name, draft.update.target, static_cast<int>(c));
                draft.update.values[c] = {sare::Select{condition, std::move(draft.update.values[c]), std::move(old)}};
            }
        }
    }

    void finish() {
        make_exact(algorithm(), {program_.inputs, program_.parameters, program_.strict_float});
        for (Function& function : algorithm().functions) {
            std::erase_if(function.updates, [](const sare::UpdateDefinition& u) { return !uses_its_domain(u); });
        }
        remove_what_nobody_reads();
        Function& last = algorithm().functions.back();
        if (value::is_float(last.types[0]) && !program_.strict_float &&
            choices_.boolean(policy_.not_compared_per_mille)) {
            Expr three{sare::Literal{Value::integer(last.types[0], 3)}};
            last.values[0] = binary(BinaryOp::div, std::move(last.values[0]), std::move(three));
            program_.compared = false;
        }
    }

    // Removes functions, inputs and parameters that repair and dropped updates have left unread: they would only be
    // noise.
    void remove_what_nobody_reads() {
        std::set<std::string> read;
        for (const sare::Output& output : algorithm().outputs) { read.insert(output.tensor); }
        auto& functions = algorithm().functions;
        for (auto function = functions.rbegin(); function != functions.rend(); ++function) {
            if (!read.contains(function->name)) { continue; }
            for_each_value(*function, [&](const Expr& e) {
                sare::for_each_access(e, [&](const sare::Access& a, const auto&) { read.insert(a.tensor); });
            });
        }
        std::erase_if(functions, [&](const Function& f) { return !read.contains(f.name); });
        std::erase_if(algorithm().inputs, [&](const sare::Input& i) { return !read.contains(i.name); });
        std::erase_if(program_.inputs, [&](const auto& i) { return !read.contains(i.first); });
    }

    Choices& choices_;
    Policy policy_;
    std::span<const Type> types_;
    Program program_;
    std::set<std::string> unread_;
    std::set<std::string> one_arm_;  // functions that are read in one arm of a select alone
};

}  // namespace

Program draw_program(Choices& choices, const Policy& policy, std::span<const Type> types) {
    return ProgramBuilder(choices, policy, types).draw();
}

}  // namespace haruspex::random
