#include "oracle/smt/encoder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "oracle/smt/floats.h"
#include "oracle/smt/smtlib.h"

namespace haruspex::smt {

using value::BinaryOp;
using value::is_float;
using value::Type;
using value::Value;

Encoder::Encoder(const Terms& terms, const Query& query) : terms_(terms), query_(query) {
    ENSURE(terms.type(query.specification) == terms.type(query.implementation),
           "a term refines only one of its own type");
}

Script Encoder::encode() {
    if (query_.abstraction == Abstraction::arithmetic && query_.floats == Floats::abstract) {
        floats_.emplace(terms_, query_,
                        Sink{[this](const auto& name, const auto& signature) { declare(name, signature); },
                             [this](const auto& name, const auto& sort, const auto& text) { define(name, sort, text); },
                             [this](const auto& condition) { assert_that(condition); }});
    }
    const std::string domain = condition_text(query_.domain);
    for (const Term term : reachable(terms_, {query_.specification, query_.implementation})) {
        Encoded e = encode_node(term);
        define(term, e);
        encoded_.emplace(term.value, std::move(e));
    }
    Encoded& specification = operand(query_.specification);
    Encoded& implementation = operand(query_.implementation);
    assert_that(domain);
    assert_defined(specification);
    assert_that(disjunction({specification.uninit, implementation.undef, implementation.uninit,
                             negation(same(specification, implementation))}));
    if (floats_) { floats_->end(); }
    return script_;
}

Encoder::Encoded Encoder::encode_node(Term term) {
    number_ = std::to_string(term.value);
    Encoded e = std::visit(Overload{
                               [&](const Literal& n) { return encode_literal(n); },
                               [&](const Unary& n) { return encode_unary(n); },
                               [&](const Binary& n) { return encode_binary(n); },
                               [&](const Select& n) { return encode_select(n); },
                               [&](const Cast& n) { return encode_cast(n); },
                               [&](const Cell& n) { return encode_cell(term, n); },
                               [&](const Atom& n) {
                                   atoms_.push_back(term);
                                   return encode_atom(n);
                               },
                               [&](const Embed& n) { return encode_embed(term, n); },
                               [&](const Guard& n) {
                                   Encoded guard;
                                   guard.value = condition_text(n.condition);
                                   return guard;
                               },
                           },
                           terms_[term]);
    e.type = terms_.type(term);
    e.number = std::to_string(term.value);
    return e;
}

// Names every text longer than a name, so that its users do not repeat it.
void Encoder::define(Term term, Encoded& e) {
    const std::string number = std::to_string(term.value);
    const auto named = [&](char kind, const std::string& sort, std::string& text) {
        if (!text.starts_with("(") || e.literal) { return; }
        const std::string name = kind + number;
        define(name, sort, text);
        text = name;
    };
    if (e.image) { named('i', "Int", e.image->integer); }
    if (!e.value.empty()) { named('t', sort(e.type), e.value); }
    named('u', "Bool", e.undef);
    const bool is_known = e.undef == "u" + number && !e.undef_disjuncts.empty();
    if (is_known) { disjuncts_.emplace(e.undef, std::move(e.undef_disjuncts)); }
    named('n', "Bool", e.uninit);
}

// --- Leaves --------------------------------------------------------------------------------------------------------

Encoder::Encoded Encoder::encode_literal(const Literal& n) {
    Encoded e;
    const Type type = n.value.type();
    if (n.value.is_defined()) {
        e.literal = n.value;
        e.value = literal_text(n.value);
        return e;
    }
    // Any value will do if there is none.
    e.value = literal_text(Value::from_bits(type, 0));
    (n.value.is_undef() ? e.undef : e.uninit) = "true";
    return e;
}

Encoder::Encoded Encoder::encode_cell(Term term, const Cell& n) {
    cells_.push_back(term);
    std::vector<std::string> indices;
    for (const affine::Affine& index : n.indices) { indices.push_back(affine_text(index)); }
    std::string domain;
    for (std::size_t i = 0; i < indices.size(); ++i) { domain += i == 0 ? "Int" : " Int"; }
    const std::string of = n.tensor + "." + std::to_string(n.component);
    // The cell's value as a separate constant, so that it can be read from a model.
    const auto element = [&](const std::string& function, const std::string& sort, const std::string& name) {
        declare(function, "(" + domain + ") " + sort);
        declare(name, "() " + sort);
        assert_that(sexpr("=", name, indices.empty() ? function : sexpr(function, indices)));
        return name;
    };
    Encoded e;
    const std::string number = std::to_string(term.value);
    e.value = of_carrier(n.type, element(quoted("cell " + of), carrier(n.type), "c" + number));
    if (is_abstract_float(n.type)) { floats_->assume_is_value(n.type, e.value); }
    if (n.definedness == Definedness::may_be_undef) { e.undef = element(quoted("undef " + of), "Bool", "cu" + number); }
    return e;
}

Encoder::Encoded Encoder::encode_atom(const Atom& n) {
    const std::string name = quoted("atom " + std::to_string(n.number) + " " + std::string(value::name(n.type)));
    declare(name, "() " + carrier(n.type));
    Encoded e;
    e.value = of_carrier(n.type, name);
    if (is_abstract_float(n.type)) { floats_->assume_is_value(n.type, e.value); }
    return e;
}

Encoder::Encoded Encoder::encode_embed(Term term, const Embed& n) {
    if (n.index.summands.empty() && n.index.quotients.empty()) {
        const Value whole = Value::integer(Type::i64, n.index.constant);
        const auto result =
            query_.floats == Floats::ieee ? value::cast(n.type, whole) : value::cast_exactly(n.type, whole);
        if (result) { return encode_literal({*result}); }
    }
    const std::string index = affine_text(n.index);
    if (is_float(n.type) && !is_abstract(n.type)) {
        Encoded e;
        if (is_real(n.type)) {
            e.value = sexpr("to_real", index);
            return e;
        }
        if (is_abstract_float(n.type)) {
            e.value = floats_->of_index(n.type, index);
            return e;
        }
        // Through i64, as generators/value does: an index has 64 bits (terms.h, evaluate).
        Encoded whole = of_integer(Type::i64, index);
        whole.type = Type::i64;
        whole.number = std::to_string(term.value);
        e.value = ieee::cast(Type::i64, n.type, value_of(whole)).value;
        return e;
    }
    Encoded e = of_integer(n.type, index);
    if (is_abstract(n.type)) {
        e.image.reset();
        const std::string function = "embed_" + std::string(value::name(n.type));
        declare(function, "(Int) " + sort(n.type));
        e.value = sexpr(function, index);
    }
    return e;
}

// --- Operations ----------------------------------------------------------------------------------------------------

Encoder::Encoded Encoder::encode_unary(const Unary& n) {
    Encoded& a = operand(n.a);
    Encoded e;
    if (a.type == Type::boolean) {
        e.value = negation(a.value);
    } else if (is_abstract(a.type)) {
        e = abstract_unary(n.op, a);
    } else if (is_abstract_float(a.type)) {
        e = abstract_float_unary(n.op, a);
    } else if (is_real(a.type)) {
        e.value = real::unary(n.op, a.value).value;
    } else if (is_ieee(a.type)) {
        e.value = ieee::unary(n.op, a.type, a.value).value;
    } else if (auto image = image_unary(n.op, a)) {
        e = *std::move(image);
    } else {
        const Computed computed = bit_vector_unary(n.op, a.type, value_of(a));
        e.value = computed.value;
        e.undef = computed.undef;
    }
    inherit(e, {&a});
    return e;
}

Encoder::Encoded Encoder::encode_binary(const Binary& n) {
    Encoded& a = operand(n.a);
    Encoded& b = operand(n.b);
    Encoded e;
    if (a.type == Type::boolean) {
        e.value = bool_binary(n.op, a.value, b.value);
    } else if (is_abstract(a.type)) {
        e = abstract_binary(n.op, a, b);
    } else if (is_abstract_float(a.type)) {
        e = abstract_float_binary(n.op, a, b);
    } else if (is_real(a.type)) {
        e.value = real::binary(n.op, a.value, b.value).value;
    } else if (is_ieee(a.type)) {
        // In a fixed order if the operator commutes: solvers do not see that two circuits of an addition are the same.
        const bool swapped = commutes(n.op, a.type, Floats::ieee) && n.b < n.a;
        const Computed computed = ieee::binary(n.op, swapped ? b.value : a.value, swapped ? a.value : b.value);
        e.value = computed.value;
        e.undef = computed.undef;
    } else if (auto image = image_binary(n.op, a, b)) {
        e = *std::move(image);
    } else {
        const Computed computed = bit_vector_binary(n.op, a.type, value_of(a), value_of(b), b.literal);
        e.value = computed.value;
        e.undef = computed.undef;
    }
    inherit(e, {&a, &b});
    if (n.op == BinaryOp::logical_and || n.op == BinaryOp::logical_or) {
        // A defined operand may decide alone, whatever unwritten memory holds.
        for (const Encoded* operand : {&a, &b}) {
            const std::string side = n.op == BinaryOp::logical_or ? operand->value : negation(operand->value);
            const std::string decides = conjunction({negation(operand->uninit), negation(operand->undef), side});
            e.uninit = conjunction({e.uninit, negation(decides)});
        }
    }
    return e;
}

// Eager: Undef comes from either arm, Uninit only from the chosen arm. An Uninit condition is harmless if both arms are
// the same; for floats the bits of a NaN are not known here, so two NaNs count as different.
Encoder::Encoded Encoder::encode_select(const Select& n) {
    Encoded& c = operand(n.condition);
    Encoded& a = operand(n.if_true);
    Encoded& b = operand(n.if_false);
    Encoded e;
    if (has_image(a) && has_image(b) && (a.image || b.image)) {
        const Image x = image_of(a);
        const Image y = image_of(b);
        e.image = Image{if_then_else(c.value, x.integer, y.integer), x.exact && y.exact};
    } else {
        e.value = if_then_else(c.value, value_of(a), value_of(b));
    }
    e.undef_disjuncts = {c.undef, a.undef, b.undef};
    e.undef = disjunction(e.undef_disjuncts);
    e.uninit = if_then_else(c.value, a.uninit, b.uninit);
    if (c.uninit != "false") {
        const std::string bits_agree = n.if_true == n.if_false ? "true" : is_float(a.type) ? "false" : same(a, b);
        e.uninit = if_then_else(c.uninit, disjunction({a.uninit, b.uninit, negation(bits_agree)}), e.uninit);
    }
    return e;
}

Encoder::Encoded Encoder::encode_cast(const Cast& n) {
    Encoded& a = operand(n.a);
    if (a.type == n.to) { return a; }
    Encoded e;
    if (is_abstract(a.type) || is_abstract(n.to)) {
        e = abstract_cast(n.to, a);
    } else if (is_abstract_float(a.type) || is_abstract_float(n.to)) {
        e = abstract_float_cast(n.to, a);
    } else if (is_real(n.to)) {
        e.value = is_real(a.type)           ? a.value
                  : a.type == Type::boolean ? if_then_else(a.value, "1.0", "0.0")
                                            : sexpr("to_real", integer_of(a));
    } else if (is_real(a.type) && n.to == Type::boolean) {
        e.value = negation(sexpr("=", a.value, "0.0"));
    } else if (is_real(a.type)) {
        const std::string whole = real::truncated(a.value);
        e.image = Image{whole, true};
        e.undef = negation(fits(n.to, whole));
    } else if (is_ieee(a.type) || is_ieee(n.to)) {
        const Computed computed = ieee::cast(a.type, n.to, value_of(a));
        e.value = computed.value;
        e.undef = computed.undef;
    } else if (a.image && n.to == Type::boolean) {
        e.value = negation(sexpr("=", integer_of(a), "0"));
    } else if (a.image) {
        e = always_fits(a.type, n.to) ? Encoded{} : of_integer(n.to, integer_of(a));
        if (!e.image) { e.image = Image{integer_of(a), true}; }
    } else {
        const Computed computed = bit_vector_cast(a.type, n.to, a.value);
        e.value = computed.value;
        e.undef = computed.undef;
    }
    inherit(e, {&a});
    return e;
}

// The result of an operator on operands that are not defined: Undef takes precedence over Uninit.
void Encoder::inherit(Encoded& result, const std::vector<const Encoded*>& operands) {
    std::vector<std::string> undef;
    std::vector<std::string> uninit;
    for (const Encoded* operand : operands) {
        undef.push_back(operand->undef);
        uninit.push_back(operand->uninit);
    }
    result.uninit = disjunction(uninit);
    undef.push_back(conjunction({negation(result.uninit), result.undef}));
    result.undef = disjunction(undef);
    result.undef_disjuncts = std::move(undef);
}

std::string Encoder::bool_binary(BinaryOp op, const std::string& a, const std::string& b) {
    switch (op) {
        case BinaryOp::eq: return sexpr("=", a, b);
        case BinaryOp::ne: return negation(sexpr("=", a, b));
        case BinaryOp::logical_and: return conjunction({a, b});
        case BinaryOp::logical_or: return disjunction({a, b});
        default: break;
    }
    ENSURE(false, "an operator that bools do not have");
    return {};
}

// --- Values --------------------------------------------------------------------------------------------------------

bool Encoder::is_abstract(Type type) const {
    return (query_.abstraction == Abstraction::uninterpreted && type != Type::boolean) ||
           (query_.floats == Floats::uninterpreted && is_float(type));
}

bool Encoder::is_ieee(Type type) const { return is_float(type) && !is_abstract(type) && query_.floats == Floats::ieee; }

bool Encoder::is_abstract_float(Type type) const { return floats_ && is_float(type); }

bool Encoder::is_real(Type type) const { return is_float(type) && !is_abstract(type) && query_.floats == Floats::real; }

std::string Encoder::sort(Type type) const { return is_ieee(type) ? ieee::sort(type) : carrier(type); }

std::string Encoder::carrier(Type type) const {
    if (type == Type::boolean) { return "Bool"; }
    return is_real(type) ? "Real" : "(_ BitVec " + std::to_string(carrier_bits(type)) + ")";
}

int Encoder::carrier_bits(Type type) const { return is_abstract_float(type) ? floats_->bits(type) : value::bits(type); }

std::string Encoder::of_carrier(Type type, const std::string& text) const {
    return is_ieee(type) ? ieee::of_bits(type, text) : text;
}

std::string Encoder::literal_text(const Value& v) {
    if (v.type() == Type::boolean) { return v.as_bool() ? "true" : "false"; }
    if (is_real(v.type())) {
        if (!std::isfinite(v.as_double())) { throw Inexpressible{value::to_string(v) + " is no real number"}; }
        return decimal(v.as_double());
    }
    if (is_abstract_float(v.type())) { return floats_->literal(v); }
    // All NaN are one value; abstract values are identified by their bits alone.
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Value one = v.is_nan() ? value::cast(v.type(), Value::f64(nan)) : v;
    return of_carrier(v.type(), bit_vector(value::bits(v.type()), one.bit_pattern()));
}

// The bits of a value that is so far represented as an integer.
const std::string& Encoder::value_of(Encoded& e) {
    if (!e.value.empty()) { return e.value; }
    ENSURE(e.image, "a value or an integer is known of each term");
    // Bit by bit from the lowest, which solvers propagate in both directions; one equation with a power of two for each
    // bit would be a knapsack problem.
    std::vector<std::string> bits;
    std::string rest = e.image->integer;
    for (int i = 0; i < value::bits(e.type); ++i) {
        bits.push_back(if_then_else(sexpr("=", sexpr("mod", rest, "2"), "1"), "#b1", "#b0"));
        const std::string half = "q" + e.number + "." + std::to_string(i + 1);
        define(half, "Int", sexpr("div", rest, "2"));
        rest = half;
    }
    std::ranges::reverse(bits);
    e.value = "b" + e.number;
    define(e.value, sort(e.type), sexpr("concat", bits));
    return e.value;
}

std::string Encoder::same(Encoded& a, Encoded& b) {
    if (has_image(a) && has_image(b) && (a.image || b.image)) { return sexpr("=", integer_of(a), integer_of(b)); }
    const std::string& x = value_of(a);
    const std::string& y = value_of(b);
    if (x == y) { return "true"; }
    const std::string equal = sexpr("=", x, y);
    if (is_abstract_float(a.type) && query_.equality == Equality::same_number) {
        return floats_->same_number(a.type, x, y);
    }
    if (!is_ieee(a.type) || query_.equality == Equality::same_result) { return equal; }
    return disjunction({equal, sexpr("fp.eq", x, y)});
}

// --- Text ----------------------------------------------------------------------------------------------------------

std::string Encoder::variable_text(const std::string& name) {
    const std::string text = quoted("int " + name);
    declare(text, "() Int");
    variables_.insert(name);
    return text;
}

std::string Encoder::affine_text(const affine::Affine& a) {
    std::vector<std::string> terms;
    const auto add = [&](std::int64_t coefficient, const std::string& text) {
        terms.push_back(coefficient == 1 ? text : sexpr("*", numeral(coefficient), text));
    };
    for (const affine::Summand& s : a.summands) { add(s.coefficient, variable_text(s.variable)); }
    for (const affine::Quotient& q : a.quotients) {
        // SMT-LIB's division by a positive integer rounds down.
        add(q.coefficient, sexpr("div", affine_text(*q.numerator), numeral(q.divisor)));
    }
    if (a.constant != 0 || terms.empty()) { terms.push_back(numeral(a.constant)); }
    return terms.size() == 1 ? terms.front() : sexpr("+", terms);
}

std::string Encoder::condition_text(const affine::Disjunction& d) {
    std::vector<std::string> disjuncts;
    for (const affine::Conjunction& constraints : d) {
        std::vector<std::string> conjuncts;
        for (const affine::Constraint& c : constraints) {
            const bool equality = c.comparison == affine::Comparison::equals_zero;
            conjuncts.push_back(sexpr(equality ? "=" : ">=", affine_text(c.affine), "0"));
        }
        disjuncts.push_back(conjunction(conjuncts));
    }
    return disjunction(disjuncts);
}

void Encoder::declare(const std::string& name, const std::string& signature) {
    if (declared_.insert(name).second) { script_.declarations += "(declare-fun " + name + " " + signature + ")\n"; }
}

void Encoder::define(const std::string& name, const std::string& sort, const std::string& text) {
    script_.definitions.push_back({name, sort, text});
}

void Encoder::assert_that(const std::string& condition) {
    if (condition != "true") { script_.assertions.push_back(condition); }
}

// Asserts that no disjunct holds, each once. Z3 expands the negation of a disjunction as a tree before it counts any
// work: for disjunctions that share their disjuncts, 2^n after n steps.
void Encoder::assert_defined(const Encoded& e) {
    std::set<std::string, std::less<>> seen;
    std::vector<std::string> open{e.undef};
    while (!open.empty()) {
        const std::string next = std::move(open.back());
        open.pop_back();
        if (!seen.insert(next).second) { continue; }
        const auto known = disjuncts_.find(next);
        if (known == disjuncts_.end()) {
            assert_that(negation(next));
        } else {
            open.insert(open.end(), known->second.rbegin(), known->second.rend());
        }
    }
}

}  // namespace haruspex::smt
