#pragma once

#include <array>
#include <set>
#include <string>
#include <string_view>

#include "generators/case/case.h"
#include "generators/sare/algorithm.h"

// The forms of a program: how its features are joined, in names that begin with "form:". Schedules have forms, too
// (Language::features). Forms are counted and may be named by known bugs, but do not tell bugs apart: a form is made of
// features that do.
//
//   form:average               the half of a sum, in a wider type or not
//   form:absolute-difference   abs(a - b), max(a, b) - min(a, b), select(a < b, b - a, a - b)
//   form:saturating-sum        a sum or difference in a wider type, limited by the ends of the narrower one
//   form:literal-near-end      a literal among the 16 values at an end of its type, 0 and small ones excepted; a float
//                              of the largest finite magnitude
//   form:input-near-end        all values of an input are in the outer sixteenth of its type
//   form:negative-shift        a shift's amount is negative, a difference or a negation
//   form:data-predicate        an update keeps the old value unless a condition holds that reads data
//   form:invariant-select      a condition mentions no loop of its definition, nor a bound variable
//   form:one-arm-producer      a tensor that is read in one arm of such a select, and nowhere else in the program
//   form:one-arm-producer-update
//                              as above, and the select is in an update
//   form:compiler-name         a parameter or variable is a letter with a number, as compilers call their own
//   form:long-chain            ten tensors or more, each of which reads the one before
namespace haruspex::triage {

inline constexpr std::array<std::string_view, 12> program_forms{
    "form:average",          "form:absolute-difference",     "form:saturating-sum", "form:literal-near-end",
    "form:input-near-end",   "form:negative-shift",          "form:data-predicate", "form:invariant-select",
    "form:one-arm-producer", "form:one-arm-producer-update", "form:long-chain",     "form:compiler-name"};

// Whether the feature is a form, of a program or of a schedule.
bool is_form(std::string_view feature);

std::set<std::string> forms(const cases::Case& c, const sare::Algorithm& algorithm);

}  // namespace haruspex::triage
