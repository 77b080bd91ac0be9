#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "harness/sched/normal_form.h"
#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// Defines a let of an index or a value in `forms`. A let that reads memory is represented by its name alone: otherwise
// two reads of a cell would have one normal form, whatever was written in between.
void define(sched::NormalForms& forms, const std::string& name, const sched::Expr& value);
void define(sched::NormalForms& forms, const std::string& name, const std::optional<sched::Lanes>& lanes,
            const sched::Expr& value);
// If the statement is a let, adds its definition.
void define(sched::NormalForms& forms, const sched::Stmt& statement);

// The expression with its lets of indices replaced by their values. No name hides another.
sched::Expr without_lets(sched::Expr expr);
// Whether without_lets(expr) has fewer than `nodes` nodes. Lets share their values, so without them an expression can
// be exponentially large.
bool is_shorter_without_lets(const sched::Expr& expr, std::size_t nodes);

}  // namespace haruspex::conversion
