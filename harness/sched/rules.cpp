#include "harness/sched/rules.h"

#include <fmt/core.h>

#include <algorithm>

#include "generators/base/overload.h"
#include "generators/sare/typing.h"
#include "harness/sched/names.h"
#include "harness/sched/precedence.h"

namespace haruspex::sched {

namespace {

std::unexpected<std::string> wrong(std::string why) { return std::unexpected(std::move(why)); }

const Types boolean = Types::of(value::Type::boolean);

Typed only_if(const Sound& sound, Types types) { return sound ? Typed(types) : wrong(sound.error()); }

Typed operands(std::string_view op, std::string_view expected, Types a, Types b) {
    return wrong(fmt::format("operator {}: expected {}, found {} and {}", op, expected, describe(a), describe(b)));
}

bool is_constant(const Expr& expr) { return std::holds_alternative<Integer>(expr.node); }
bool is_positive_constant(const Expr& expr) { return is_constant(expr) && std::get<Integer>(expr.node).value > 0; }

std::string unknown(const std::string& name) {
    return fmt::format("unknown name \"{}\"; expected a name in scope", name);
}

std::string is_not(const std::string& name, std::string_view kind) {
    return fmt::format("\"{}\" is not {}; expected one", name, kind);
}

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
            return wrong(fmt::format("\"{}\" is an array; expected indices in brackets after it", n.name));
        }
        if (std::holds_alternative<SemaphoreBinding>(*binding)) {
            return wrong(fmt::format("\"{}\" is a semaphore; expected a variable", n.name));
        }
        return wrong(fmt::format("\"{}\" is a value-let; expected a variable", n.name));
    }

    // T-VAR, for a value that may come from memory
    Typed operator()(const ValueVariable& n) const {
        const auto binding = environment.find(n.name);
        if (!binding) { return wrong(unknown(n.name)); }
        const auto* shape = std::get_if<Scope::ValueShape>(&*binding);
        if (shape == nullptr) { return wrong(is_not(n.name, "a value-let")); }
        if (shape->has_lanes && !n.lane) {
            return wrong(fmt::format("\"{}\" has lanes; expected a lane in brackets", n.name));
        }
        if (!shape->has_lanes && n.lane) {
            return wrong(fmt::format("\"{}\" has no lanes; expected no brackets", n.name));
        }
        return only_if(n.lane ? want_index(premise(0)) : Sound(), Types::of(shape->type));
    }

    // T-ADD, T-MUL, T-DIV, T-MOD; minimum and maximum are piecewise affine
    Typed operator()(const IndexBinary& n) const {
        if (!premise(0).has(Types::index()) || !premise(1).has(Types::index())) {
            return operands(spelling(n.op), "two indices, or two values of the same type", premise(0), premise(1));
        }
        if (affine() && n.op == IndexOp::mul && !is_constant(*n.a) && !is_constant(*n.b)) {
            return wrong("a product of two indices is not affine; expected an integer as one factor");
        }
        if (affine() && (n.op == IndexOp::div || n.op == IndexOp::mod) && !is_positive_constant(*n.b)) {
            return wrong("other divisors are not affine; expected a positive integer");
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
        return wrong(fmt::format("operator not: expected a condition, found {}", describe(premise(0))));
    }

    Typed operator()(const IntegerOf&) const {
        if (affine()) { return wrong("expected an affine expression, found the integer of a value"); }
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
        return wrong(
            fmt::format("operator {}: expected a value, found {}", value::spelling(n.op), describe(premise(0))));
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
            return wrong("operator ==: expected \"=\", which compares indices and conditions");
        }
        return operands(value::spelling(n.op),
                        index_operator(n.op) || relation_operator(n.op) ? "two indices, or two values of the same type"
                                                                        : "two values of the same type",
                        premise(0), premise(1));
    }
    Typed operator()(const Cast& n) const {
        if (premise(0).has_value()) { return Types::of(n.type); }
        return wrong(
            fmt::format("a cast to {}: expected a value, found {}", value::name(n.type), describe(premise(0))));
    }
    Typed operator()(const LaneReduce& n) const {
        if (const Sound lanes = check_lanes(n.lanes); !lanes) { return wrong(lanes.error()); }
        const auto over = [&](value::Type t) {
            const auto type = sare::type_reduce(n.op, t);
            return type ? std::optional(*type) : std::nullopt;
        };
        const Types result = premise(0).map_values(over);
        if (!result.empty()) { return result; }
        return wrong(fmt::format("reduction {}: expected a body of a type that supports the operator, found {}",
                                 value::spelling(n.op), describe(premise(0))));
    }

    // T-ARRAY
    Typed operator()(const Load& n) const {
        const auto binding = find_array(n.array, environment);
        if (!binding) { return wrong(binding.error()); }
        if (setting.context == Context::prophecy) {
            return wrong(fmt::format("a prophecy cannot read memory; expected a tensor of the SARE, found array \"{}\"",
                                     n.array));
        }
        if (setting.context == Context::pure) {
            return wrong(
                fmt::format("expected an expression that does not read memory, found a read of \"{}\"", n.array));
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
            return wrong("only a prophecy can read a tensor; expected an array and its indices in brackets");
        }
        if (!is_tensor_name(n.tensor)) {
            return wrong(fmt::format("expected the name of a tensor, found \"{}\"", n.tensor));
        }
        if (n.component < 0) { return wrong(fmt::format("expected a component of at least 0, found {}", n.component)); }
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
        return wrong(fmt::format("select: expected two alternatives of the same type, found {} and {}",
                                 describe(premise(1)), describe(premise(2))));
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
    return wrong(
        fmt::format("expected {}, found {}", extended ? "a condition or a bool" : "a condition", describe(found)));
}

Sound want_index_or_condition(Types found) {
    if (found.has(Types::index() | Types::condition())) { return {}; }
    return wrong("expected an index or a condition, found " + describe(found));
}

Sound want_value(Types found, value::Type type) {
    if (found.has(Types::of(type))) { return {}; }
    return wrong(fmt::format("expected {}, found {}", value::name(type), describe(found)));
}

Sound check_lanes(const Lanes& lanes) {
    if (lanes.count >= 1) { return {}; }
    return wrong(fmt::format("expected at least one lane, found {}", lanes.count));
}

std::expected<Scope::ArrayShape, std::string> shape_of(value::Type type, const std::vector<Dimension>& dimensions) {
    const auto strides = static_cast<std::size_t>(std::count_if(
        dimensions.begin(), dimensions.end(), [](const Dimension& dimension) { return dimension.stride.has_value(); }));
    if (strides == 0) { return Scope::ArrayShape{type, dimensions.size()}; }
    if (strides == dimensions.size()) { return Scope::ArrayShape{type, 1}; }
    return wrong("expected a stride for every dimension or for none");
}

std::expected<ArrayBinding, std::string> find_array(const std::string& name, const Environment& environment) {
    const auto binding = environment.find(name);
    if (!binding) { return wrong(unknown(name)); }
    if (const auto* array = std::get_if<ArrayBinding>(&*binding)) { return *array; }
    return wrong(is_not(name, "an array"));
}

Sound find_semaphore(const std::string& name, const Environment& environment) {
    const auto binding = environment.find(name);
    if (!binding) { return wrong(unknown(name)); }
    if (std::holds_alternative<SemaphoreBinding>(*binding)) { return {}; }
    return wrong(is_not(name, "a semaphore"));
}

Sound check_index_count(const std::string& array, Scope::ArrayShape shape, std::size_t count) {
    if (shape.index_count == count) { return {}; }
    return wrong(fmt::format("array \"{}\": expected {} {}, found {}", array, shape.index_count,
                             shape.index_count == 1 ? "index" : "indices", count));
}

Sound check_written(const std::string& array, const ArrayBinding& binding) {
    if (binding.memory != Memory::input) { return {}; }
    return wrong(fmt::format("\"{}\" is an input; expected an array that may be written", array));
}

Sound check_freed(const std::string& array, const ArrayBinding& binding) {
    if (binding.memory == Memory::allocated) { return {}; }
    return wrong(fmt::format("\"{}\" is not allocated by the program; expected an array that is", array));
}

Sound check_accumulation(value::ReductionOp op, value::Type type) {
    if (sare::type_reduce(op, type)) { return {}; }
    return wrong(fmt::format("operator {}: expected an array of a type that supports it, found {}", accumulating(op),
                             value::name(type)));
}

Sound check_array(const Array& array) {
    if (!is_tensor_name(array.tensor)) {
        return wrong(
            fmt::format("expected the name of the tensor that \"{}\" holds, found \"{}\"", array.name, array.tensor));
    }
    if (array.component < 0) {
        return wrong(fmt::format("expected a component of at least 0, found {}", array.component));
    }
    return {};
}

}  // namespace haruspex::sched
