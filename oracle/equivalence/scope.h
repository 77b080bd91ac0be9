#pragma once

#include <isl/cpp.h>

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "harness/sched/syntax.h"
#include "oracle/equivalence/memory.h"

// The meaning of names at a statement of a SCHED program. A loop variable, a lane or a parameter of the program is an
// isl parameter with a unique name; an affine let is its definition.
namespace haruspex::equivalence {

struct ArrayInScope {
    ArrayId array;
    std::string tuple;                // of its cells, { tuple[iterations, indices] }
    std::vector<std::string> around;  // variables of the loops around the allocation: each iteration has its own cells
    std::size_t depth = 0;            // number of loops around the allocation
    isl::set cells;                   // the cells that exist
    value::Type type = value::Type::i32;
};
// A value-let: a node of its own, evaluated where the let stands.
struct ValueInScope {
    NodeId node;
    std::vector<std::string> variables;  // the node's dimensions
    std::optional<std::size_t> lane;     // the position of the lane among them
    value::Type type = value::Type::i32;
};

class Scope {
public:
    explicit Scope(isl::ctx ctx) : known_(isl::set::universe(isl::space::unit(ctx))) {}

    isl::ctx ctx() const { return known_.ctx(); }
    // The known constraints on the isl parameters. Indices are right only under them.
    const isl::set& known() const { return known_; }
    void assume(const isl::set& condition) { known_ = known_.intersect(condition); }

    void define(const std::string& name, const isl::pw_aff& index) { names_.insert_or_assign(name, index); }
    // Defines an affine let: an index or a condition.
    void define(const std::string& name, const sched::Expr& expr);
    void declare(const std::string& name, ArrayInScope array) { names_.insert_or_assign(name, std::move(array)); }
    void declare(const std::string& name, ValueInScope value) { names_.insert_or_assign(name, std::move(value)); }

    const ArrayInScope& array(const std::string& name) const;
    const ValueInScope& value(const std::string& name) const;

    // Throws Unsupported if the expression depends on data or is not quasi-affine.
    isl::pw_aff index(const sched::Expr& expr) const;
    isl::set condition(const sched::Expr& expr) const;
    // Whether the expression is an affine condition, not a value that depends on data.
    bool is_condition(const sched::Expr& expr) const;
    // The constant that the index equals under the known constraints, if any.
    std::optional<std::int64_t> number(const sched::Expr& expr) const;

private:
    isl::pw_aff product(const sched::IndexBinary& n, const sched::Expr& expr) const;
    isl::pw_aff divided(const sched::IndexBinary& n, const sched::Expr& expr) const;
    Scope with(const sched::LetIn& let) const;

    isl::set known_;
    std::map<std::string, std::variant<isl::pw_aff, isl::set, ArrayInScope, ValueInScope>> names_;
};

}  // namespace haruspex::equivalence
