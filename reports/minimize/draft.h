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
#include "generators/schedule/halide/rules.h"
#include "generators/schedule/halide/vocabulary.h"

// A case taken apart, to be changed: the functions of its program instead of their equations.
namespace haruspex::minimize {

struct Draft {
    sare::Algorithm algorithm;
    cases::Case c;  // without its SARE, which is empty
};

// An Error when the case's SARE is not the image of a Halide algorithm.
[[nodiscard]] Result<Draft> take_apart(const cases::Case& c);

// The case again. What a change left behind is tidied up: inputs that nothing reads go, and so do directives that the
// program does not admit any more, unless they break rules that are `allowed` and no other. Nothing when the program is
// not well-formed (sare::check_structure) or the sizes do not meet its assumptions.
std::optional<cases::Case> put_together(Draft draft, schedule::halide::Vocabulary vocabulary,
                                        const schedule::halide::Rules& allowed = {});

// Every place of a draft that holds an expression, an index or a condition, each before the places inside it; in an
// order that depends on the draft alone. The pointers last until the draft is changed.
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

// So many iterations that the guard of a loop matters whatever a small factor it is split by, and so many cells that
// some of them differ in what they are compared with. How many there are is what counts least of a case's size.
inline constexpr std::int64_t enough = 7;

const sare::Function* find_function(const Draft& draft, const std::string& name);
// The tensors that the function's definitions read, but for itself.
std::set<std::string> tensors_read_by(const sare::Function& function);
// Calls change(expr) on every value expression of a function's definitions, whole.
void change_values(sare::Function& function, const std::function<void(sare::Expr&)>& change);
// The expression with each access to the tensor replaced.
sare::Expr with_accesses(const sare::Expr& expr, const std::string& tensor,
                         const std::function<sare::Expr(const sare::Access&)>& replace);
// Each access to the tensor replaced, except those inside the tensor's own definitions.
void replace_accesses(Draft& draft, const std::string& tensor,
                      const std::function<sare::Expr(const sare::Access&)>& replace);
// The function gets one more dimension, the last one; an output is asked for on the span, and who reads it reads the
// first cell of that.
void add_dimension(Draft& draft, const std::string& function, const std::string& variable, const sare::Span& span);
// The function has memory of its own without updates or reductions too: compute_root, unless it is an output or its
// schedule says where it is computed.
void place(Draft& draft, const std::string& function);
// Takes out the functions that no output reads any more and that one read in `before`.
void remove_unreachable(Draft& draft, const Draft& before);
// What the cells of an input may hold when it does not matter: numbers so small that no more overflows than before.
cases::InputDomain small_domain(value::Type type);
// What leaves a reduction reads the variables of that as 0.
sare::Substitution outside(const sare::Reduce& reduction);
// The value 1 of a number's type, and true.
sare::Expr one(value::Type type);
// The plainest value of a type that is another one in each iteration of a loop, or of a bool, in the first one than in
// the others: "i32<x>", "[x <= 0]".
sare::Expr varying(value::Type type, const std::string& variable);

}  // namespace haruspex::minimize
