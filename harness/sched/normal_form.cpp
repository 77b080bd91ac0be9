#include "harness/sched/normal_form.h"

#include <algorithm>
#include <optional>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "harness/sched/traverse.h"

namespace haruspex::sched {
namespace {

Polynomial constant(std::int64_t n) { return n == 0 ? Polynomial{} : Polynomial{{{}, n}}; }
std::optional<std::int64_t> as_constant(const Polynomial& p) {
    if (p.empty()) { return 0; }
    if (p.size() == 1 && p.begin()->first.empty()) { return p.begin()->second; }
    return std::nullopt;
}

// Nothing when a coefficient leaves 64 bits.
std::optional<Polynomial> add(Polynomial a, const Polynomial& b, std::int64_t factor) {
    for (const auto& [monomial, coefficient] : b) {
        std::int64_t term = 0, sum = 0;
        if (__builtin_mul_overflow(coefficient, factor, &term)) { return std::nullopt; }
        if (__builtin_add_overflow(a[monomial], term, &sum)) { return std::nullopt; }
        if (sum == 0) {
            a.erase(monomial);
        } else {
            a[monomial] = sum;
        }
    }
    return a;
}

std::optional<Polynomial> multiply(const Polynomial& a, const Polynomial& b) {
    Polynomial result;
    for (const auto& [m, x] : a) {
        Polynomial row;
        for (const auto& [n, y] : b) {
            Monomial product;
            std::ranges::merge(m, n, std::back_inserter(product));
            std::int64_t coefficient = 0;
            if (__builtin_mul_overflow(x, y, &coefficient)) { return std::nullopt; }
            row[product] = coefficient;
        }
        auto sum = add(std::move(result), row, 1);
        if (!sum) { return std::nullopt; }
        result = std::move(*sum);
    }
    return result;
}

bool compares(std::int64_t n, Relation relation) {
    switch (relation) {
        case Relation::lt: return n < 0;
        case Relation::le: return n <= 0;
        case Relation::eq: return n == 0;
        case Relation::ne: return n != 0;
        case Relation::gt: return n > 0;
        case Relation::ge: return n >= 0;
    }
    ENSURE(false, "unknown relation");
    return false;
}

const char* relation_text(Relation relation) {
    switch (relation) {
        case Relation::lt: return "<0";
        case Relation::le: return "<=0";
        case Relation::eq: return "=0";
        case Relation::ne: return "!=0";
        case Relation::gt: return ">0";
        case Relation::ge: return ">=0";
    }
    ENSURE(false, "unknown relation");
    return "";
}

}  // namespace

std::string to_string(const Polynomial& polynomial) {
    std::string text;
    for (const auto& [monomial, coefficient] : polynomial) {
        if (!text.empty()) { text += "+"; }
        text += std::to_string(coefficient);
        for (const std::string& a : monomial) { text += "*" + a; }
    }
    return text.empty() ? "0" : text;
}

class NormalFormBuilder {
public:
    explicit NormalFormBuilder(NormalForms& forms) : forms_(forms) {}
    using Form = NormalForms::Form;

    Form form(const Expr& expr) {
        return std::visit(
            Overload{
                [](const Integer& n) -> Form { return constant(n.value); },
                [](const Truth& n) -> Form { return std::string(n.value ? "true" : "false"); },
                [&](const Variable& n) -> Form {
                    const Form* meaning = forms_.find(n.name);
                    return meaning == nullptr ? Form(atom(n.name)) : *meaning;
                },
                [&](const IndexBinary& n) -> Form { return binary(n.op, polynomial(*n.a), polynomial(*n.b)); },
                [&](const Comparison& n) -> Form { return comparison(n); },
                [&](const And& n) -> Form { return proposition(text(*n.a) + " and " + text(*n.b)); },
                [&](const Or& n) -> Form { return proposition(text(*n.a) + " or " + text(*n.b)); },
                [&](const Not& n) -> Form { return proposition("not " + text(*n.a)); },
                [&](const Select& n) -> Form { return choice(n); },
                [&](const LetIn& n) -> Form {
                    forms_.enter();
                    forms_.define(n.name, *n.value);
                    Form body = form(*n.body);
                    forms_.leave();
                    return body;
                },
                [&](const ValueVariable& n) -> Form {
                    const Form* meaning = n.lane ? nullptr : forms_.find(n.name);
                    return meaning == nullptr ? Form(operation(expr, "let " + n.name)) : *meaning;
                },
                [&](const LetValueIn& n) -> Form {
                    if (n.lanes) { return operation(expr, "let " + n.name); }
                    forms_.enter();
                    forms_.define(n.name, *n.value);
                    Form body = form(*n.body);
                    forms_.leave();
                    return body;
                },
                // Values: an operation on the normal forms of its operands.
                [&](const Denoted&) -> Form { return operation(expr, "int"); },
                [&](const Literal& n) -> Form { return operation(expr, value::to_string(n.value)); },
                [&](const Embed& n) -> Form { return operation(expr, std::string(value::name(n.type))); },
                [&](const Guard&) -> Form { return operation(expr, "truth"); },
                [&](const Load& n) -> Form { return operation(expr, "load " + n.array); },
                [&](const TensorAccess& n) -> Form {
                    return operation(expr, n.tensor + "[" + std::to_string(n.component) + "]");
                },
                [&](const Unary& n) -> Form { return operation(expr, "unary " + std::string(value::spelling(n.op))); },
                [&](const Binary& n) -> Form { return operation(expr, std::string(value::spelling(n.op))); },
                [&](const Cast& n) -> Form { return operation(expr, "to " + std::string(value::name(n.type))); },
                [&](const LaneReduce& n) -> Form {
                    forms_.enter();
                    forms_.represent(n.lanes.variable, "lane of " + std::to_string(n.lanes.count));
                    Form result = operation(expr, std::string(value::spelling(n.op)) + " lanes");
                    forms_.leave();
                    return result;
                }},
            expr.node);
    }

    std::string text(const Expr& expr) {
        const Form f = form(expr);
        const auto* p = std::get_if<Polynomial>(&f);
        return p != nullptr ? to_string(*p) : std::get<std::string>(f);
    }

    Polynomial atom(const std::string& text) const { return {{{forms_.atoms_->name(text)}, 1}}; }

private:
    Polynomial operation(const Expr& expr, const std::string& head) {
        std::string words = head;
        for_each_part(expr, [&](const Expr& part) { words += " (" + text(part) + ")"; });
        return atom(words);
    }

    std::string proposition(const std::string& text) const { return forms_.atoms_->name(text); }

    Polynomial polynomial(const Expr& expr) {
        Form f = form(expr);
        if (auto* p = std::get_if<Polynomial>(&f)) { return std::move(*p); }
        return atom(std::get<std::string>(f));
    }

    Form binary(IndexOp op, const Polynomial& a, const Polynomial& b) {
        const auto or_atom = [&](const std::optional<Polynomial>& result, const char* name) {
            return result ? *result : atom(std::string(name) + "(" + to_string(a) + "," + to_string(b) + ")");
        };
        switch (op) {
            case IndexOp::add: return or_atom(add(a, b, 1), "add");
            case IndexOp::sub: return or_atom(add(a, b, -1), "sub");
            case IndexOp::mul: return or_atom(multiply(a, b), "mul");
            case IndexOp::div: return quotient(a, b);
            case IndexOp::mod: return remainder(a, b);
            case IndexOp::min: return extremum("min", a, b);
            case IndexOp::max: return extremum("max", a, b);
        }
        ENSURE(false, "unknown operator");
        return {};
    }

    // The terms that a positive constant divides, divided, and the rest.
    static std::pair<Polynomial, Polynomial> split_multiples(const Polynomial& a, std::int64_t divisor) {
        Polynomial multiples, rest;
        for (const auto& [monomial, coefficient] : a) {
            const std::int64_t r = ((coefficient % divisor) + divisor) % divisor;
            if (monomial.empty() || r == 0) {
                if (coefficient - r != 0) { multiples[monomial] = (coefficient - r) / divisor; }
                if (r != 0) { rest[monomial] = r; }
            } else {
                rest[monomial] = coefficient;
            }
        }
        return {multiples, rest};
    }

    // (d*q + r) / d = q + r / d and (d*q + r) % d = r % d for a constant d > 0.
    Form quotient(const Polynomial& a, const Polynomial& b) {
        const auto d = as_constant(b);
        if (d && *d == 1) { return a; }
        if (!d || *d <= 0) { return atom("(" + to_string(a) + ")/(" + to_string(b) + ")"); }
        auto [whole, rest] = split_multiples(a, *d);
        if (const auto r = as_constant(rest); r && *r >= 0 && *r < *d) { return whole; }
        auto sum = add(std::move(whole), atom("(" + to_string(rest) + ")/" + std::to_string(*d)), 1);
        return sum ? *sum : atom("(" + to_string(a) + ")/" + std::to_string(*d));
    }

    Form remainder(const Polynomial& a, const Polynomial& b) {
        const auto d = as_constant(b);
        if (!d || *d <= 0) { return atom("(" + to_string(a) + ")%(" + to_string(b) + ")"); }
        const auto rest = split_multiples(a, *d).second;
        if (const auto r = as_constant(rest); r && *r >= 0 && *r < *d) { return constant(*r); }
        return atom("(" + to_string(rest) + ")%" + std::to_string(*d));
    }

    Form extremum(const std::string& name, const Polynomial& a, const Polynomial& b) {
        const bool ordered = to_string(a) <= to_string(b);
        const Polynomial& first = ordered ? a : b;
        const Polynomial& second = ordered ? b : a;
        const auto difference = add(second, first, -1);
        if (!difference) { return atom(name + "(" + to_string(first) + "," + to_string(second) + ")"); }
        if (const auto n = as_constant(*difference)) {
            const bool takes_second = name == "min" ? *n < 0 : *n > 0;
            return takes_second ? second : first;
        }
        auto sum = add(first, atom(name + "(0," + to_string(*difference) + ")"), 1);
        return sum ? *sum : atom(name + "(" + to_string(first) + "," + to_string(second) + ")");
    }

    Form comparison(const Comparison& c) {
        const Form a = form(*c.a), b = form(*c.b);
        const auto *p = std::get_if<Polynomial>(&a), *q = std::get_if<Polynomial>(&b);
        if (p == nullptr || q == nullptr) {
            return proposition(text(*c.a) + (c.relation == Relation::eq ? " iff " : " xor ") + text(*c.b));
        }
        // a > b as b < a, and one sign for equalities.
        const bool turns = c.relation == Relation::gt || c.relation == Relation::ge;
        Relation relation = c.relation == Relation::gt   ? Relation::lt
                            : c.relation == Relation::ge ? Relation::le
                                                         : c.relation;
        const auto difference = turns ? add(*q, *p, -1) : add(*p, *q, -1);
        if (!difference) { return proposition(to_string(*p) + "-" + to_string(*q) + relation_text(c.relation)); }
        // Of integers, a < b is a + 1 <= b.
        Polynomial normal = *difference;
        if (relation == Relation::lt) {
            if (auto next = add(normal, constant(1), 1)) {
                normal = std::move(*next);
                relation = Relation::le;
            }
        }
        if (relation == Relation::eq || relation == Relation::ne) {
            if (!normal.empty() && normal.rbegin()->second < 0) {
                if (auto negated = add({}, normal, -1)) { normal = std::move(*negated); }
            }
        }
        if (const auto n = as_constant(normal)) { return std::string(compares(*n, relation) ? "true" : "false"); }
        return proposition(to_string(normal) + relation_text(relation));
    }

    Form choice(const Select& s) {
        const std::string condition = text(*s.condition);
        const Form a = form(*s.if_true), b = form(*s.if_false);
        if (a == b) { return a; }
        const std::string words = "select(" + condition + "," + text(*s.if_true) + "," + text(*s.if_false) + ")";
        return std::holds_alternative<Polynomial>(a) ? Form(atom(words)) : Form(proposition(words));
    }

    NormalForms& forms_;
};

void NormalForms::define(const std::string& name, const Expr& value) {
    // Before the name is there: it may occur in its own definition, and mean another one.
    Form form = NormalFormBuilder(*this).form(value);
    scopes_.back().insert_or_assign(name, std::move(form));
}

void NormalForms::represent(const std::string& name, const std::string& text) {
    scopes_.back().insert_or_assign(name, NormalFormBuilder(*this).atom(text));
}

std::string NormalForms::of(const Expr& expr) { return NormalFormBuilder(*this).text(expr); }

const NormalForms::Form* NormalForms::find(const std::string& name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        const auto found = scope->find(name);
        if (found != scope->end()) { return &found->second; }
    }
    return nullptr;
}

}  // namespace haruspex::sched
