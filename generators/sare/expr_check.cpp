#include "generators/sare/expr_check.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "generators/base/overload.h"
#include "generators/sare/limits.h"
#include "generators/sare/names.h"
#include "generators/sare/traverse.h"

namespace haruspex::sare {

namespace {

std::unexpected<std::string> wrong(std::string why) { return std::unexpected(std::move(why)); }

std::unexpected<std::string> too_deep() {
    return wrong(fmt::format("an expression is nested too deeply; expected at most {} levels", max_depth));
}

Sound resolve(const std::set<std::string>& names, const Scope& scope) {
    for (const std::string& name : names) {
        if (std::find(scope.begin(), scope.end(), name) == scope.end()) { return wrong(unknown_variable(name, scope)); }
    }
    return {};
}

// Divisors must be positive; the syntax allows no other malformed index.
struct DivisorCheck {
    bool positive = true;

    void look(const Index& index) {
        std::visit(Overload{[](const IndexConstant&) {}, [](const IndexVariable&) {},
                            [&](const IndexBinary& n) {
                                look(*n.a);
                                look(*n.b);
                            },
                            [&](const IndexScale& n) { look(*n.a); },
                            [&](const IndexDiv& n) {
                                positive = positive && n.divisor > 0;
                                look(*n.a);
                            },
                            [&](const IndexMod& n) {
                                positive = positive && n.divisor > 0;
                                look(*n.a);
                            },
                            [&](const IndexSelect& n) {
                                look(*n.condition);
                                look(*n.if_true);
                                look(*n.if_false);
                            }},
                   index.node);
    }
    void look(const Condition& condition) {
        std::visit(Overload{[](const Truth&) {},
                            [&](const Comparison& n) {
                                look(n.a);
                                look(n.b);
                            },
                            [&](const And& n) {
                                look(*n.a);
                                look(*n.b);
                            },
                            [&](const Or& n) {
                                look(*n.a);
                                look(*n.b);
                            },
                            [&](const Not& n) { look(*n.a); }},
                   condition.node);
    }
};

template <typename Tree>
Sound check_affine(const Tree& tree, const Scope& scope) {
    if (depth(tree) > max_depth) { return too_deep(); }
    DivisorCheck divisors;
    divisors.look(tree);
    if (!divisors.positive) { return wrong("expected a positive divisor"); }
    return resolve(free_variables(tree), scope);
}

struct ExprChecker {
    Scope scope;
    const Signatures& tensors;

    Typed check(const Expr& expr) {
        return std::visit(
            Overload{[](const Literal& n) -> Typed {
                         // A NaN's payload has no spelling, so only one NaN is a literal.
                         if (n.value.is_defined() && value::parse_literal(value::to_string(n.value)) == n.value) {
                             return n.value.type();
                         }
                         return wrong("expected a literal of a defined value, found " + value::to_string(n.value));
                     },
                     [&](const Embed& n) -> Typed {
                         if (Sound index = check_index(n.index, scope); !index) { return wrong(index.error()); }
                         return type_embed(n.type);
                     },
                     [&](const Guard& n) -> Typed {
                         Sound condition = check_condition(n.condition, scope);
                         if (!condition) { return wrong(condition.error()); }
                         return value::Type::boolean;
                     },
                     [&](const Access& n) { return access(n); },
                     [&](const Unary& n) -> Typed {
                         const Typed a = check(*n.a);
                         return a ? type_unary(n.op, *a) : a;
                     },
                     [&](const Binary& n) -> Typed {
                         const Typed a = check(*n.a);
                         const Typed b = check(*n.b);
                         if (!a || !b) { return !a ? a : b; }
                         return type_binary(n.op, *a, *b);
                     },
                     [&](const Select& n) -> Typed {
                         const Typed c = check(*n.condition);
                         const Typed a = check(*n.if_true);
                         const Typed b = check(*n.if_false);
                         if (!c || !a || !b) { return !c ? c : !a ? a : b; }
                         return type_select(*c, *a, *b);
                     },
                     [&](const Cast& n) -> Typed {
                         const Typed a = check(*n.a);
                         return a ? Typed(n.type) : a;
                     },
                     [&](const Reduce& n) { return reduce(n); }},
            expr.node);
    }

    Typed access(const Access& n) {
        if (Sound sound = check_access(n, tensors); !sound) { return wrong(sound.error()); }
        for (const Index& index : n.indices) {
            if (Sound sound = check_index(index, scope); !sound) { return wrong(sound.error()); }
        }
        return type_component(n.tensor, tensors.at(n.tensor).types, n.component);
    }

    Typed reduce(const Reduce& n) {
        if (n.variables.empty()) { return wrong("a reduction has no variables; expected at least one"); }
        const std::size_t outer = scope.size();
        for (const std::string& name : n.variables) {
            if (!is_name(name)) { return wrong(fmt::format("expected a variable's name, found \"{}\"", name)); }
            if (std::find(scope.begin(), scope.end(), name) != scope.end()) { return wrong(already_in_scope(name)); }
            scope.push_back(name);
        }
        const Sound domain = check_condition(n.domain, scope);
        const Typed body = domain ? check(*n.body) : Typed(wrong(domain.error()));
        scope.resize(outer);
        return body ? type_reduce(n.op, *body) : body;
    }
};

}  // namespace

std::string list(const std::vector<std::string>& names) {
    return names.empty() ? "nothing" : fmt::format("\"{}\"", fmt::join(names, "\", \""));
}

std::string unknown_variable(const std::string& name, const Scope& scope) {
    return fmt::format("unknown variable \"{}\"; expected {}", name,
                       scope.empty() ? "no variables here" : "one of " + list(scope));
}

std::string already_in_scope(const std::string& variable) {
    return fmt::format("variable \"{}\" is already in scope; expected a new name", variable);
}

std::string already_used(const std::string& name) {
    return fmt::format("the name \"{}\" is already used; expected a new one", name);
}

std::string requested_twice(const std::string& tensor) {
    return fmt::format("\"{}\" is requested twice; expected one output of each tensor", tensor);
}

std::string wrong_rank(const std::string& tensor, std::size_t rank, std::string_view one, std::string_view several,
                       std::size_t found) {
    return fmt::format("\"{}\" has rank {}; expected {} {}, found {}", tensor, rank, rank, rank == 1 ? one : several,
                       found);
}

Sound check_index(const Index& index, const Scope& scope) { return check_affine(index, scope); }

Sound check_condition(const Condition& condition, const Scope& scope) { return check_affine(condition, scope); }

Sound check_access(const Access& access, const Signatures& tensors) {
    const auto found = tensors.find(access.tensor);
    if (found == tensors.end()) {
        return wrong(fmt::format("unknown tensor \"{}\"; expected an input or a defined tensor", access.tensor));
    }
    const std::size_t rank = found->second.rank;
    if (access.indices.size() == rank) { return {}; }
    return wrong(wrong_rank(access.tensor, rank, "index", "indices", access.indices.size()));
}

Typed check_expr(const Expr& expr, const Scope& scope, const Signatures& tensors) {
    if (depth(expr) > max_depth) { return too_deep(); }
    return ExprChecker{scope, tensors}.check(expr);
}

}  // namespace haruspex::sare
