#include "generators/sare/print.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/sare/box.h"
#include "generators/sare/build.h"
#include "generators/sare/precedence.h"
#include "generators/sare/staging.h"
#include "generators/sare/traverse.h"

namespace haruspex::sare {

namespace {

// How tightly the parts of indices and conditions bind, loosest first.
enum AffineLevel { or_level, and_level, not_level, relation_level, sum_level, product_level, prefix_level };

std::string enclose(bool needed, std::string text) { return needed ? "(" + text + ")" : text; }

std::string join(const std::vector<std::string>& parts, std::string_view between = ", ") {
    std::string text;
    for (const std::string& part : parts) {
        text += (text.empty() && &part == &parts.front() ? "" : std::string(between)) + part;
    }
    return text;
}

std::string print_condition(const Condition& condition, int context);

std::string print_index(const Index& index, int context) {
    const auto at = [&](int level, std::string text) { return enclose(level < context, std::move(text)); };
    return std::visit(
        Overload{
            [](const IndexConstant& n) { return std::to_string(n.value); },
            [](const IndexVariable& n) { return n.name; },
            [&](const IndexBinary& n) {
                switch (n.op) {
                    case IndexOp::add:
                        return at(sum_level, print_index(*n.a, sum_level) + " + " + print_index(*n.b, product_level));
                    case IndexOp::sub:
                        return at(sum_level, print_index(*n.a, sum_level) + " - " + print_index(*n.b, product_level));
                    case IndexOp::min:
                        return "min(" + print_index(*n.a, sum_level) + ", " + print_index(*n.b, sum_level) + ")";
                    case IndexOp::max:
                        return "max(" + print_index(*n.a, sum_level) + ", " + print_index(*n.b, sum_level) + ")";
                }
                raise_internal_error(__FILE__, __LINE__, "no such index operator");
            },
            [&](const IndexScale& n) {
                // A minus before a number would be read as its sign.
                if (n.factor == -1 && !std::holds_alternative<IndexConstant>(n.a->node)) {
                    return "-" + print_index(*n.a, prefix_level);
                }
                return at(product_level, fmt::format("{}*{}", n.factor, print_index(*n.a, prefix_level)));
            },
            [&](const IndexDiv& n) {
                return at(product_level, fmt::format("{}/{}", print_index(*n.a, product_level), n.divisor));
            },
            [&](const IndexMod& n) {
                return at(product_level, fmt::format("{}%{}", print_index(*n.a, product_level), n.divisor));
            },
            [&](const IndexSelect& n) {
                return "select(" + print_condition(*n.condition, or_level) + ", " + print_index(*n.if_true, sum_level) +
                       ", " + print_index(*n.if_false, sum_level) + ")";
            }},
        index.node);
}

std::string_view spelling(Relation relation) {
    switch (relation) {
        case Relation::lt: return " < ";
        case Relation::le: return " <= ";
        case Relation::eq: return " = ";
        case Relation::ne: return " != ";
        case Relation::gt: return " > ";
        case Relation::ge: return " >= ";
    }
    raise_internal_error(__FILE__, __LINE__, "no such relation");
}

// The comparisons of a < b <= c, in their order, if the condition is the tree that this text parses to.
std::vector<const Comparison*> chain_of(const Condition& condition) {
    if (const auto* c = std::get_if<Comparison>(&condition.node)) { return {c}; }
    const auto* both = std::get_if<And>(&condition.node);
    if (both == nullptr) { return {}; }
    const auto* last = std::get_if<Comparison>(&both->b->node);
    if (last == nullptr) { return {}; }
    std::vector<const Comparison*> chain = chain_of(*both->a);
    if (chain.empty() || chain.back()->b != last->a) { return {}; }
    chain.push_back(last);
    return chain;
}

std::string print_condition(const Condition& condition, int context) {
    if (const auto chain = chain_of(condition); !chain.empty()) {
        std::string text = print_index(chain.front()->a, sum_level);
        for (const Comparison* c : chain) { text += std::string(spelling(c->relation)) + print_index(c->b, sum_level); }
        return enclose(relation_level < context, text);
    }
    const auto at = [&](int level, std::string text) { return enclose(level < context, std::move(text)); };
    return std::visit(
        Overload{[](const Truth& n) -> std::string { return n.value ? "true" : "false"; },
                 [](const Comparison&) -> std::string {
                     raise_internal_error(__FILE__, __LINE__, "a comparison is a chain");
                 },
                 [&](const And& n) {
                     return at(and_level,
                               print_condition(*n.a, and_level) + " and " + print_condition(*n.b, not_level));
                 },
                 [&](const Or& n) {
                     return at(or_level, print_condition(*n.a, or_level) + " or " + print_condition(*n.b, and_level));
                 },
                 [&](const Not& n) { return at(not_level, "not " + print_condition(*n.a, not_level)); }},
        condition.node);
}

// Prints expressions; component 0 is written only if the tensor is known to have more than one.
struct ExprPrinter {
    std::set<std::string> tuples = {};

    std::string print(const Expr& expr, int context) const {
        const auto at = [&](int level, std::string text) { return enclose(level < context, std::move(text)); };
        const auto whole = [&](const Box<Expr>& e) { return print(*e, lowest_precedence); };
        return std::visit(
            Overload{
                [](const Literal& n) { return value::to_string(n.value); },
                [](const Embed& n) {
                    return fmt::format("{}<{}>", value::name(n.type), print_index(n.index, sum_level));
                },
                [](const Guard& n) { return "[" + print_condition(n.condition, or_level) + "]"; },
                [&](const Access& n) { return access(n); },
                [&](const Unary& n) {
                    const std::string op(value::spelling(n.op));
                    if (n.op == value::UnaryOp::absolute) { return op + "(" + whole(n.a) + ")"; }
                    // A minus before a number would be read as its sign.
                    const bool literal = n.op == value::UnaryOp::negate && std::holds_alternative<Literal>(n.a->node);
                    return at(prefix_precedence,
                              op + (literal ? "(" + whole(n.a) + ")" : print(*n.a, prefix_precedence)));
                },
                [&](const Binary& n) {
                    const std::string op(value::spelling(n.op));
                    if (is_call(n.op)) { return op + "(" + whole(n.a) + ", " + whole(n.b) + ")"; }
                    const int level = precedence(n.op);
                    return at(level, print(*n.a, level) + " " + op + " " + print(*n.b, level + 1));
                },
                [&](const Select& n) {
                    return "select(" + whole(n.condition) + ", " + whole(n.if_true) + ", " + whole(n.if_false) + ")";
                },
                [&](const Cast& n) { return fmt::format("{}({})", value::name(n.type), whole(n.a)); },
                [&](const Reduce& n) {
                    return fmt::format("{} over {{ [{}] : {} }} of ({})", value::spelling(n.op), join(n.variables),
                                       print_condition(n.domain, or_level), whole(n.body));
                }},
            expr.node);
    }

    std::string access(const Access& n) const {
        std::vector<std::string> indices;
        for (const Index& index : n.indices) { indices.push_back(print_index(index, sum_level)); }
        const bool component = n.component != 0 || tuples.contains(n.tensor);
        return n.tensor + "(" + join(indices) + ")" + (component ? "[" + std::to_string(n.component) + "]" : "");
    }

    std::string values(const std::vector<Expr>& values) const {
        std::vector<std::string> parts;
        for (const Expr& value : values) { parts.push_back(print(value, lowest_precedence)); }
        return parts.size() == 1 ? parts.front() : "{ " + join(parts) + " }";
    }
};

std::string print_types(const std::vector<value::Type>& types) {
    std::vector<std::string> names;
    for (const value::Type type : types) { names.emplace_back(value::name(type)); }
    return names.size() == 1 ? names.front() : "{" + join(names) + "}";
}

class SarePrinter {
public:
    explicit SarePrinter(const Sare& sare) : sare_(sare) {
        for (const Tensor& tensor : sare.tensors) {
            if (tensor.types.size() > 1) { exprs_.tuples.insert(tensor.name); }
        }
        for (const Input& input : sare.inputs) { known_.insert(input.name); }
    }

    std::string print(bool expanded) {
        header();
        const auto cut = groups(sare_);
        ENSURE(cut.has_value(), "only well-formed SAREs are printed: " + (cut ? "" : cut.error().message));
        for (const Group& group : *cut) {
            const auto tensors = std::span(sare_.tensors).subspan(group.first, group.count);
            if (group.staging == nullptr || expanded) {
                for (const Tensor& t : tensors) { tensor(t); }
                continue;
            }
            const auto f = unstage(tensors, *group.staging);
            ENSURE(f.has_value(), "only well-formed SAREs are printed: " + (f ? "" : f.error().message));
            function(*f);
            for (const Tensor& t : tensors) { known_.insert(t.name); }
        }
        for (const Output& o : sare_.outputs) { output(o); }
        return text_ + "}\n";
    }

private:
    void line(const std::string& text) { text_ += "  " + text + "\n"; }

    void header() {
        text_ = "sare " + sare_.name + "(" + join(sare_.parameters) + ")";
        if (sare_.assumptions != truth(true)) { text_ += " assuming " + print_condition(sare_.assumptions, or_level); }
        text_ += " {\n";
        for (const Input& input : sare_.inputs) {
            line(fmt::format("input {} : {}[{}]", input.name, value::name(input.type), input.rank));
        }
    }

    // Returns " : types" if the parser, which infers types from top to bottom, cannot know them.
    std::string annotation(const std::vector<value::Type>& types, const std::vector<Expr>& first_values) const {
        bool inferred = true;
        for (const Expr& value : first_values) {
            for_each_access(value, [&](const Access& access, const auto&) {
                inferred = inferred && known_.contains(access.tensor);
            });
        }
        return inferred ? "" : " : " + print_types(types);
    }

    void equation(const std::string& name, const std::vector<std::string>& variables, const std::string& types,
                  const Equation& e) {
        std::string text = name + "(" + join(variables) + ")" + types + " = " + exprs_.values(e.values);
        if (e.domain != truth(true)) { text += " if " + print_condition(e.domain, or_level); }
        line(text);
    }

    void tensor(const Tensor& t) {
        for (std::size_t i = 0; i < t.equations.size(); ++i) {
            equation(t.name, t.variables, i == 0 ? annotation(t.types, t.equations[i].values) : "", t.equations[i]);
        }
        known_.insert(t.name);
    }

    void function(const Function& f) {
        equation(f.name, f.variables, annotation(f.types, f.values), {truth(true), f.values});
        for (const UpdateDefinition& update : f.updates) {
            std::vector<std::string> target;
            for (const Index& index : update.target) { target.push_back(print_index(index, sum_level)); }
            std::string text = "update " + f.name + "(" + join(target) + ") = " + exprs_.values(update.values);
            std::vector<std::string> over;
            for (const RecurrenceVariable& k : update.over) {
                over.push_back(k.name + " in [" + print_index(k.min, sum_level) + ", " +
                               print_index(upper_bound({k.min, k.extent}), sum_level) + ")");
            }
            if (!over.empty()) { text += " over " + join(over); }
            if (update.where != truth(true)) { text += " where " + print_condition(update.where, or_level); }
            line(text);
        }
    }

    void output(const Output& o) {
        const auto tensor = std::find_if(sare_.tensors.begin(), sare_.tensors.end(),
                                         [&](const Tensor& t) { return t.name == o.tensor; });
        ENSURE(tensor != sare_.tensors.end() && tensor->variables.size() == o.box.size(),
               "output " + o.tensor + " has no tensor");
        std::vector<std::string> bounds;
        for (std::size_t p = 0; p < o.box.size(); ++p) {
            bounds.push_back(print_index(o.box[p].min, sum_level) + " <= " + tensor->variables[p] + " < " +
                             print_index(upper_bound(o.box[p]), sum_level));
        }
        line("output " + o.tensor + " on { [" + join(tensor->variables) +
             "] : " + (bounds.empty() ? "true" : join(bounds, " and ")) + " }");
    }

    const Sare& sare_;
    ExprPrinter exprs_;
    std::set<std::string> known_;
    std::string text_;
};

}  // namespace

std::string print(const Sare& sare) { return SarePrinter(sare).print(false); }

std::string print_expanded(const Sare& sare) { return SarePrinter(sare).print(true); }

std::string print(const Index& index) { return print_index(index, sum_level); }

std::string print(const Condition& condition) { return print_condition(condition, or_level); }

std::string print(const Expr& expr) { return ExprPrinter().print(expr, lowest_precedence); }

}  // namespace haruspex::sare
