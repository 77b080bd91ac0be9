#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "generators/sare/algorithm.h"
#include "generators/sare/build.h"
#include "generators/schedule/language.h"

// A case taken apart so that passes can change it: it has the functions of its program instead of their equations.
namespace haruspex::minimize {

struct Draft {
    sare::Algorithm algorithm;
    cases::Case c;  // without its SARE, which is empty
};

// Takes a case apart. An Error if its SARE was not made from an algorithm (sare::unstage).
[[nodiscard]] Result<Draft> take_apart(const cases::Case& c);

// Makes a case of the draft. Removes inputs that nothing reads, and directives that the program does not admit, except
// those that break only `allowed` rules. nullopt if the program is not well-formed (sare::check_structure), or the
// sizes do not meet its assumptions.
std::optional<cases::Case> put_together(Draft draft, const schedule::Language& language,
                                        const schedule::RuleNames& allowed = {});

// All expressions, indices and conditions of a draft, each before those inside it, in an order that depends on the
// draft alone. The pointers are valid until the draft is changed.
struct Places {
    std::vector<sare::Expr*> exprs;
    std::vector<sare::Index*> indices;
    std::vector<sare::Condition*> conditions;
};
Places places(Draft& draft);

// --- The parts of one node ---

std::vector<sare::Expr*> operands(sare::Expr& expr);
std::vector<sare::Index*> operands(sare::Index& index);
std::vector<sare::Condition*> operands(sare::Condition& condition);

// --- Changes that several passes make ---

// An extent that is large enough for bugs to show. 7 is not a multiple of any small split factor, so a loop that is
// split still needs its guard; and a wrong value is unlikely to equal the expected one in all of 7 cells. The number
// counts for little in a case's size.
inline constexpr std::int64_t enough = 7;

const sare::Function* find_function(const Draft& draft, const std::string& name);
// Returns the tensors that the function's definitions read, except the function itself.
std::set<std::string> tensors_read_by(const sare::Function& function);
// Calls change(expr) with each value of the function's definitions; not with its subexpressions.
void change_values(sare::Function& function, const std::function<void(sare::Expr&)>& change);
// Returns the expression with replace(access) in place of each access to the tensor.
sare::Expr with_accesses(const sare::Expr& expr, const std::string& tensor,
                         const std::function<sare::Expr(const sare::Access&)>& replace);
// Replaces each access to the tensor by replace(access), except accesses in the tensor's own definitions.
void replace_accesses(Draft& draft, const std::string& tensor,
                      const std::function<sare::Expr(const sare::Access&)>& replace);
// Adds `variable` as the last dimension of the function. Every access to the function gets span.min as its last
// index. If the function is an output, `span` is what is requested in the new dimension.
void add_dimension(Draft& draft, const std::string& function, const std::string& variable, const sare::Span& span);
// Gives the function memory of its own, which it keeps when it loses its updates or reductions. Does nothing if the
// function is an output or the schedule says where it is computed.
void place(Draft& draft, const std::string& function);
// Removes from `draft` the functions on which outputs of `before` depend and outputs of `draft` do not.
void remove_unreachable(Draft& draft, const Draft& before);
// Returns a domain of small numbers for an input whose values do not matter. They cause no new overflow.
cases::InputDomain small_domain(value::Type type);
// Returns the substitution of 0 for the variables of a reduction, for an expression that is moved out of it.
sare::Substitution outside(const sare::Reduce& reduction);
// Returns the number 1 of the type, or true.
sare::Expr one(value::Type type);
// Returns the plainest value of the type that differs in each iteration of the variable's loop: "i32<x>". The bool
// "[x <= 0]" only differs between the first iteration and the others.
sare::Expr varying(value::Type type, const std::string& variable);

}  // namespace haruspex::minimize
