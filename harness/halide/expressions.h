#pragma once

#include <Halide.h>

#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "generators/sare/syntax.h"

// Translates SARE indices, conditions and values to Halide expressions.
//
//   index        Int(32); floor division and remainder are Halide's / and % (the divisors are positive)
//   condition    UInt(1)
//   value        the type of the same name, or NotExpressible for w32 and w64; bool is UInt(1). Operators map one to
//                one; a cast to bool is "!= 0"
//   reduction    not expressible: inline reductions have become functions (generators/sare/outline.h)
namespace haruspex::halide {

// Thrown for a well-formed SARE that Halide cannot express. Does not leave this folder: build_program returns an Error.
class NotExpressible : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

Halide::Type halide_type(value::Type type);
Halide::Expr literal(const value::Value& value);
bool is_true(const sare::Condition& condition);

// The variables in scope of an expression. Records which of them have been looked up.
class Scope {
public:
    void bind(const std::string& name, Halide::Expr e) { variables_[name] = std::move(e); }
    Halide::Expr lookup(const std::string& name);
    bool was_used(const std::string& name) const { return used_.contains(name); }

private:
    std::map<std::string, Halide::Expr> variables_;
    std::set<std::string> used_;
};

Halide::Expr index_expr(const sare::Index& index, Scope& scope);
Halide::Expr condition_expr(const sare::Condition& condition, Scope& scope);
// Adds the conjuncts of the condition to the domain's filter, one by one.
void restrict_domain(Halide::RDom& domain, const sare::Condition& condition, Scope& scope);

// Returns the expression with a mention of the domain's first variable that does not change the value. Halide finds the
// domain of an update by the variables that the update mentions: an update that mentions none would run once instead of
// once for each point.
Halide::Expr tie_to_domain(const Halide::RDom& domain, const Halide::Expr& e);

class ExpressionBuilder {
public:
    // Returns the expression that reads the accessed component of a tensor or input at `indices`.
    using Read = std::function<Halide::Expr(const sare::Access& access, const std::vector<Halide::Expr>& indices)>;

    // With `strict`, every value that mentions a float is wrapped in strict_float.
    ExpressionBuilder(Read read, bool strict) : read_(std::move(read)), strict_(strict) {}

    // Translates the right-hand side of a definition.
    Halide::Expr value(const sare::Expr& expr, Scope& scope);

private:
    Halide::Expr build(const sare::Expr& expr, Scope& scope);
    Halide::Expr typed(Halide::Expr e);

    Read read_;
    bool strict_;
    bool mentions_float_ = false;
};

}  // namespace haruspex::halide
