#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "generators/base/choice.h"
#include "generators/sare/algorithm.h"
#include "generators/sare/build.h"
#include "generators/sare/staging.h"
#include "generators/sare/syntax.h"

// Random syntax trees and systems for tests. They have every kind of node and need not suit a compiler.
namespace haruspex::testing {

using Names = std::vector<std::string>;

// The range of constants: tame ones keep sets small, wild ones reach the limits of 64 bits.
enum class Numbers { tame, wild };

inline std::int64_t random_integer(Choices& choices, Numbers numbers) {
    if (numbers == Numbers::wild && choices.boolean(100)) {
        return choices.integer(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
    }
    return choices.integer(-4, 9);
}

inline sare::Condition random_condition(Choices& choices, const Names& scope, int depth,
                                        Numbers numbers = Numbers::tame);

inline sare::Index random_index(Choices& choices, const Names& scope, int depth, Numbers numbers = Numbers::tame) {
    using namespace sare;
    const auto deeper = [&] { return random_index(choices, scope, depth - 1, numbers); };
    const auto divisor = [&] {
        return numbers == Numbers::wild && choices.boolean(100)
                   ? choices.integer(1, std::numeric_limits<std::int64_t>::max())
                   : choices.integer(1, 5);
    };
    switch (depth <= 0 ? choices.weighted({1, 3}) : choices.weighted({1, 3, 6, 2, 1, 1, 1})) {
        case 0: return Index{IndexConstant{random_integer(choices, numbers)}};
        case 1:
            if (scope.empty()) { return Index{IndexConstant{random_integer(choices, numbers)}}; }
            return Index{IndexVariable{choices.one_of(scope)}};
        case 2: {
            const auto op = static_cast<IndexOp>(choices.weighted({4, 4, 1, 1}));
            Index a = deeper();
            return Index{IndexBinary{op, std::move(a), deeper()}};
        }
        case 3:
            return Index{IndexScale{
                numbers == Numbers::wild ? random_integer(choices, numbers) : choices.integer(-2, 2), deeper()}};
        case 4: {
            const std::int64_t by = divisor();
            return Index{IndexDiv{deeper(), by}};
        }
        case 5: {
            const std::int64_t by = divisor();
            return Index{IndexMod{deeper(), by}};
        }
        default: {
            Condition c = random_condition(choices, scope, depth - 1, numbers);
            Index a = deeper();
            return Index{IndexSelect{std::move(c), std::move(a), deeper()}};
        }
    }
}

inline sare::Condition random_condition(Choices& choices, const Names& scope, int depth, Numbers numbers) {
    using namespace sare;
    const auto deeper = [&] { return random_condition(choices, scope, depth - 1, numbers); };
    switch (depth <= 0 ? choices.weighted({1, 6}) : choices.weighted({1, 6, 3, 3, 2, 2})) {
        case 0: return Condition{Truth{choices.boolean(500)}};
        case 1: {
            const auto relation = static_cast<Relation>(choices.integer(0, 5));
            Index a = random_index(choices, scope, depth, numbers);
            return Condition{Comparison{relation, std::move(a), random_index(choices, scope, depth, numbers)}};
        }
        case 2: {
            Condition a = deeper();
            return Condition{And{std::move(a), deeper()}};
        }
        case 3: {
            Condition a = deeper();
            return Condition{Or{std::move(a), deeper()}};
        }
        case 4: return Condition{Not{deeper()}};
        default: {  // a chain: the second comparison starts where the first ends
            const auto relation = static_cast<Relation>(choices.integer(0, 5));
            Index a = random_index(choices, scope, depth - 1, numbers);
            Index b = random_index(choices, scope, depth - 1, numbers);
            Index c = random_index(choices, scope, depth - 1, numbers);
            return Condition{And{Condition{Comparison{relation, std::move(a), b}},
                                 Condition{Comparison{Relation::lt, b, std::move(c)}}}};
        }
    }
}

// A tensor that an expression may read. If `pinned` names a variable, that variable must be the index.
struct Readable {
    std::string name;
    std::vector<value::Type> types;
    std::size_t rank = 0;
    Names pinned = {};
};

inline value::Type random_type(Choices& choices) { return choices.one_of(value::all_types); }

inline value::Value random_literal(Choices& choices, value::Type type, Numbers numbers) {
    if (numbers == Numbers::tame && type != value::Type::boolean) {
        return value::Value::integer(type, choices.integer(0, 5));
    }
    const auto value = value::Value::from_bits(
        type, static_cast<std::uint64_t>(
                  choices.integer(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max())));
    if (!value.is_nan()) { return value; }
    return *value::parse_literal("nan_" + std::string(value::name(type)));
}

class ExprBuilder {
public:
    ExprBuilder(Choices& choices, Names scope, std::vector<Readable> tensors, Numbers numbers)
        : choices_(choices), scope_(std::move(scope)), tensors_(std::move(tensors)), numbers_(numbers) {}

    sare::Expr expr(value::Type type, int depth) {
        using namespace sare;
        const auto deeper = [&](value::Type t) { return Box<Expr>(expr(t, depth - 1)); };
        switch (depth <= 0 ? choices_.weighted({1, 1, 5}) : choices_.weighted({1, 1, 5, 2, 6, 2, 2, 2})) {
            case 0: return Expr{Literal{random_literal(choices_, type, numbers_)}};
            case 1:
                if (type == value::Type::boolean) {
                    return Expr{Guard{random_condition(choices_, scope_, 1, numbers_)}};
                }
                return Expr{Embed{type, random_index(choices_, scope_, 1, numbers_)}};
            case 2: return access(type);
            case 3: {
                for (const value::UnaryOp op : value::all_unary_ops) {
                    if (value::result_type(op, type) == type && choices_.boolean(500)) {
                        return Expr{Unary{op, deeper(type)}};
                    }
                }
                return Expr{Cast{type, deeper(random_type(choices_))}};
            }
            case 4: return binary(type, depth);
            case 5: {
                Box<Expr> c = deeper(value::Type::boolean);
                Box<Expr> a = deeper(type);
                return Expr{Select{std::move(c), std::move(a), deeper(type)}};
            }
            case 6: return Expr{Cast{type, deeper(random_type(choices_))}};
            default: return reduce(type, depth);
        }
    }

private:
    sare::Expr access(value::Type type) {
        using namespace sare;
        if (tensors_.empty()) { return Expr{Literal{random_literal(choices_, type, numbers_)}}; }
        const Readable& tensor = choices_.one_of(tensors_);
        const auto component =
            static_cast<std::size_t>(choices_.integer(0, static_cast<std::int64_t>(tensor.types.size()) - 1));
        Access access{tensor.name, {}, static_cast<int>(component)};
        for (std::size_t p = 0; p < tensor.rank; ++p) {
            const bool pinned = p < tensor.pinned.size() && !tensor.pinned[p].empty();
            access.indices.push_back(pinned ? variable(tensor.pinned[p]) : random_index(choices_, scope_, 1, numbers_));
        }
        if (tensor.types[component] == type) { return Expr{std::move(access)}; }
        return Expr{Cast{type, Expr{std::move(access)}}};
    }

    sare::Expr binary(value::Type type, int depth) {
        const value::BinaryOp op = choices_.one_of(value::all_binary_ops);
        const value::Type operand = type == value::Type::boolean ? random_type(choices_) : type;
        if (value::result_type(op, operand, operand) != type) { return access(type); }
        Box<sare::Expr> a = expr(operand, depth - 1);
        return sare::Expr{sare::Binary{op, std::move(a), expr(operand, depth - 1)}};
    }

    sare::Expr reduce(value::Type type, int depth) {
        using namespace sare;
        const value::ReductionOp op = choices_.one_of(value::all_reduction_ops);
        if (!value::neutral(op, type)) { return access(type); }
        const std::string name = "r" + std::to_string(bound_++);
        const std::int64_t extent = choices_.integer(0, 3);
        const std::size_t outer = scope_.size();
        scope_.push_back(name);
        Condition domain = compare(Relation::le, constant(0), variable(name)) &&
                           compare(Relation::lt, variable(name), constant(extent));
        if (choices_.boolean(300)) {
            domain = Condition{And{std::move(domain), random_condition(choices_, scope_, 1, Numbers::tame)}};
        }
        Box<Expr> body = expr(type, depth - 1);
        scope_.resize(outer);
        return Expr{Reduce{op, {name}, std::move(domain), std::move(body)}};
    }

    Choices& choices_;
    Names scope_;
    std::vector<Readable> tensors_;
    Numbers numbers_;
    int bound_ = 0;
};

inline std::vector<value::Type> random_types(Choices& choices) {
    std::vector<value::Type> types;
    choices.sequence(1, 3, 300, [&](std::size_t) { types.push_back(random_type(choices)); });
    return types;
}

inline Names random_variables(Choices& choices) {
    Names all{"x", "y"};
    all.resize(static_cast<std::size_t>(choices.integer(0, 2)));
    return all;
}

// Draws a well-formed algorithm of up to four functions of rank up to 2, most of them with updates over up to two
// recurrence variables.
inline sare::Algorithm random_algorithm(Choices& choices, Numbers numbers = Numbers::tame, int depth = 2) {
    using namespace sare;
    Algorithm algorithm;
    algorithm.name = "random";
    algorithm.parameters = {"N", "M"};
    algorithm.assumptions =
        compare(Relation::ge, variable("N"), constant(0)) && compare(Relation::le, variable("M"), constant(100));
    std::vector<Readable> readable;
    choices.sequence(1, 2, 500, [&](std::size_t i) {
        const Input input{"in" + std::to_string(i), random_type(choices), static_cast<int>(choices.integer(0, 2))};
        readable.push_back({input.name, {input.type}, static_cast<std::size_t>(input.rank)});
        algorithm.inputs.push_back(input);
    });
    choices.sequence(1, 4, 500, [&](std::size_t i) {
        Function f{"f" + std::to_string(i), random_types(choices), random_variables(choices), {}, {}};
        Names scope = algorithm.parameters;
        scope.insert(scope.end(), f.variables.begin(), f.variables.end());
        ExprBuilder pure(choices, scope, readable, numbers);
        for (const value::Type type : f.types) { f.values.push_back(pure.expr(type, depth)); }
        choices.sequence(0, 2, 700, [&](std::size_t) {
            UpdateDefinition update;
            Names inside = algorithm.parameters;
            const Names steps{"k", "l"};
            choices.sequence(0, 2, 700, [&](std::size_t j) {
                const Index min = choices.boolean(700) ? constant(choices.integer(-1, 2)) : variable("M") - constant(1);
                const Index extent = choices.boolean(500) ? constant(choices.integer(0, 3)) : variable("N");
                update.over.push_back({steps[j], min, extent});
                inside.push_back(steps[j]);
            });
            Readable self{f.name, f.types, f.variables.size(), Names(f.variables.size())};
            for (std::size_t p = 0; p < f.variables.size(); ++p) {
                if (!choices.boolean(600)) { continue; }
                self.pinned[p] = f.variables[p];
                inside.push_back(f.variables[p]);
            }
            for (std::size_t p = 0; p < f.variables.size(); ++p) {
                const bool pure_position = !self.pinned[p].empty();
                update.target.push_back(pure_position ? variable(f.variables[p]) : random_index(choices, inside, 1));
            }
            std::vector<Readable> tensors = readable;
            tensors.push_back(self);
            tensors.push_back(self);  // twice, since updates that ignore the old value are dull
            ExprBuilder builder(choices, inside, tensors, numbers);
            for (const value::Type type : f.types) { update.values.push_back(builder.expr(type, depth)); }
            if (choices.boolean(400)) { update.where = random_condition(choices, inside, 1); }
            f.updates.push_back(std::move(update));
        });
        readable.push_back({f.name, f.types, f.variables.size()});
        algorithm.functions.push_back(std::move(f));
    });
    const Function& last = algorithm.functions.back();
    Output output{last.name, {}};
    for (std::size_t p = 0; p < last.variables.size(); ++p) {
        output.box.push_back(
            {random_index(choices, algorithm.parameters, 1), random_index(choices, algorithm.parameters, 1)});
    }
    algorithm.outputs.push_back(std::move(output));
    return algorithm;
}

// Draws a well-formed system: a staged one, to which general tensors may be added. Some of these are split in two by a
// condition; they read themselves and each other in any order.
inline sare::Sare random_sare(Choices& choices, Numbers numbers = Numbers::tame, int depth = 2) {
    using namespace sare;
    Sare system = stage(random_algorithm(choices, numbers, depth));
    if (choices.boolean(500)) { return system; }
    std::vector<Readable> readable;
    for (const Input& input : system.inputs) {
        readable.push_back({input.name, {input.type}, static_cast<std::size_t>(input.rank)});
    }
    for (const Tensor& tensor : system.tensors) {
        if (tensor.name.find('.') == std::string::npos) {
            readable.push_back({tensor.name, tensor.types, tensor.variables.size()});
        }
    }
    std::vector<Tensor> general;
    choices.sequence(1, 3, 600, [&](std::size_t i) {
        const std::string name = choices.boolean(200) ? "g." + std::to_string(i) : "g" + std::to_string(i);
        general.push_back({name, random_types(choices), random_variables(choices), {}});
    });
    for (const Tensor& tensor : general) { readable.push_back({tensor.name, tensor.types, tensor.variables.size()}); }
    for (Tensor& tensor : general) {
        Names scope = system.parameters;
        scope.insert(scope.end(), tensor.variables.begin(), tensor.variables.end());
        ExprBuilder builder(choices, scope, readable, numbers);
        const auto values = [&] {
            std::vector<Expr> values;
            for (const value::Type type : tensor.types) { values.push_back(builder.expr(type, depth)); }
            return values;
        };
        Condition here = choices.boolean(600) ? random_condition(choices, scope, 1) : truth(true);
        tensor.equations.push_back({here, values()});
        if (here != truth(true)) { tensor.equations.push_back({Condition{Not{here}}, values()}); }
        system.tensors.push_back(tensor);
    }
    return system;
}

}  // namespace haruspex::testing
