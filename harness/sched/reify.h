#pragma once

#include <optional>

#include "harness/sched/normal_form.h"

namespace haruspex::sched {

// An index that has this normal form, for all integers that the atoms stand for. Its variables are the atoms without
// operands. Nothing when an atom is a value, or a condition where a number is wanted.
std::optional<Expr> index_of(const Polynomial& form, const Atoms& atoms);

}  // namespace haruspex::sched
