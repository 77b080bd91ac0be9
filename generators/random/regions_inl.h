#pragma once

#include <type_traits>
#include <variant>

#include "generators/base/overload.h"

namespace haruspex::random {

// Returns `outer` with the intervals of the reduction's bound variables, which are read off the comparisons in its
// domain.
Intervals reduction_variables(const sare::Reduce& reduce, const Intervals& outer);

template <typename Visit>
void for_each_access(const sare::Expr& expr, const Intervals& variables, Visit&& visit) {
    std::visit(Overload{
                   [](const sare::Literal&) {},
                   [](const sare::Embed&) {},
                   [](const sare::Guard&) {},
                   [&](const sare::Access& e) { visit(e, variables); },
                   [&](const sare::Unary& e) { for_each_access(*e.a, variables, visit); },
                   [&](const sare::Binary& e) {
                       for_each_access(*e.a, variables, visit);
                       for_each_access(*e.b, variables, visit);
                   },
                   [&](const sare::Select& e) {
                       for_each_access(*e.condition, variables, visit);
                       for_each_access(*e.if_true, variables, visit);
                       for_each_access(*e.if_false, variables, visit);
                   },
                   [&](const sare::Cast& e) { for_each_access(*e.a, variables, visit); },
                   [&](const sare::Reduce& e) { for_each_access(*e.body, reduction_variables(e, variables), visit); },
               },
               expr.node);
}

}  // namespace haruspex::random
