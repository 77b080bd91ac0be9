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

// Takes a case apart. An Error if its SARE is not the image of an algorithm.
[[nodiscard]] Result<Draft> take_apart(const cases::Case& c);

// Makes a case of the draft and tidies up: removes inputs that nothing reads, and directives that the program no longer
// admits, unless they break only rules that are `allowed`. nullopt if the program is not well-formed
// (sare::check_structure) or the sizes do not meet its assumptions.
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

// Enough iterations that the guard of a loop matters for any small factor by which it is split, and enough cells that
// some of them differ from the values that they are compared with. The number itself counts for little in a case's
// size.
inline constexpr std::int64_t enough = 7;

const sare::Function* find_function(const Draft& draft, const std::string& name);
// Returns the tensors that the function's definitions read, except the function itself.
std::set<std::string> tensors_read_by(const sare::Function& function);
// Calls change(expr) on every value of a function's definitions, as a whole expression.
void change_values(sare::Function& function, const std::function<void(sare::Expr&)>& change);
// Returns the expression with each access to the tensor replaced.
sare::Expr with_accesses(const sare::Expr& expr, const std::string& tensor,
                         const std::function<sare::Expr(const sare::Access&)>& replace);
// Replaces each access to the tensor, except those in the tensor's own definitions.
void replace_accesses(Draft& draft, const std::string& tensor,
                      const std::function<sare::Expr(const sare::Access&)>& replace);
// Adds a last dimension to the function. An output is requested on the span; readers of the function read the first
// cell of the span.
void add_dimension(Draft& draft, const std::string& function, const std::string& variable, const sare::Span& span);
// Gives the function memory of its own that does not depend on updates or reductions, unless it is an output or the
// schedule says where it is computed.
void place(Draft& draft, const std::string& function);
// Removes the functions that an output read in `before` and that no output reads any more.
void remove_unreachable(Draft& draft, const Draft& before);
// Returns a domain for an input whose values do not matter: numbers so small that they cause no new overflow.
cases::InputDomain small_domain(value::Type type);
// Replaces the variables of a reduction by 0, for an expression that is moved out of it.
sare::Substitution outside(const sare::Reduce& reduction);
// The value 1 of a number's type, or true.
sare::Expr one(value::Type type);
// The plainest value of a type that differs in each iteration of a loop: "i32<x>". A bool differs between the first
// iteration and the others: "[x <= 0]".
sare::Expr varying(value::Type type, const std::string& variable);

}  // namespace haruspex::minimize
