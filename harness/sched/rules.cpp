#include "harness/sched/rules.h"

#include <algorithm>

#include "generators/base/overload.h"
#include "generators/sare/typing.h"
#include "harness/sched/names.h"
#include "harness/sched/precedence.h"

namespace haruspex::sched {

namespace {

std::unexpected<std::string> wrong(std::string why) { return std::unexpected(std::move(why)); }
std::string text(std::string_view s) { return std::string(s); }

const Types boolean = Types::of(value::Type::boolean);

Typed only_if(const Sound& sound, Types types) { return sound ? Typed(types) : wrong(sound.error()); }

Typed operands(std::string_view op, std::string_view expected, Types a, Types b) {
    return wrong("operator " + text(op) + ": expected " + text(expected) + ", found " + describe(a) + " and " +
                 describe(b));
}

bool is_constant(const Expr& expr) { return std::holds_alternative<Integer>(expr.node); }
bool is_positive_constant(const Expr& expr) { return is_constant(expr) && std::get<Integer>(expr.node).value > 0; }

std::string unknown(const std::string& name) { return "unknown name " + name + ": expected a name in scope"; }

// Applies the rule of an expression's kind to the types of its parts.
struct Conclusion {
    std::span<const Types> premises;
    const Environment& environment;
    Setting setting;

    Types premise(std::size_t i) const { return premises[i]; }
    bool affine() const { return setting.rules == Rules::affine; }

    // T-INT
    Typed operator()(const Integer&) const { return Types::index(); }

    // T-BOOL
    Typed operator()(const Truth&) const { return Types::condition(); }

    // T-VAR
    Typed operator()(const Variable& n) const {
        const auto binding = environment.find(n.name);
        if (!binding) { return wrong(unknown(n.name)); }
        if (const auto* kinds = std::get_if<Types>(&*binding)) { return *kinds; }
        if (std::holds_alternative<ArrayBinding>(*binding)) {
            return wrong(n.name + " is an array: expected its indices in brackets");
        }
        if (std::holds_alternative<SemaphoreBinding>(*binding)) {
            return wrong(n.name + " is a semaphore: expected a variable");
        }
        return wrong(n.name + " is a value-let: expected a variable");
    }

    // T-VAR, for a value that may come from memory
    Typed operator()(const ValueVariable& n) const {
        const auto binding = environment.find(n.name);
        if (!binding) { return wrong(unknown(n.name)); }
        const auto* shape = std::get_if<Scope::ValueShape>(&*binding);
        if (shape == nullptr) { return wrong(n.name + " is no value-let: expected one"); }
        if (shape->has_lanes && !n.lane) { return wrong(n.name + " has lanes: expected a lane in brackets"); }
        if (!shape->has_lanes && n.lane) { return wrong(n.name + " has no lanes: expected no brackets"); }
        return only_if(n.lane ? want_index(premise(0)) : Sound(), Types::of(shape->type));
    }

    // T-ADD, T-MUL, T-DIV, T-MOD; minimum and maximum are piecewise affine
    Typed operator()(const IndexBinary& n) const {
        if (!premise(0).has(Types::index()) || !premise(1).has(Types::index())) {
            return operands(spelling(n.op), "two indices, or two values of one type", premise(0), premise(1));
        }
        if (affine() && n.op == IndexOp::mul && !is_constant(*n.a) && !is_constant(*n.b)) {
            return wrong("expected an integer as one factor: a product of two indices is not affine");
        }
        if (affine() && (n.op == IndexOp::div || n.op == IndexOp::mod) && !is_positive_constant(*n.b)) {
            return wrong("expected a positive integer as the divisor: others are not affine");
        }
        return Types::index();
    }

    // T-CMP; conditions can be tested for equality
    Typed operator()(const Comparison& n) const {
        const bool sameness = n.relation == Relation::eq || n.relation == Relation::ne;
        const Types comparable = sameness ? Types::index() | Types::condition() : Types::index();
        if (premise(0).has(premise(1) & comparable)) { return Types::condition(); }
        return operands(spelling(n.relation), sameness ? "two indices or two conditions" : "two indices", premise(0),
                        premise(1));
    }

    // T-AND
    Typed both(std::string_view op) const {
        if (premise(0).has(Types::condition()) && premise(1).has(Types::condition())) { return Types::condition(); }
        return operands(op, "two conditions", premise(0), premise(1));
    }
    Typed operator()(const And&) const { return both("and"); }
    Typed operator()(const Or&) const { return both("or"); }

    // T-NOT
    Typed operator()(const Not&) const {
        if (premise(0).has(Types::condition())) { return Types::condition(); }
        return wrong("operator not: expected a condition, found " + describe(premise(0)));
    }

    Typed operator()(const Denoted&) const {
        if (affine()) { return wrong("expected an affine expression, found the integer that a value stands for"); }
        const Types integers =
            premise(0).map_values([](value::Type t) { return value::is_integer(t) ? std::optional(t) : std::nullopt; });
        if (premise(0).has(boolean)) {
            return integers.empty() ? Types::condition() : Types::index() | Types::condition();
        }
        if (!integers.empty()) { return Types::index(); }
        return wrong("int: expected an integer or a bool, found " + describe(premise(0)));
    }

    // T-CALL: constants are functions without arguments, and conversions from 𝔸 and 𝔹 are functions
    Typed operator()(const Literal& n) const {
        // A NaN's payload has no spelling, so only one NaN is a literal. A bool is a guard of a truth.
        if (n.value.is_defined() && n.value.type() != value::Type::boolean &&
            value::parse_literal(value::to_string(n.value)) == n.value) {
            return Types::of(n.value.type());
        }
        return wrong("expected a literal of a defined number, found " + value::to_string(n.value));
    }
    Typed operator()(const Embed& n) const {
        if (const auto type = sare::type_embed(n.type); !type) { return wrong(type.error()); }
        return only_if(want_index(premise(0)), Types::of(n.type));
    }
    Typed operator()(const Guard&) const {
        if (premise(0).has(Types::condition())) { return boolean; }
        return wrong("expected a condition in brackets, found " + describe(premise(0)));
    }
    Typed operator()(const Unary& n) const {
        const Types result = premise(0).map_values([&](value::Type t) { return value::result_type(n.op, t); });
        if (!result.empty()) { return result; }
        const auto found = premise(0).single();
        if (found && found->kind == Kind::value) { return wrong(sare::type_unary(n.op, found->type).error()); }
        return wrong("operator " + text(value::spelling(n.op)) + ": expected a value, found " + describe(premise(0)));
    }
    Typed operator()(const Binary& n) const {
        const Types result =
            (premise(0) & premise(1)).map_values([&](value::Type t) { return value::result_type(n.op, t, t); });
        if (!result.empty()) { return result; }
        const auto a = premise(0).single();
        const auto b = premise(1).single();
        if (a && b && a->kind == Kind::value && b->kind == Kind::value) {
            return wrong(sare::type_binary(n.op, a->type, b->type).error());
        }
        if (n.op == value::BinaryOp::eq && !premise(0).has_value() && !premise(1).has_value()) {
            return wrong("operator ==: expected '=', with which indices and conditions are compared");
        }
        return operands(value::spelling(n.op),
                        index_operator(n.op) || relation_operator(n.op) ? "two indices, or two values of one type"
                                                                        : "two values of one type",
                        premise(0), premise(1));
    }
    Typed operator()(const Cast& n) const {
        if (premise(0).has_value()) { return Types::of(n.type); }
        return wrong("a cast to " + text(value::name(n.type)) + ": expected a value, found " + describe(premise(0)));
    }
    Typed operator()(const LaneReduce& n) const {
        if (const Sound lanes = check_lanes(n.lanes); !lanes) { return wrong(lanes.error()); }
        const auto over = [&](value::Type t) {
            const auto type = sare::type_reduce(n.op, t);
            return type ? std::optional(*type) : std::nullopt;
        };
        const Types result = premise(0).map_values(over);
        if (!result.empty()) { return result; }
        return wrong("reduction " + text(value::spelling(n.op)) +
                     ": expected a body of a type that has this operator, found " + describe(premise(0)));
    }

    // T-ARRAY
    Typed operator()(const Load& n) const {
        const auto binding = find_array(n.array, environment);
        if (!binding) { return wrong(binding.error()); }
        if (setting.context == Context::prophecy) {
            return wrong("a prophecy reads no memory: expected a tensor of the SARE, found array " + n.array);
        }
        if (setting.context == Context::pure) {
            return wrong("expected an expression that reads no memory, found a read of " + n.array);
        }
        if (Sound count = check_index_count(n.array, binding->shape, n.indices.size()); !count) {
            return wrong(count.error());
        }
        for (const Types index : premises.first(n.indices.size())) {
            if (Sound sound = want_index(index); !sound) { return wrong(sound.error()); }
        }
        return only_if(n.guard ? want_condition(premises.back(), setting) : Sound(), Types::of(binding->shape.type));
    }

    // T-TENSOR
    Typed operator()(const TensorAccess& n) const {
        if (setting.context != Context::prophecy) {
            return wrong("a tensor can be read in prophecies only: expected an array and its indices in brackets");
        }
        if (!is_tensor_name(n.tensor)) { return wrong("expected the name of a tensor, found '" + n.tensor + "'"); }
        if (n.component < 0) { return wrong("expected a component from 0 on, found " + std::to_string(n.component)); }
        for (const Types index : premises) {
            if (Sound sound = want_index(index); !sound) { return wrong(sound.error()); }
        }
        return Types::any_value();
    }

    // T-SELECT
    Typed operator()(const Select&) const {
        if (Sound sound = want_condition(premise(0), setting); !sound) { return wrong("select: " + sound.error()); }
        const Types alternatives = premise(1) & premise(2);
        if (!alternatives.empty()) { return alternatives; }
        return wrong("select: expected two alternatives of one type, found " + describe(premise(1)) + " and " +
                     describe(premise(2)));
    }

    // T-LET
    Typed operator()(const LetIn&) const { return only_if(want_index_or_condition(premise(0)), premise(1)); }
    Typed operator()(const LetValueIn& n) const {
        if (const Sound lanes = n.lanes ? check_lanes(*n.lanes) : Sound(); !lanes) { return wrong(lanes.error()); }
        return only_if(want_value(premise(0), n.type), premise(1));
    }
};

}  // namespace

Setting inside_let(Setting setting) {
    return {setting.rules, setting.context == Context::code ? Context::pure : setting.context};
}

Typed conclude(const Expr& expr, std::span<const Types> premises, const Environment& environment, Setting setting) {
    return std::visit(Conclusion{premises, environment, setting}, expr.node);
}

Sound want_index(Types found) {
    if (found.has(Types::index())) { return {}; }
    return wrong("expected an index, found " + describe(found));
}

Sound want_condition(Types found, Setting setting) {
    const bool extended = setting.rules == Rules::extended;
    if (found.has(extended ? Types::condition() | boolean : Types::condition())) { return {}; }
    return wrong(text(extended ? "expected a condition or a bool, found " : "expected a condition, found ") +
                 describe(found));
}

Sound want_index_or_condition(Types found) {
    if (found.has(Types::index() | Types::condition())) { return {}; }
    return wrong("expected an index or a condition, found " + describe(found));
}

Sound want_value(Types found, value::Type type) {
    if (found.has(Types::of(type))) { return {}; }
    return wrong("expected " + text(value::name(type)) + ", found " + describe(found));
}

Sound check_lanes(const Lanes& lanes) {
    if (lanes.count >= 1) { return {}; }
    return wrong("expected at least one lane, found " + std::to_string(lanes.count));
}

std::expected<Scope::ArrayShape, std::string> shape_of(value::Type type, const std::vector<Dimension>& dimensions) {
    const auto strides = static_cast<std::size_t>(std::count_if(
        dimensions.begin(), dimensions.end(), [](const Dimension& dimension) { return dimension.stride.has_value(); }));
    if (strides == 0) { return Scope::ArrayShape{type, dimensions.size()}; }
    if (strides == dimensions.size()) { return Scope::ArrayShape{type, 1}; }
    return wrong("expected a stride of each dimension, or of none");
}

std::expected<ArrayBinding, std::string> find_array(const std::string& name, const Environment& environment) {
    const auto binding = environment.find(name);
    if (!binding) { return wrong(unknown(name)); }
    if (const auto* array = std::get_if<ArrayBinding>(&*binding)) { return *array; }
    return wrong(name + " is no array: expected one");
}

Sound find_semaphore(const std::string& name, const Environment& environment) {
    const auto binding = environment.find(name);
    if (!binding) { return wrong(unknown(name)); }
    if (std::holds_alternative<SemaphoreBinding>(*binding)) { return {}; }
    return wrong(name + " is no semaphore: expected one");
}

Sound check_index_count(const std::string& array, Scope::ArrayShape shape, std::size_t count) {
    if (shape.index_count == count) { return {}; }
    return wrong("array " + array + ": expected " + std::to_string(shape.index_count) +
                 (shape.index_count == 1 ? " index" : " indices") + ", found " + std::to_string(count));
}

Sound check_written(const std::string& array, const ArrayBinding& binding) {
    if (binding.memory != Memory::input) { return {}; }
    return wrong(array + " is an input: expected an array that may be written");
}

Sound check_freed(const std::string& array, const ArrayBinding& binding) {
    if (binding.memory == Memory::allocated) { return {}; }
    return wrong(array + " is not allocated by the program: expected an array that is");
}

Sound check_accumulation(value::ReductionOp op, value::Type type) {
    if (sare::type_reduce(op, type)) { return {}; }
    return wrong("operator " + text(accumulating(op)) + ": expected an array of a type that has it, found " +
                 text(value::name(type)));
}

Sound check_array(const Array& array) {
    if (!is_tensor_name(array.tensor)) {
        return wrong("expected the name of the tensor that " + array.name + " holds, found '" + array.tensor + "'");
    }
    if (array.component < 0) {
        return wrong("expected a component from 0 on, found " + std::to_string(array.component));
    }
    return {};
}

}  // namespace haruspex::sched
