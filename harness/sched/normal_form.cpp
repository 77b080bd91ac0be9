#include "harness/sched/normal_form.h"

#include <optional>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "harness/sched/operators.h"
#include "harness/sched/polynomials.h"
#include "harness/sched/traverse.h"

namespace haruspex::sched {

class NormalFormBuilder {
    static constexpr const char* truth_head = "truth";
    const std::string index_heads[2] = {std::string(value::name(value::Type::i32)),
                                        std::string(value::name(value::Type::i64))};

public:
    explicit NormalFormBuilder(NormalForms& forms) : forms_(forms), polynomials_(*forms.atoms_) {}

    Polynomial form(const Expr& expr) {
        return std::visit(
            Overload{
                [](const Integer& n) { return Polynomials::constant(n.value); },
                [](const Truth& n) { return Polynomials::constant(n.value ? 1 : 0); },
                [&](const Variable& n) { return named(n.name); },
                [&](const IndexBinary& n) { return binary(n.op, form(*n.a), form(*n.b)); },
                [&](const Comparison& n) { return comparison(n.relation, form(*n.a), form(*n.b)); },
                [&](const And& n) { return conjunction(form(*n.a), form(*n.b)); },
                [&](const Or& n) { return negation(conjunction(negation(form(*n.a)), negation(form(*n.b)))); },
                [&](const Not& n) { return negation(form(*n.a)); },
                [&](const Select& n) { return choice(holds(form(*n.condition)), form(*n.if_true), form(*n.if_false)); },
                [&](const LetIn& n) { return inside(n.name, std::nullopt, *n.value, *n.body); },
                [&](const LetValueIn& n) { return inside(n.name, n.lanes, *n.value, *n.body); },
                [&](const ValueVariable& n) {
                    const Polynomial meaning = named(n.name);
                    return n.lane ? operation(expr, "at lane", {meaning}) : meaning;
                },
                // Values: an operation on the normal forms of its operands.
                [&](const IntegerOf& n) { return denoted(form(*n.a)); },
                [&](const Literal& n) { return literal(n.value); },
                [&](const Embed& n) { return embedded(n.type, form(*n.index)); },
                [&](const Guard&) { return operation(expr, truth_head); },
                [&](const Load& n) { return operation(expr, n.guard ? "guarded load" : "load", {named(n.array)}); },
                [&](const TensorAccess& n) {
                    return operation(expr, n.tensor + "[" + std::to_string(n.component) + "]");
                },
                [&](const Unary& n) { return operation(expr, "unary " + std::string(value::spelling(n.op))); },
                [&](const Binary& n) { return on_values(n.op, form(*n.a), form(*n.b)); },
                [&](const Cast& n) { return operation(expr, "to " + std::string(value::name(n.type))); },
                [&](const LaneReduce& n) {
                    return forms_.over_lanes("fold " + std::string(value::spelling(n.op)), n.lanes, *n.body);
                }},
            expr.node);
    }

    // The form of a condition, or of the condition that a bool stands for.
    Polynomial holds(const Polynomial& form) const {
        const Polynomial* condition = operand(form, truth_head);
        return condition == nullptr ? form : *condition;
    }

    Polynomial named(const std::string& name) const {
        const Polynomial* meaning = forms_.find(name);
        return meaning == nullptr ? polynomials_.atom(name) : *meaning;
    }

private:
    Polynomial operation(const Expr& expr, const std::string& head, std::vector<Polynomial> operands = {}) {
        for_each_part(expr, [&](const Expr& part) { operands.push_back(form(part)); });
        return polynomials_.atom(head, std::move(operands));
    }

    Polynomial inside(const std::string& name, const std::optional<Lanes>& lanes, const Expr& value, const Expr& body) {
        forms_.enter();
        forms_.define(name, lanes, value);
        Polynomial result = form(body);
        forms_.leave();
        return result;
    }

    Polynomial embedded(value::Type type, Polynomial index) const {
        return polynomials_.atom(std::string(value::name(type)), {std::move(index)});
    }

    Polynomial literal(const value::Value& v) const {
        const auto type = v.type();
        const bool is_index = v.is_defined() && value::overflow_is_undefined(type);
        return is_index ? embedded(type, Polynomials::constant(v.as_signed()))
                        : polynomials_.atom("literal " + value::to_string(v));
    }

    // Returns the only operand if the form is nothing but this operation.
    const Polynomial* operand(const Polynomial& form, const std::string& head) const {
        if (form.size() != 1 || form.begin()->second != 1 || form.begin()->first.size() != 1) { return nullptr; }
        const Atoms::Meaning& meaning = forms_.atoms_->meaning(form.begin()->first[0]);
        return meaning.head == head && meaning.operands.size() == 1 ? &meaning.operands[0] : nullptr;
    }

    Polynomial denoted(const Polynomial& value) const {
        for (const std::string& head : {std::string(truth_head), index_heads[0], index_heads[1]}) {
            if (const Polynomial* index = operand(value, head)) { return *index; }
        }
        return polynomials_.atom("int", {value});
    }

    // Values of i32 and i64 are indices where they are defined.
    Polynomial on_values(value::BinaryOp op, const Polynomial& a, const Polynomial& b) const {
        for (const std::string& head : index_heads) {
            if (operand(a, head) == nullptr && operand(b, head) == nullptr) { continue; }
            if (const auto index = index_operator(op)) {
                return polynomials_.atom(head, {binary(*index, denoted(a), denoted(b))});
            }
            if (const auto related = relation(op)) {
                return polynomials_.atom(truth_head, {comparison(*related, denoted(a), denoted(b))});
            }
        }
        return polynomials_.atom("value " + std::string(value::spelling(op)), {a, b});
    }

    Polynomial binary(IndexOp op, const Polynomial& a, const Polynomial& b) const {
        const auto otherwise = [&](const char* name, std::optional<Polynomial> result) {
            return result ? std::move(*result) : polynomials_.atom(std::string("any ") + name, {a, b});
        };
        const auto by_constant = [&](auto divide) -> std::optional<Polynomial> {
            const auto divisor = Polynomials::as_constant(b);
            return divisor && *divisor > 0 ? divide(*divisor) : std::nullopt;
        };
        switch (op) {
            case IndexOp::add: return otherwise("+", Polynomials::add(a, b));
            case IndexOp::sub: return otherwise("-", Polynomials::add(a, b, -1));
            case IndexOp::mul: return otherwise("*", polynomials_.multiply(a, b));
            case IndexOp::div:
                return otherwise("/", by_constant([&](std::int64_t d) { return polynomials_.quotient(a, d); }));
            case IndexOp::mod:
                return otherwise("%", by_constant([&](std::int64_t d) { return polynomials_.remainder(a, d); }));
            case IndexOp::min: return otherwise("min", polynomials_.minimum(a, b));
            case IndexOp::max: return otherwise("max", polynomials_.maximum(a, b));
        }
        ENSURE(false, "unknown operator");
        return {};
    }

    Polynomial negation(const Polynomial& condition) const {
        const auto result = Polynomials::add(Polynomials::constant(1), condition, -1);
        return result ? *result : polynomials_.atom("any not", {condition}, true);
    }

    Polynomial conjunction(const Polynomial& a, const Polynomial& b) const {
        const auto result = polynomials_.multiply(a, b);
        return result ? *result : polynomials_.atom("any and", {a, b}, true);
    }

    Polynomial comparison(Relation relation, const Polynomial& a, const Polynomial& b) const {
        // For differences that cannot be represented.
        const auto otherwise = [&](const char* name, const Polynomial& x, const Polynomial& y, auto test) {
            const auto difference = Polynomials::add(x, y, -1);
            const auto result = difference ? test(*difference) : std::nullopt;
            return result ? *result : polynomials_.atom(std::string("any ") + name, {x, y}, true);
        };
        const auto at_most = [&](const Polynomial& x, const Polynomial& y) {
            return otherwise("<=", x, y, [&](const Polynomial& p) { return polynomials_.at_most_zero(p); });
        };
        const auto same = [&] {
            return otherwise("=", a, b, [&](const Polynomial& p) { return polynomials_.is_zero(p); });
        };
        switch (relation) {
            case Relation::lt: return negation(at_most(b, a));
            case Relation::le: return at_most(a, b);
            case Relation::eq: return same();
            case Relation::ne: return negation(same());
            case Relation::gt: return negation(at_most(a, b));
            case Relation::ge: return at_most(b, a);
        }
        ENSURE(false, "unknown relation");
        return {};
    }

    Polynomial choice(const Polynomial& condition, const Polynomial& if_true, const Polynomial& if_false) const {
        const auto difference = Polynomials::add(if_true, if_false, -1);
        const auto product = difference ? polynomials_.multiply(condition, *difference) : std::nullopt;
        const auto result = product ? Polynomials::add(if_false, *product) : std::nullopt;
        return result ? *result : polynomials_.atom("any select", {condition, if_true, if_false});
    }

    NormalForms& forms_;
    Polynomials polynomials_;
};

void NormalForms::define(const std::string& name, const Expr& value) { define(name, std::nullopt, value); }

void NormalForms::define(const std::string& name, const std::optional<Lanes>& lanes, const Expr& value) {
    // Before the name is defined: it may occur in its own definition, with another meaning.
    Polynomial form = lanes ? over_lanes("family", *lanes, value) : NormalFormBuilder(*this).form(value);
    scopes_.back().insert_or_assign(name, std::move(form));
}

Polynomial NormalForms::over_lanes(const std::string& head, const Lanes& lanes, const Expr& body) {
    enter();
    // Binders of lanes nest, so their variables must differ.
    represent(lanes.variable, "lane " + std::to_string(++lanes_));
    Polynomial form = NormalFormBuilder(*this).form(body);
    --lanes_;
    leave();
    return Polynomials(*atoms_).atom(head + " over " + std::to_string(lanes.count), {std::move(form)});
}

void NormalForms::represent(const std::string& name, const std::string& text) {
    scopes_.back().insert_or_assign(name, Polynomials(*atoms_).atom(text));
}

Polynomial NormalForms::of(const Expr& expr) {
    NormalFormBuilder builder(*this);
    return builder.holds(builder.form(expr));
}

Polynomial NormalForms::of_array(const std::string& name) { return NormalFormBuilder(*this).named(name); }

const Polynomial* NormalForms::find(const std::string& name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        const auto found = scope->find(name);
        if (found != scope->end()) { return &found->second; }
    }
    return nullptr;
}

}  // namespace haruspex::sched
