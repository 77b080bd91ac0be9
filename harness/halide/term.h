#pragma once

#include <exception>
#include <string>
#include <utility>

#include "harness/halide/translate.h"
#include "harness/halide/version.h"
#include "harness/sched/syntax.h"
#include "harness/sched/typing.h"

// Translated expressions with their kinds. Constants are folded while expressions are put together.
namespace haruspex::halide {

// Thrown for a construct that has no translation; does not leave this folder.
class NotTranslated : public std::exception {
public:
    explicit NotTranslated(compiler::FreeVariable variable) : what_(std::move(variable)) {}
    explicit NotTranslated(std::string kind, std::string detail = {})
        : what_(Feature{std::move(kind), std::move(detail)}) {}
    const Untranslated& feature() const { return what_; }

private:
    Untranslated what_;
};

struct Term {
    sched::Expr expr;
    sched::ExprType type;

    bool is_index() const { return type.kind == sched::Kind::index; }
    bool is_condition() const { return type.kind == sched::Kind::condition; }
    bool is_value() const { return type.kind == sched::Kind::value; }
};

Term index_term(sched::Expr expr);
Term condition_term(sched::Expr expr);
Term value_term(sched::Expr expr, value::Type type);
Term integer(std::int64_t n);
Term truth(bool b);
Term literal_term(const value::Value& value);

// Converts to a value: an index to i32, a condition to bool.
Term as_value(Term term);
// Converts to an index: the integer that a value stands for.
sched::Expr as_index(Term term);
// Returns the condition or bool for a place that requires one. Throws NotTranslated for an index or another value.
sched::Expr as_guard(Term term);
bool is_truth(const sched::Expr& expr, bool value);

// Apply an operator of indices or conditions if both operands are of that kind, otherwise the operator of values. Fold
// constants as far as this decides conditions and lanes. Throw NotTranslated if the operator does not take the types.
Term arithmetic(sched::IndexOp index_op, value::BinaryOp value_op, Term a, Term b);
Term compare(sched::Relation relation, value::BinaryOp value_op, Term a, Term b);
Term conjunction(Term a, Term b);
Term disjunction(Term a, Term b);
Term negation(Term a);
Term select(Term condition, Term if_true, Term if_false);
Term cast(value::Type type, Term a);
Term apply(value::UnaryOp op, Term a);
Term apply(value::BinaryOp op, Term a, Term b);

}  // namespace haruspex::halide
