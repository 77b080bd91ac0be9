#pragma once

#include <optional>
#include <string>

#include "harness/sched/normal_form.h"

namespace haruspex::sched {

// An index that has this normal form, for all integers that the atoms stand for. Its variables are the atoms without
// operands. Nothing when an atom is a value, or a condition where a number is wanted.
std::optional<Expr> index_of(const Polynomial& form, const Atoms& atoms);
// The same with a let for each operation that is needed more than once, so that it is no larger than the form, however
// deep that nests. The lets' names start with `prefix`.
std::optional<Expr> index_with_lets(const Polynomial& form, const Atoms& atoms, const std::string& prefix);

}  // namespace haruspex::sched
