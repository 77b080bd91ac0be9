#include "oracle/smt/terms.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"

namespace haruspex::smt {
namespace {

using value::Type;
using value::Value;

class Hash {
public:
    template <typename... Parts>
    explicit Hash(const Parts&... parts) {
        (add(parts), ...);
    }
    std::size_t value() const { return value_; }

private:
    template <typename T>
        requires std::is_integral_v<T> || std::is_enum_v<T>
    void add(T part) {
        // The constant of boost::hash_combine: the golden ratio's bits.
        value_ ^= std::hash<T>{}(part) + 0x9e3779b97f4a7c15U + (value_ << 6U) + (value_ >> 2U);
    }
    void add(Term term) { add(term.value); }
    void add(const std::string& text) { add(std::hash<std::string>{}(text)); }
    void add(const Value& v) {
        add(v.type());
        add(v.state());
        if (v.is_defined()) { add(v.bit_pattern()); }
    }
    void add(const affine::Summand& s) {
        add(s.variable);
        add(s.coefficient);
    }
    void add(const affine::Quotient& q) {
        add(q.coefficient);
        add(q.divisor);
        add(*q.numerator);
    }
    void add(const affine::Affine& a) {
        add(a.constant);
        add(a.summands);
        add(a.quotients);
    }
    void add(const affine::Constraint& c) {
        add(c.comparison);
        add(c.affine);
    }
    template <typename T>
    void add(const std::vector<T>& parts) {
        add(parts.size());
        for (const T& part : parts) { add(part); }
    }

    std::size_t value_ = 0;
};

std::size_t hash(const Node& node) {
    const std::size_t content = std::visit(
        Overload{
            [](const Literal& n) { return Hash(n.value).value(); },
            [](const Unary& n) { return Hash(n.op, n.a).value(); },
            [](const Binary& n) { return Hash(n.op, n.a, n.b).value(); },
            [](const Select& n) { return Hash(n.condition, n.if_true, n.if_false).value(); },
            [](const Cast& n) { return Hash(n.to, n.a).value(); },
            [](const Cell& n) { return Hash(n.tensor, n.component, n.type, n.definedness, n.indices).value(); },
            [](const Atom& n) { return Hash(n.type, n.number).value(); },
            [](const Embed& n) { return Hash(n.type, n.index).value(); },
            [](const Guard& n) { return Hash(n.condition).value(); },
        },
        node);
    return Hash(node.index(), content).value();
}

}  // namespace

std::vector<Term> operands(const Node& node) {
    return std::visit(Overload{
                          [](const Unary& n) { return std::vector{n.a}; },
                          [](const Binary& n) { return std::vector{n.a, n.b}; },
                          [](const Select& n) { return std::vector{n.condition, n.if_true, n.if_false}; },
                          [](const Cast& n) { return std::vector{n.a}; },
                          [](const auto&) { return std::vector<Term>{}; },
                      },
                      node);
}

Type Terms::type_of(const Node& node) const {
    return std::visit(Overload{
                          [](const Literal& n) { return n.value.type(); },
                          [&](const Unary& n) {
                              const auto t = value::result_type(n.op, type(n.a));
                              ENSURE(t, "the operand's type does not fit the operator");
                              return *t;
                          },
                          [&](const Binary& n) {
                              const auto t = value::result_type(n.op, type(n.a), type(n.b));
                              ENSURE(t, "the operands' types do not fit the operator");
                              return *t;
                          },
                          [&](const Select& n) {
                              ENSURE(type(n.condition) == Type::boolean && type(n.if_true) == type(n.if_false),
                                     "select needs a bool and two arms of one type");
                              return type(n.if_true);
                          },
                          [](const Cast& n) { return n.to; },
                          [](const Cell& n) { return n.type; },
                          [](const Atom& n) { return n.type; },
                          [](const Embed& n) {
                              ENSURE(n.type != Type::boolean, "an integer is embedded in a type of numbers");
                              return n.type;
                          },
                          [](const Guard&) { return Type::boolean; },
                      },
                      node);
}

Term Terms::intern(Node node) {
    const std::size_t key = hash(node);
    const auto [begin, end] = by_hash_.equal_range(key);
    for (auto it = begin; it != end; ++it) {
        if (nodes_[it->second.value] == node) { return it->second; }
    }
    if (const auto* cell = std::get_if<Cell>(&node)) {
        const Shape shape{cell->type, cell->definedness, cell->indices.size()};
        const auto [known, inserted] = shapes_.try_emplace({cell->tensor, cell->component}, shape);
        ENSURE(inserted || known->second == shape, "the cells of " + cell->tensor + " differ in type or rank");
    }
    const Type type = type_of(node);
    const Term term{static_cast<std::uint32_t>(nodes_.size())};
    nodes_.push_back(std::move(node));
    types_.push_back(type);
    by_hash_.emplace(key, term);
    return term;
}

std::vector<Term> reachable(const Terms& terms, const std::vector<Term>& roots) {
    // Operands are older than their users, so descending numbers visit each term after all its users.
    std::vector<bool> reached(terms.size());
    for (const Term root : roots) { reached.at(root.value) = true; }
    std::vector<Term> found;
    for (auto i = static_cast<std::uint32_t>(terms.size()); i-- > 0;) {
        if (!reached[i]) { continue; }
        found.push_back({i});
        for (const Term operand : operands(terms[{i}])) { reached[operand.value] = true; }
    }
    std::ranges::reverse(found);
    return found;
}

namespace {

// A term's text from its operands' texts.
std::string written(const Node& node, const std::vector<std::string>& parts) {
    return std::visit(
        Overload{
            [](const Literal& n) { return value::to_string(n.value); },
            [&](const Unary& n) { return std::string(value::spelling(n.op)) + "(" + parts[0] + ")"; },
            [&](const Binary& n) {
                const std::string op(value::spelling(n.op));
                if (n.op == value::BinaryOp::min || n.op == value::BinaryOp::max) {
                    return op + "(" + parts[0] + ", " + parts[1] + ")";
                }
                return "(" + parts[0] + " " + op + " " + parts[1] + ")";
            },
            [&](const Select&) { return "select(" + parts[0] + ", " + parts[1] + ", " + parts[2] + ")"; },
            [&](const Cast& n) { return std::string(value::name(n.to)) + "(" + parts[0] + ")"; },
            [](const Cell& n) {
                const auto coordinates = n.indices | std::views::transform([](const affine::Affine& index) {
                                             return affine::to_string(index);
                                         });
                return fmt::format("{}({})[{}]", n.tensor, fmt::join(coordinates, ", "), n.component);
            },
            [](const Atom& n) { return "atom_" + std::to_string(n.number) + "_" + std::string(value::name(n.type)); },
            [](const Embed& n) { return std::string(value::name(n.type)) + "<" + affine::to_string(n.index) + ">"; },
            [](const Guard& n) { return "[" + affine::to_string(n.condition) + "]"; },
        },
        node);
}

}  // namespace

std::optional<std::string> to_string(const Terms& terms, Term term, std::size_t longest) {
    std::unordered_map<std::uint32_t, std::string> texts;
    for (const Term t : reachable(terms, {term})) {
        std::vector<std::string> parts;
        for (const Term operand : operands(terms[t])) { parts.push_back(texts.at(operand.value)); }
        std::string text = written(terms[t], parts);
        if (text.size() > longest) { return std::nullopt; }
        texts.emplace(t.value, std::move(text));
    }
    return std::move(texts.at(term.value));
}

namespace {

class Evaluator {
public:
    Evaluator(const Terms& terms, const Interpretation& interpretation)
        : terms_(terms), interpretation_(interpretation) {}

    // The value of a term whose operands are known; nullopt if an index does not fit.
    std::optional<Value> evaluate(Term term) {
        const auto known = [&](Term t) { return values_.at(t.value); };
        return std::visit(
            Overload{
                [](const Literal& n) { return std::optional(n.value); },
                [&](const Unary& n) { return std::optional(value::apply(n.op, known(n.a))); },
                [&](const Binary& n) { return std::optional(value::apply(n.op, known(n.a), known(n.b))); },
                [&](const Select& n) {
                    return std::optional(value::select(known(n.condition), known(n.if_true), known(n.if_false)));
                },
                [&](const Cast& n) { return std::optional(value::cast(n.to, known(n.a))); },
                [&](const auto& n) { return leaf(n); },
            },
            terms_[term]);
    }

    void remember(Term term, const Value& value) { values_.emplace(term.value, value); }

private:
    std::optional<Value> leaf(const Cell& n) const {
        std::vector<std::int64_t> coordinates;
        for (const affine::Affine& index : n.indices) {
            const auto coordinate = affine::evaluate(index, interpretation_.variables);
            if (!coordinate) { return std::nullopt; }
            coordinates.push_back(*coordinate);
        }
        const Value v = interpretation_.cell(n, coordinates);
        ENSURE(v.type() == n.type, "a cell was given a value of another type");
        return v;
    }
    std::optional<Value> leaf(const Atom& n) const {
        const Value v = interpretation_.atom(n);
        ENSURE(v.type() == n.type, "an atom was given a value of another type");
        return v;
    }
    std::optional<Value> leaf(const Embed& n) const {
        const auto index = affine::evaluate(n.index, interpretation_.variables);
        if (!index) { return std::nullopt; }
        return value::cast(n.type, Value::integer(Type::i64, *index));
    }
    std::optional<Value> leaf(const Guard& n) const {
        const auto inside = affine::contains(n.condition, interpretation_.variables);
        return inside ? std::optional(Value::boolean(*inside)) : std::nullopt;
    }

    const Terms& terms_;
    const Interpretation& interpretation_;
    std::unordered_map<std::uint32_t, Value> values_;
};

}  // namespace

Result<Value> evaluate(const Terms& terms, Term term, const Interpretation& interpretation) {
    Evaluator evaluator(terms, interpretation);
    for (const Term t : reachable(terms, {term})) {
        const auto v = evaluator.evaluate(t);
        if (!v) { return fail("an index of " + to_string(terms, t).value_or("a term") + " does not fit 64 bits"); }
        if (t == term) { return *v; }
        evaluator.remember(t, *v);
    }
    ENSURE(false, "a term is reachable from itself");
    return fail("unreachable");
}

}  // namespace haruspex::smt
