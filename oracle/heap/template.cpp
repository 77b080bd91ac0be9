#include "oracle/heap/template.h"

#include "generators/base/ensure.h"
#include "generators/base/numbers.h"
#include "generators/base/overload.h"
#include "generators/sare/precedence.h"

namespace haruspex::heap {
namespace {

std::size_t mix(std::size_t seed, std::size_t value) {
    return seed ^ (value + 0x9e3779b97f4a7c15u + (seed << 6) + (seed >> 2));
}

std::size_t hash_of(const Node& node) {
    std::size_t h = mix(node.what.index(), static_cast<std::size_t>(node.type));
    const auto add = [&](std::size_t value) { h = mix(h, value); };
    std::visit(Overload{[&](const Literal& n) {
                            add(static_cast<std::size_t>(n.value.state()));
                            if (n.value.is_defined()) { add(n.value.bit_pattern()); }
                        },
                        [](const Uninit&) {}, [](const Unknown&) {},
                        [&](const Cell& n) {
                            add(std::hash<std::string>{}(n.tensor));
                            add(static_cast<std::size_t>(n.component));
                        },
                        [](const Embed&) {},
                        [&](const Unary& n) {
                            add(static_cast<std::size_t>(n.op));
                            add(n.a.id);
                        },
                        [&](const Binary& n) {
                            add(static_cast<std::size_t>(n.op));
                            add(n.a.id);
                            add(n.b.id);
                        },
                        [&](const Cast& n) { add(n.a.id); },
                        [&](const Select& n) {
                            add(n.condition.id);
                            add(n.if_true.id);
                            add(n.if_false.id);
                        }},
               node.what);
    return h;
}

}  // namespace

Template Templates::intern(Node node) {
    const std::size_t hash = hash_of(node);
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto i = first; i != last; ++i) {
        if (entries_[i->second].node == node) { return {i->second}; }
    }
    Entry entry{std::move(node), 0, false, false};
    entry.mentions_uninit = std::holds_alternative<Uninit>(entry.node.what);
    entry.mentions_unknown = std::holds_alternative<Unknown>(entry.node.what);
    if (const auto* cell = std::get_if<Cell>(&entry.node.what)) { entry.holes = cell->rank; }
    if (std::holds_alternative<Embed>(entry.node.what)) { entry.holes = 1; }
    const Template result{static_cast<std::uint32_t>(entries_.size())};
    entries_.push_back(std::move(entry));
    for (const Template operand : operands(result)) {
        entries_[result.id].holes += holes(operand);
        entries_[result.id].mentions_uninit |= mentions_uninit(operand);
        entries_[result.id].mentions_unknown |= mentions_unknown(operand);
    }
    by_hash_.emplace(hash, result.id);
    return result;
}

std::vector<Template> Templates::operands(Template t) const {
    using List = std::vector<Template>;
    return std::visit(Overload{[](const Unary& n) { return List{n.a}; }, [](const Binary& n) { return List{n.a, n.b}; },
                               [](const Cast& n) { return List{n.a}; },
                               [](const Select& n) { return List{n.condition, n.if_true, n.if_false}; },
                               [](const auto&) { return List{}; }},
                      (*this)[t].what);
}

Template Templates::literal(const value::Value& value) {
    ENSURE(!value.is_uninit(), "a literal that is Uninit");
    return intern({value.type(), Literal{value}});
}

Template Templates::cell(const std::string& tensor, int component, value::Type type, std::size_t rank) {
    return intern({type, Cell{tensor, component, rank}});
}

Template Templates::apply(value::UnaryOp op, Template a) {
    const auto result = value::result_type(op, type(a));
    ENSURE(result, "an operand that does not fit the operator");
    const auto* x = std::get_if<Literal>(&(*this)[a].what);
    if (const auto folded = x != nullptr ? value::apply(op, x->value) : value::Value::undef(*result);
        folded.is_defined()) {
        return literal(folded);
    }
    return intern({*result, Unary{op, a}});
}

Template Templates::apply(value::BinaryOp op, Template a, Template b) {
    const auto result = value::result_type(op, type(a), type(b));
    ENSURE(result, "operands that do not fit the operator");
    const auto* x = std::get_if<Literal>(&(*this)[a].what);
    const auto* y = std::get_if<Literal>(&(*this)[b].what);
    if (const auto folded = x != nullptr && y != nullptr ? value::apply_exactly(op, x->value, y->value) : std::nullopt;
        folded && folded->is_defined()) {
        return literal(*folded);
    }
    return intern({*result, Binary{op, a, b}});
}

Template Templates::cast(value::Type to, Template a) {
    const auto* x = std::get_if<Literal>(&(*this)[a].what);
    if (const auto folded = x != nullptr ? value::cast_exactly(to, x->value) : std::nullopt;
        folded && folded->is_defined()) {
        return literal(*folded);
    }
    return intern({to, Cast{a}});
}

Template Templates::select(Template condition, Template if_true, Template if_false) {
    ENSURE(type(condition) == value::Type::boolean && type(if_true) == type(if_false), "a select of mixed types");
    const auto* c = std::get_if<Literal>(&(*this)[condition].what);
    const auto* x = std::get_if<Literal>(&(*this)[if_true].what);
    const auto* y = std::get_if<Literal>(&(*this)[if_false].what);
    if (c != nullptr && x != nullptr && y != nullptr) { return literal(value::select(c->value, x->value, y->value)); }
    return intern({type(if_true), Select{condition, if_true, if_false}});
}

Template Templates::of_tuple(const std::string& name) {
    const auto id =
        name.starts_with('e') ? parse_number<decltype(Template::id)>(std::string_view(name).substr(1)) : std::nullopt;
    ENSURE(id, "a tuple that is no template's: " + name);
    return {*id};
}

std::string Templates::to_string(Template t, const std::vector<std::string>& holes) const {
    ENSURE(holes.size() == this->holes(t), "a text for each hole");
    std::size_t next = 0;
    return print(t, sare::lowest_precedence, holes, next);
}

// Prints the operands in order; each takes the texts of its own holes, from `next` on.
std::string Templates::print(Template t, int context, const std::vector<std::string>& holes, std::size_t& next) const {
    const auto type_name = [&] { return std::string(value::name(type(t))); };
    const auto whole = [&](Template a) { return print(a, sare::lowest_precedence, holes, next); };
    const auto at = [&](int level, std::string text) { return level < context ? "(" + text + ")" : std::move(text); };
    return std::visit(
        Overload{[](const Literal& n) { return value::to_string(n.value); },
                 [&](const Uninit&) { return "uninit_" + type_name(); },
                 [&](const Unknown&) { return "unknown_" + type_name(); },
                 [&](const Cell& n) {
                     std::string text = n.tensor + "(";
                     for (std::size_t d = 0; d < n.rank; ++d) { text += (d == 0 ? "" : ", ") + holes[next++]; }
                     return text + ")" + (n.component == 0 ? "" : "[" + std::to_string(n.component) + "]");
                 },
                 [&](const Embed&) { return type_name() + "<" + holes[next++] + ">"; },
                 [&](const Unary& n) {
                     const std::string op(value::spelling(n.op));
                     if (n.op == value::UnaryOp::absolute) { return op + "(" + whole(n.a) + ")"; }
                     return at(sare::prefix_precedence, op + print(n.a, sare::prefix_precedence, holes, next));
                 },
                 [&](const Binary& n) {
                     const std::string op(value::spelling(n.op));
                     if (sare::is_call(n.op)) {
                         const std::string a = whole(n.a);
                         return op + "(" + a + ", " + whole(n.b) + ")";
                     }
                     const int level = sare::precedence(n.op);
                     const std::string a = print(n.a, level, holes, next);
                     return at(level, a + " " + op + " " + print(n.b, level + 1, holes, next));
                 },
                 [&](const Cast& n) { return type_name() + "(" + whole(n.a) + ")"; },
                 [&](const Select& n) {
                     const std::string condition = whole(n.condition), if_true = whole(n.if_true);
                     return "select(" + condition + ", " + if_true + ", " + whole(n.if_false) + ")";
                 }},
        (*this)[t].what);
}

}  // namespace haruspex::heap
