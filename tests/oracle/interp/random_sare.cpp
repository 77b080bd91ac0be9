#include "tests/oracle/interp/random_sare.h"

#include <array>
#include <functional>

#include "generators/sare/build.h"

namespace haruspex::interp::test {
namespace {

using sare::Expr;
using sare::Index;
using value::Type;

struct Source {
    std::string name;
    std::vector<Type> types;
    // Draws the indices of an access.
    std::function<std::vector<Index>()> indices;
};

class ExprBuilder {
public:
    ExprBuilder(Choices& choices, std::vector<std::string> names, const std::vector<Source>& sources)
        : choices_(choices), names_(std::move(names)), sources_(sources) {}

    Expr build(Type type, int depth) {
        if (depth == 0 || choices_.boolean(150)) { return leaf(type); }
        switch (choices_.weighted({3, 2, 3, 2, 2, 1})) {
            case 0: return binary(type, depth);
            case 1: return unary(type, depth);
            case 2: return access(type, depth);
            case 3: return select(type, depth);
            case 4: return Expr{sare::Cast{type, build(any_type(), depth - 1)}};
            default: return reduce(type, depth);
        }
    }

private:
    Type any_type() { return choices_.one_of(value::all_types); }

    Expr leaf(Type type) {
        const std::int64_t v = choices_.integer(-4, 4);
        if (type == Type::boolean) {
            if (choices_.boolean(500)) { return Expr{sare::Guard{random_condition(choices_, names_, 2)}}; }
            return Expr{sare::Literal{value::Value::boolean(v > 0)}};
        }
        if (choices_.boolean(500)) { return Expr{sare::Embed{type, random_index(choices_, names_, 2)}}; }
        return Expr{sare::Literal{value::Value::integer(type, v)}};
    }

    Expr access(Type type, int depth) {
        const Source& source = choices_.one_of(sources_);
        const auto component =
            static_cast<std::size_t>(choices_.integer(0, static_cast<std::int64_t>(source.types.size()) - 1));
        Expr read{sare::Access{source.name, source.indices(), static_cast<int>(component)}};
        if (source.types[component] != type) { return Expr{sare::Cast{type, read}}; }
        return depth > 1 ? Expr{sare::Select{leaf(Type::boolean), read, build(type, depth - 1)}} : read;
    }

    Expr binary(Type type, int depth) {
        for (;;) {
            const value::BinaryOp op = choices_.one_of(value::all_binary_ops);
            const Type operand = value::result_type(op, type, type) == type ? type : any_type();
            if (value::result_type(op, operand, operand) == type) {
                return Expr{sare::Binary{op, build(operand, depth - 1), build(operand, depth - 1)}};
            }
        }
    }

    Expr unary(Type type, int depth) {
        // Every type except bool has abs, negate or bit_not; bool has "not".
        for (const value::UnaryOp op : value::all_unary_ops) {
            for (const Type operand : {type, any_type()}) {
                if (value::result_type(op, operand) == type) {
                    return Expr{sare::Unary{op, build(operand, depth - 1)}};
                }
            }
        }
        return leaf(type);
    }

    Expr select(Type type, int depth) {
        return Expr{sare::Select{build(Type::boolean, depth - 1), build(type, depth - 1), build(type, depth - 1)}};
    }

    Expr reduce(Type type, int depth) {
        const value::ReductionOp op = choices_.one_of(value::all_reduction_ops);
        if (!value::neutral(op, type) || bound_ == 2) { return binary(type, depth); }
        const std::string variable = "b" + std::to_string(bound_);
        const std::int64_t low = choices_.integer(-2, 1);
        names_.push_back(variable);
        ++bound_;
        sare::Condition domain =
            sare::compare(sare::Relation::le, sare::constant(low), sare::variable(variable)) &&
            sare::compare(sare::Relation::lt, sare::variable(variable), sare::constant(low + choices_.integer(0, 3)));
        if (choices_.boolean(400)) { domain = domain && random_condition(choices_, names_, 2); }
        Expr body = build(type, depth - 1);
        names_.pop_back();
        --bound_;
        return Expr{sare::Reduce{op, {variable}, domain, body}};
    }

    Choices& choices_;
    std::vector<std::string> names_;
    const std::vector<Source>& sources_;
    int bound_ = 0;
};

std::vector<Type> random_types(Choices& choices) {
    std::vector<Type> types;
    choices.sequence(1, 3, 300, [&](std::size_t) { types.push_back(choices.one_of(value::all_types)); });
    return types;
}

std::vector<std::string> with(std::vector<std::string> names, const std::vector<std::string>& more) {
    names.insert(names.end(), more.begin(), more.end());
    return names;
}

Source source(Choices& choices, const std::string& name, const std::vector<Type>& types, std::size_t rank,
              const std::vector<std::string>& names) {
    return {name, types, [&choices, rank, names] {
                std::vector<Index> indices;
                for (std::size_t d = 0; d < rank; ++d) { indices.push_back(random_index(choices, names, 2)); }
                return indices;
            }};
}

}  // namespace

Index random_index(Choices& choices, const std::vector<std::string>& names, int depth) {
    if (depth == 0 || choices.boolean(300)) {
        if (choices.boolean(300)) { return sare::constant(choices.integer(-4, 4)); }
        return sare::variable(choices.one_of(names));
    }
    const auto operand = [&] { return random_index(choices, names, depth - 1); };
    switch (choices.weighted({4, 4, 2, 1, 1, 1, 1, 1})) {
        case 0: {
            const Index a = operand();
            return a + operand();
        }
        case 1: {
            const Index a = operand();
            return a - operand();
        }
        case 2: return choices.integer(-3, 3) * operand();
        case 3: return sare::floor_div(operand(), choices.integer(1, 4));
        case 4: return sare::floor_mod(operand(), choices.integer(1, 4));
        case 5: {
            const Index a = operand();
            return sare::min(a, operand());
        }
        case 6: {
            const Index a = operand();
            return sare::max(a, operand());
        }
        default: {
            const sare::Condition condition = random_condition(choices, names, depth - 1);
            const Index a = operand();
            return sare::select(condition, a, operand());
        }
    }
}

sare::Condition random_condition(Choices& choices, const std::vector<std::string>& names, int depth) {
    constexpr std::array relations{sare::Relation::lt, sare::Relation::le, sare::Relation::eq,
                                   sare::Relation::ne, sare::Relation::gt, sare::Relation::ge};
    if (depth > 1) {
        const std::size_t kind = choices.weighted({4, 3, 2, 1});
        if (kind != 0) {
            const sare::Condition a = random_condition(choices, names, depth - 1);
            if (kind == 3) { return !a; }
            const sare::Condition b = random_condition(choices, names, depth - 1);
            return kind == 1 ? a && b : a || b;
        }
    }
    const int operand_depth = depth > 2 ? 2 : depth;
    const Index a = random_index(choices, names, operand_depth);
    return sare::compare(choices.one_of(relations), a, random_index(choices, names, operand_depth));
}

sare::Algorithm random_algorithm(Choices& choices) {
    sare::Algorithm algorithm;
    algorithm.name = "random";
    algorithm.parameters = {"N"};
    algorithm.inputs = {{"in", Type::i32, 2}, {"mask", Type::boolean, 1}};
    struct Known {
        std::string name;
        std::vector<Type> types;
        std::size_t rank;
    };
    std::vector<Known> known{{"in", {Type::i32}, 2}, {"mask", {Type::boolean}, 1}};
    const auto sources_over = [&](const std::vector<std::string>& names) {
        std::vector<Source> sources;
        for (const Known& k : known) { sources.push_back(source(choices, k.name, k.types, k.rank, names)); }
        return sources;
    };
    choices.sequence(1, 3, 600, [&](std::size_t number) {
        sare::Function f;
        f.name = "f" + std::to_string(number);
        f.types = random_types(choices);
        const auto rank = static_cast<std::size_t>(choices.integer(0, 2));
        for (std::size_t d = 0; d < rank; ++d) { f.variables.emplace_back(d == 0 ? "x" : "y"); }
        const std::vector<std::string> names = with(f.variables, {"N"});
        {
            const std::vector<Source> sources = sources_over(names);
            ExprBuilder builder(choices, names, sources);
            for (const Type type : f.types) { f.values.push_back(builder.build(type, 3)); }
        }
        choices.sequence(0, 2, 600, [&](std::size_t) {
            sare::UpdateDefinition update;
            std::vector<std::string> over;
            choices.sequence(0, 3, 600, [&](std::size_t r) {
                over.push_back("r" + std::to_string(r));
                update.over.push_back(
                    {over.back(), random_index(choices, {"N"}, 1), sare::constant(choices.integer(0, 3))});
            });
            std::vector<std::string> free = with(over, {"N"});
            std::vector<bool> pure;
            for (const std::string& x : f.variables) {
                pure.push_back(choices.boolean(400));
                if (pure.back()) { free.push_back(x); }
            }
            for (std::size_t d = 0; d < rank; ++d) {
                update.target.push_back(pure[d] ? sare::variable(f.variables[d]) : random_index(choices, free, 2));
            }
            if (choices.boolean(300)) { update.where = random_condition(choices, free, 2); }
            std::vector<Source> sources = sources_over(free);
            sources.push_back({f.name, f.types, [&choices, &f, pure, free] {
                                   std::vector<Index> indices;
                                   for (std::size_t d = 0; d < pure.size(); ++d) {
                                       indices.push_back(pure[d] ? sare::variable(f.variables[d])
                                                                 : random_index(choices, free, 1));
                                   }
                                   return indices;
                               }});
            ExprBuilder builder(choices, free, sources);
            for (const Type type : f.types) { update.values.push_back(builder.build(type, 3)); }
            f.updates.push_back(std::move(update));
        });
        known.push_back({f.name, f.types, rank});
        algorithm.functions.push_back(std::move(f));
    });
    for (const sare::Function& f : algorithm.functions) {
        sare::Output output{f.name, {}};
        for (std::size_t d = 0; d < f.variables.size(); ++d) {
            output.box.push_back({sare::constant(choices.integer(-3, 2)), sare::constant(choices.integer(1, 4))});
        }
        algorithm.outputs.push_back(std::move(output));
    }
    return algorithm;
}

sare::Sare random_recurrences(Choices& choices) {
    sare::Sare s;
    s.name = "recurrences";
    s.parameters = {"N"};
    s.inputs = {{"in", Type::i32, 2}};
    const Index x = sare::variable("x");
    const Index y = sare::variable("y");
    const Index zero = sare::constant(0);
    const auto at_least_zero = [&](const Index& index) { return sare::compare(sare::Relation::ge, index, zero); };
    const auto count = static_cast<std::size_t>(choices.integer(1, 3));
    std::vector<std::vector<Type>> types;
    for (std::size_t t = 0; t < count; ++t) { types.push_back(random_types(choices)); }
    const std::vector<std::string> names{"x", "y", "N"};
    for (std::size_t t = 0; t < count; ++t) {
        sare::Tensor tensor{"t" + std::to_string(t), types[t], {"x", "y"}, {}};
        // Border cells read only the input; inner ones also read cells one step nearer to the origin, in parts of the
        // domain.
        const std::vector<Source> outside{source(choices, "in", {Type::i32}, 2, names)};
        std::vector<Source> inside = outside;
        for (std::size_t other = 0; other < count; ++other) {
            inside.push_back({"t" + std::to_string(other), types[other], [&choices, x, y] {
                                  const std::int64_t step = choices.integer(1, 3);
                                  return std::vector<Index>{x - sare::constant(step % 2), y - sare::constant(step / 2)};
                              }});
        }
        const auto equation = [&](const sare::Condition& domain, const std::vector<Source>& sources) {
            ExprBuilder builder(choices, names, sources);
            sare::Equation e{domain, {}};
            for (const Type type : types[t]) { e.values.push_back(builder.build(type, 3)); }
            tensor.equations.push_back(std::move(e));
        };
        const sare::Condition border =
            at_least_zero(x) && at_least_zero(y) &&
            (sare::compare(sare::Relation::eq, x, zero) || sare::compare(sare::Relation::eq, y, zero));
        const sare::Condition interior =
            sare::compare(sare::Relation::gt, x, zero) && sare::compare(sare::Relation::gt, y, zero);
        const sare::Condition part = random_condition(choices, names, 3);
        equation(border, outside);
        equation(interior && part, inside);
        equation(interior && !part, inside);
        s.tensors.push_back(std::move(tensor));
        s.outputs.push_back(
            {s.tensors.back().name, {{zero, sare::constant(4)}, {sare::constant(1), sare::constant(3)}}});
    }
    return s;
}

}  // namespace haruspex::interp::test
