#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "harness/sched/normal_form.h"
#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// A let of the program, of an index or of a value. One that reads memory is its name alone: two reads of a cell have
// one normal form, whatever was written in between.
void define(sched::NormalForms& forms, const std::string& name, const sched::Expr& value);
void define(sched::NormalForms& forms, const std::string& name, const std::optional<sched::Lanes>& lanes,
            const sched::Expr& value);
// What the statement defines, if it is a let.
void define(sched::NormalForms& forms, const sched::Stmt& statement);

// The expression with the values of its lets of indices in their places. No name hides another.
sched::Expr without_lets(sched::Expr expr);
// Whether that has fewer nodes. Lets share what they stand for, and without them it may have no end.
bool is_shorter_without_lets(const sched::Expr& expr, std::size_t nodes);

}  // namespace haruspex::conversion
