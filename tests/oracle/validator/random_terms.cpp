#include "tests/oracle/validator/random_terms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "generators/base/overload.h"

namespace haruspex::validator {
namespace {

using namespace sare;
using value::BinaryOp;
using value::Type;
using value::UnaryOp;
using value::Value;

constexpr std::array machine_types{Type::boolean, Type::u8,  Type::u32, Type::i16, Type::i32,
                                   Type::i64,     Type::f32, Type::f64, Type::w32, Type::w64};
constexpr std::array exact_types{Type::f64, Type::f64, Type::boolean};

Value special(Type type, std::uint64_t bits) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr std::array floats{0.0, -0.0, 1.0, -1.0, 0.5, infinity, -infinity, 1e30, 16777216.0};
    if (type == Type::boolean) { return Value::boolean(bits % 2 == 0); }
    if (value::is_float(type)) {
        const std::uint64_t which = bits % (floats.size() + 1);
        const double number = which == floats.size() ? std::nan("") : floats[which];
        return type == Type::f32 ? Value::f32(static_cast<float>(number)) : Value::f64(number);
    }
    const std::uint64_t high = std::uint64_t{1} << static_cast<unsigned>(value::bits(type) - 1);
    const std::array<std::uint64_t, 8> integers{high, high - 1, high + 1, 0, 1, 2, ~std::uint64_t{0}, 3};
    return Value::from_bits(type, integers[bits % integers.size()]);
}

Value number(Type type, Arithmetic arithmetic, std::uint64_t bits) {
    if (arithmetic == Arithmetic::machine && bits % 3 == 0) { return special(type, bits / 3); }
    if (arithmetic == Arithmetic::rounded && type == Type::f64) {
        constexpr std::array floats{0.0, 0.1, -0.3, 1.0 / 3, -2.0, 1e5 / 7, 1.0};
        return Value::f64(floats[bits % floats.size()]);
    }
    const auto small = static_cast<std::int64_t>((bits / 3) % 5) - 2;
    return type == Type::boolean ? Value::boolean(small > 0) : Value::integer(type, small);
}

constexpr std::array chained_ops{BinaryOp::add,     BinaryOp::mul,     BinaryOp::min,         BinaryOp::max,
                                 BinaryOp::bit_and, BinaryOp::bit_xor, BinaryOp::logical_and, BinaryOp::logical_or};

void flatten(const Expr& expr, BinaryOp op, std::vector<Expr>& operands) {
    const auto* binary = std::get_if<Binary>(&expr.node);
    if (binary == nullptr || binary->op != op) {
        operands.push_back(expr);
        return;
    }
    flatten(*binary->a, op, operands);
    flatten(*binary->b, op, operands);
}

Index var(const char* name) { return variable(name); }

Tensor tensor(const char* name, Type type, std::vector<std::string> variables,
              const std::vector<std::pair<Condition, Expr>>& equations) {
    Tensor made{name, {type}, std::move(variables), {}};
    for (const auto& [domain, value] : equations) { made.equations.push_back({domain, {value}}); }
    return made;
}

Expr access_to(const char* name, std::vector<Index> indices) { return Expr{Access{name, std::move(indices), 0}}; }

// A fold over a row: name(x, k) = op(name(x, k - 1), of(x + k)), starting with of(x).
Tensor recurrence(const char* name, Type type, BinaryOp op, const char* of) {
    const Condition first = compare(Relation::le, var("k"), constant(0));
    const Expr step{
        Binary{op, access_to(name, {var("x"), var("k") - constant(1)}), access_to(of, {var("x") + var("k")})}};
    return tensor(name, type, {"x", "k"}, {{first, access_to(of, {var("x")})}, {!first, step}});
}

}  // namespace

std::string uninit_name(Type type) { return "uninit " + std::string(value::name(type)); }

Sare random_system(Choices& choices, Arithmetic arithmetic) {
    Sare sare;
    sare.name = "random";
    sare.parameters = {"N", "i"};
    sare.assumptions = truth(true);
    if (arithmetic == Arithmetic::machine) {
        for (const Type type : machine_types) {
            sare.inputs.push_back({"in_" + std::string(value::name(type)), type, 1});
        }
        sare.tensors.push_back(recurrence("sum_u8", Type::u8, BinaryOp::add, "in_u8"));
        sare.tensors.push_back(recurrence("sum_i32", Type::i32, BinaryOp::add, "in_i32"));
        sare.tensors.push_back(recurrence("sum_w32", Type::w32, BinaryOp::add, "in_w32"));
        sare.tensors.push_back(recurrence("min_i16", Type::i16, BinaryOp::min, "in_i16"));
        sare.tensors.push_back(recurrence("sum_f32", Type::f32, BinaryOp::add, "in_f32"));
    } else {
        sare.inputs = {{"in_f64", Type::f64, 1}, {"in_bool", Type::boolean, 1}};
        sare.tensors.push_back(recurrence("sum_f64", Type::f64, BinaryOp::add, "in_f64"));
        sare.tensors.push_back(recurrence("max_f64", Type::f64, BinaryOp::max, "in_f64"));
    }
    const int depth = arithmetic == Arithmetic::machine ? 2 : 1;
    for (int n = 0; n < 5; ++n) {
        RandomExprs exprs(choices, sare, arithmetic);
        exprs.set_scope({"N", "x"});
        Tensor made{"t" + std::to_string(n), {exprs.type()}, {"x"}, {}};
        if (choices.boolean(300)) { made.types.push_back(exprs.type()); }
        const auto values = [&] {
            std::vector<Expr> found;
            for (const Type type : made.types) { found.push_back(exprs.expr(type, depth)); }
            return found;
        };
        const Condition here = choices.boolean(600) ? truth(true) : compare(Relation::lt, var("x"), var("N"));
        made.equations.push_back({here, values()});
        if (here != truth(true)) { made.equations.push_back({!here, values()}); }
        sare.tensors.push_back(std::move(made));
    }
    return sare;
}

// --- Expressions --------------------------------------------------------------------------------------------------

Type RandomExprs::type() {
    return arithmetic_ == Arithmetic::machine ? choices_.one_of(machine_types) : choices_.one_of(exact_types);
}

Index RandomExprs::index(int depth) {
    switch (depth <= 0 ? choices_.weighted({1, 3}) : choices_.weighted({1, 3, 6, 1, 1, 1, 1, 1})) {
        case 0: return constant(choices_.integer(-2, 3));
        case 1: return variable(choices_.one_of(scope_));
        case 2: return index(depth - 1) + constant(choices_.integer(-2, 2));
        case 3: return index(depth - 1) - index(0);
        case 4: return choices_.integer(-1, 2) * index(depth - 1);
        case 5: return floor_div(index(depth - 1), choices_.integer(2, 3));
        case 6: return floor_mod(index(depth - 1), choices_.integer(2, 3));
        default: return select(condition(), index(depth - 1), index(0));
    }
}

Condition RandomExprs::condition() {
    const auto relation = static_cast<Relation>(choices_.integer(0, 5));
    const Condition made = compare(relation, variable(choices_.one_of(scope_)), index(0));
    return choices_.boolean(200) ? made && compare(Relation::gt, var("N"), constant(1)) : made;
}

Expr RandomExprs::literal(Type type) {
    const auto bits = static_cast<std::uint64_t>(choices_.integer(0, 1 << 20));
    const Value found = number(type, arithmetic_, bits);
    return type == Type::boolean ? Expr{Guard{truth(found.as_bool())}} : Expr{sare::Literal{found}};
}

Expr RandomExprs::access(Type type) {
    std::vector<Access> found;
    for (const Input& input : sare_.inputs) {
        if (input.type == type) { found.push_back({input.name, {index(1)}, 0}); }
    }
    for (const Tensor& tensor : sare_.tensors) {
        for (std::size_t k = 0; k < tensor.types.size(); ++k) {
            if (tensor.types[k] != type) { continue; }
            Access access{tensor.name, {index(1)}, static_cast<int>(k)};
            if (tensor.variables.size() == 2) { access.indices.push_back(index(1)); }
            found.push_back(std::move(access));
        }
    }
    return found.empty() ? literal(type) : Expr{choices_.one_of(found)};
}

Expr RandomExprs::leaf(Type type) {
    switch (choices_.weighted({2, 1, 6})) {
        case 0: return literal(type);
        case 1: return type == Type::boolean ? Expr{Guard{condition()}} : Expr{Embed{type, index(1)}};
        default: return access(type);
    }
}

Expr RandomExprs::expr(Type type, int depth) {
    const auto deeper = [&](Type t) { return Box<Expr>(expr(t, depth - 1)); };
    if (depth <= 0) { return leaf(type); }
    switch (choices_.weighted({2, 1, 4, 2, 5, arithmetic_ == Arithmetic::machine ? 1 : 0})) {
        case 0: return leaf(type);
        case 1: {
            const UnaryOp op = choices_.one_of(value::all_unary_ops);
            if (value::result_type(op, type) != type) { return leaf(type); }
            return Expr{Unary{op, deeper(type)}};
        }
        case 2: {
            const BinaryOp op = choices_.one_of(value::all_binary_ops);
            const bool rounds = arithmetic_ != Arithmetic::machine && (op == BinaryOp::div || op == BinaryOp::mod);
            const Type operand = type == Type::boolean ? this->type() : type;
            if (rounds || value::result_type(op, operand, operand) != type) { return leaf(type); }
            Box<Expr> a = deeper(operand);
            return Expr{Binary{op, std::move(a), deeper(operand)}};
        }
        case 3: {
            Box<Expr> c = deeper(Type::boolean);
            Box<Expr> a = deeper(type);
            return Expr{Select{std::move(c), std::move(a), deeper(type)}};
        }
        case 4: {
            const BinaryOp op = choices_.one_of(chained_ops);
            if (value::result_type(op, type, type) != type) { return leaf(type); }
            Expr chain = expr(type, depth - 1);
            choices_.sequence(1, 3, 700, [&](std::size_t) { chain = Expr{Binary{op, chain, leaf(type)}}; });
            return chain;
        }
        default: return Expr{Cast{type, deeper(this->type())}};
    }
}

// --- Rewritten expressions ------------------------------------------------------------------------------------------

Index RandomExprs::rewritten(const Index& index) {
    const Index plus_one{IndexBinary{IndexOp::add, index, constant(1)}};
    switch (choices_.weighted({6, 1, 1, 1})) {
        case 0: return index;
        case 1: return Index{IndexBinary{IndexOp::sub, plus_one, constant(1)}};
        case 2: {
            const Index half{IndexDiv{index, 2}};
            return Index{IndexBinary{IndexOp::add, Index{IndexScale{2, half}}, Index{IndexMod{index, 2}}}};
        }
        default: return Index{IndexSelect{condition(), index, index}};
    }
}

// Uses the first or the last equation of the tensor, whether or not it applies.
Expr RandomExprs::unfolded(const Access& access) {
    const auto found = std::ranges::find(sare_.tensors, access.tensor, &Tensor::name);
    if (found == sare_.tensors.end()) { return Expr{access}; }
    Substitution by;
    for (std::size_t d = 0; d < found->variables.size(); ++d) { by[found->variables[d]] = access.indices[d]; }
    const Equation& equation = choices_.boolean(700) ? found->equations.back() : found->equations.front();
    return substitute(equation.values[static_cast<std::size_t>(access.component)], by);
}

Expr RandomExprs::rewritten_binary(const Binary& binary, bool changed) {
    if (choices_.boolean(400)) {
        const Expr a = rewritten(*binary.a, changed), b = rewritten(*binary.b, changed);
        const bool is_other = changed && binary.op == BinaryOp::sub;
        return Expr{Binary{is_other ? BinaryOp::add : binary.op, a, b}};
    }
    // Shuffles the operands, which changes the value if the operator does not commute, and groups them to the left or
    // right.
    std::vector<Expr> operands;
    flatten(Expr{binary}, binary.op, operands);
    for (Expr& operand : operands) { operand = rewritten(operand, changed); }
    choices_.shuffle(operands);
    const bool is_left = choices_.boolean(500);
    Expr whole = operands[0];
    for (std::size_t n = 1; n < operands.size(); ++n) {
        whole = is_left ? Expr{Binary{binary.op, whole, operands[n]}} : Expr{Binary{binary.op, operands[n], whole}};
    }
    return whole;
}

Expr RandomExprs::rewritten(const Expr& expr, bool changed) {
    const auto part = [&](const Box<Expr>& e) { return Box<Expr>(rewritten(*e, changed)); };
    if (changed && choices_.boolean(60)) {
        if (const auto* access = std::get_if<Access>(&expr.node)) {
            Access other = *access;
            other.indices[0] = other.indices[0] + constant(choices_.integer(-1, 1));
            return Expr{other};
        }
    }
    if (choices_.boolean(40)) {
        Box<Expr> same = Box<Expr>(rewritten(expr, changed));
        const Type type = type_of(expr, tensor_types(sare_));
        const bool is_garbage = choices_.boolean(300);
        Box<Expr> other = is_garbage ? Expr{Access{uninit_name(type), {}, 0}} : leaf(type);
        return Expr{Select{Expr{Guard{condition()}}, std::move(same), std::move(other)}};
    }
    return std::visit(
        Overload{[&](const Access& n) {
                     Access same = n;
                     if (choices_.boolean(250)) { return unfolded(same); }
                     for (Index& index : same.indices) { index = rewritten(index); }
                     return Expr{same};
                 },
                 [&](const Embed& n) { return Expr{Embed{n.type, rewritten(n.index)}}; },
                 [&](const Unary& n) { return Expr{Unary{n.op, part(n.a)}}; },
                 [&](const Binary& n) { return rewritten_binary(n, changed); },
                 [&](const Select& n) {
                     Box<Expr> c = part(n.condition), a = part(n.if_true);
                     return Expr{Select{std::move(c), std::move(a), part(n.if_false)}};
                 },
                 [&](const Cast& n) { return Expr{Cast{n.type, part(n.a)}}; }, [&](const auto&) { return expr; }},
        expr.node);
}

// --- Terms and values -----------------------------------------------------------------------------------------------

namespace {

std::optional<Type> uninit_type(const std::string& tensor) {
    return tensor.starts_with("uninit ") ? value::parse_type(tensor.substr(7)) : std::nullopt;
}

}  // namespace

Term term_of(const Expr& expr, const Specification& specification) {
    const auto part = [&](const Box<Expr>& e) { return term_of(*e, specification); };
    return std::visit(
        Overload{[](const sare::Literal& n) { return make_literal(n.value); },
                 [&](const Embed& n) { return make_embed(n.type, specification.parameters().convert(n.index)); },
                 [&](const Guard& n) { return make_truth(specification.parameters().convert(n.condition)); },
                 [&](const Access& n) {
                     if (const auto type = uninit_type(n.tensor)) { return make_literal(Value::uninit(*type)); }
                     std::vector<isl::pw_aff> indices;
                     for (const Index& index : n.indices) {
                         indices.push_back(specification.parameters().convert(index));
                     }
                     const TensorSignature& signature = specification.signatures().at(n.tensor);
                     return make_cell(n.tensor, n.component, signature.types[static_cast<std::size_t>(n.component)],
                                      std::move(indices));
                 },
                 [&](const Unary& n) { return make_unary(n.op, part(n.a)); },
                 [&](const Binary& n) { return make_binary(n.op, part(n.a), part(n.b)); },
                 [&](const Select& n) { return make_select(part(n.condition), part(n.if_true), part(n.if_false)); },
                 [&](const Cast& n) { return make_cast(n.type, part(n.a)); },
                 [](const Reduce&) -> Term { raise_internal_error(__FILE__, __LINE__, "no reductions are made"); }},
        expr.node);
}

Values::Values(const Sare& sare, Arithmetic arithmetic, std::int64_t n, std::int64_t i, std::uint64_t seed)
    : sizes_{{"N", n}, {"i", i}},
      input_([arithmetic, seed, inputs = sare.inputs](const std::string& name, const std::vector<std::int64_t>& cell) {
          std::uint64_t hash = derive_seed(seed, static_cast<std::uint64_t>(cell[0]));
          for (const char c : name) { hash = derive_seed(hash, static_cast<std::uint64_t>(c)); }
          return number(std::ranges::find(inputs, name, &Input::name)->type, arithmetic, hash);
      }),
      interpreter_(sare, sizes_, input_) {
    for (const Input& input : sare.inputs) { inputs_.insert(input.name); }
}

Value Values::operator()(const Expr& expr) {
    was_too_large_ = false;
    return evaluate(expr);
}

Value Values::evaluate(const Expr& expr) {
    const auto part = [&](const Box<Expr>& e) { return evaluate(*e); };
    const Value found = std::visit(
        Overload{[](const sare::Literal& n) { return n.value; },
                 [&](const Embed& n) {
                     return value::cast(n.type, Value::integer(Type::i64, sare::evaluate(n.index, sizes_)));
                 },
                 [&](const Guard& n) { return Value::boolean(sare::evaluate(n.condition, sizes_)); },
                 [&](const Access& n) {
                     if (const auto type = uninit_type(n.tensor)) { return Value::uninit(*type); }
                     std::vector<std::int64_t> cell;
                     for (const Index& index : n.indices) { cell.push_back(sare::evaluate(index, sizes_)); }
                     if (inputs_.contains(n.tensor)) { return input_(n.tensor, cell); }
                     const auto value = interpreter_.evaluate(n.tensor, n.component, cell);
                     return value ? *value : Value::undef(Type::i32);
                 },
                 [&](const Unary& n) { return value::apply(n.op, part(n.a)); },
                 [&](const Binary& n) { return value::apply(n.op, part(n.a), part(n.b)); },
                 [&](const Select& n) { return value::select(part(n.condition), part(n.if_true), part(n.if_false)); },
                 [&](const Cast& n) { return value::cast(n.type, part(n.a)); },
                 [](const Reduce&) -> Value { raise_internal_error(__FILE__, __LINE__, "no reductions are made"); }},
        expr.node);
    constexpr double most = 1e12;
    was_too_large_ |= found.is_defined() && value::is_float(found.type()) && std::abs(found.as_double()) > most;
    return found;
}

}  // namespace haruspex::validator
