#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "generators/affine/division.h"
#include "generators/affine/parameters.h"
#include "generators/affine/sets.h"
#include "generators/base/feature.h"
#include "generators/base/lazy.h"
#include "generators/base/sizes.h"
#include "harness/sched/syntax.h"
#include "oracle/heap/memory.h"

// Γ: the variables, lets and arrays in scope at a statement, and the facts known about them. Every variable (a
// parameter of the program, a loop's variable, a lane) is an isl parameter with a unique name. An affine let is
// replaced by its definition (S-Let). A let whose definition has several pieces, such as min(a, b), becomes an isl
// parameter instead, so that expressions over it do not fall into these pieces, most of which are never needed. The
// definition replaces the parameter where the let goes out of scope, and in obligations.
//
// A program is walked twice (evaluation.h), and most scopes and indices are the same both times. Indices, conditions
// and locations are therefore cached once they are computed, and shared by scopes with the same history: copies of one
// scope to which the same changes were applied.
namespace haruspex::validator {

// A feature that the validator does not decide. Does not leave this folder.
class Unsupported : public std::runtime_error {
public:
    explicit Unsupported(Feature feature) : runtime_error(to_string(feature)), feature_(std::move(feature)) {}
    explicit Unsupported(std::string kind, std::string detail = {})
        : Unsupported(Feature{std::move(kind), std::move(detail)}) {}
    const Feature& feature() const { return feature_; }

private:
    Feature feature_;
};

// An array in Γ. In heaps and locations it has a unique name, however often its name is declared.
struct ArrayInScope {
    std::string unique_name;
    value::Type type = value::Type::i32;
    Lazy<isl::set> cells;   // { unique_name[i, …] }
    Lazy<isl::set> beyond;  // all other cells of its rank, in fewer pieces than a subtraction gives
    isl::set exists;        // where its condition holds: a set of parameters
    bool is_input = false;
    // For linear memory with rows: the strides of its dimensions, ascending from 1. Its cell i is unique_name[c_0, …,
    // c_n] with c_n = floor(i / stride_n), and so on with the remainder; this is one to one. Empty for all other
    // arrays.
    std::vector<std::int64_t> strides;
};

struct ValueLet;

// A value-let: its value where it stands, as a family over its lane if it has lanes.
struct ValueInScope {
    value::Type type = value::Type::i32;
    std::optional<std::string> lane;  // the isl parameter
    std::int64_t lanes = 1;
    // Set in symbolic evaluation only.
    std::optional<Lazy<heap::Value>> value;
    std::shared_ptr<const ValueLet> let;
};

class Scope {
public:
    explicit Scope(isl::ctx ctx);

    isl::ctx ctx() const { return context().ctx(); }
    // A superset of the environments that Γ allows, as a set of parameters; definitions of lets are not taken into
    // account. A property that holds on all of it holds; a point found in it may be spurious (are_possible).
    const isl::set& context() const { return state_->variables.context; }
    // A smaller superset: context(), and facts about the parameters that stand for lets. Only facts that have one piece
    // are known, such as a <= m and b <= m for m = max(a, b). It shortens expressions, and shrinks the sets in which
    // lets are resolved.
    const isl::set& known() const { return state_->variables.known; }
    void assume(const isl::set& condition);

    // The number of lets with a parameter.
    std::size_t lets() const { return state_->variables.lets.size(); }
    // Replaces the parameters of lets by their definitions, except for the first `first` lets.
    template <typename T>
    T resolved(T object, std::size_t first = 0) const {
        const std::vector<affine::Definition>& lets = state_->variables.lets;
        for (std::size_t i = lets.size(); i-- > first;) {
            object = affine::eliminate(object, lets[i].parameter, lets[i].environments);
        }
        return object;
    }

    // Whether some of these environments are possible if lets' parameters are replaced by their definitions.
    bool are_possible(const isl::set& environments) const {
        return affine::are_possible(environments, known(), state_->variables.lets);
    }

    // Declares a variable that ranges over the integers; returns its isl parameter.
    std::string declare_variable(const std::string& name);
    void define(const std::string& name, const isl::pw_aff& index);
    // S-Let for an index or a condition.
    void define(const std::string& name, const sched::Expr& value);
    // S-Let inside an expression: the name is always replaced by its definition.
    Scope with(const sched::LetIn& let) const;
    void declare(const std::string& name, ArrayInScope array);
    void declare(const std::string& name, ValueInScope value);
    std::string unique_array_name(const std::string& name) const;

    // The name must be in scope (ENSURE); in a well-typed program it is.
    const ArrayInScope& array(const std::string& name) const;
    const ValueInScope& value(const std::string& name) const;
    bool has_array(const std::string& name) const;
    bool has_value(const std::string& name) const;
    std::size_t values() const { return values_.size(); }

    // The isl form of an index or a condition that reads no memory; division is Euclidean. It is right only within the
    // context. Throws Unsupported for an expression that is not quasi-affine: one factor of a product, and every
    // divisor, must have only a few values within known() (a parameter with a size has one).
    isl::pw_aff index(const sched::Expr& expr) const;
    isl::set condition(const sched::Expr& expr) const;
    bool is_condition(const sched::Expr& expr) const;
    // The location { a[ι, …] } of an array's cell.
    heap::Location location(const std::string& array, const std::vector<sched::Expr>& indices) const;
    heap::Location location(const ArrayInScope& array, const isl::pw_aff& linear) const;
    isl::pw_aff constant(std::int64_t value) const;
    // The same index within known(), in as few pieces as possible: inferred bounds nest many minima and maxima.
    isl::pw_aff simplified(const isl::pw_aff& index) const;
    // The value of an index if it is constant within known(); otherwise nullopt.
    std::optional<std::int64_t> constant_of(const sched::Expr& expr) const;

private:
    // The definition of a variable.
    struct Meaning {
        std::optional<isl::pw_aff> index;
        std::optional<isl::set> condition;
    };

    // A known part of a let. `value` is min(difference, 0) or, with a condition, `difference` where the condition holds
    // and 0 elsewhere. A minimum of two indices, or a choice between two, is this value plus an index.
    struct Known {
        std::optional<isl::set> condition;
        isl::pw_aff difference, value;
    };

    // Everything on which indices and conditions depend.
    struct Variables {
        isl::set context, known;
        std::vector<affine::Definition> lets;  // lets for which a parameter stands
        std::vector<Known> parts;              // the minima and choices in these lets
        std::map<std::string, Meaning> meanings;
    };

    // The variables; the indices, conditions and locations computed under them (by text); and the states to which
    // changes led.
    struct State {
        explicit State(Variables all) : variables(std::move(all)) {}

        Variables variables;
        std::map<std::string, isl::pw_aff> indices, simplified;
        std::map<std::string, isl::set> conditions;
        std::map<std::string, heap::Location> locations;
        std::map<std::string, std::shared_ptr<State>> changed;
        std::multimap<std::uint32_t, std::pair<isl::set, std::shared_ptr<State>>> assumed;  // by a hash
    };

    // Moves to the state after a change, which `name` identifies.
    template <typename Change>
    void apply(const std::string& name, Change change);
    void define(const std::string& name, const Meaning& meaning, const std::string& change);
    void hide(const std::string& name);

    // The range of an index within known(); nullopt if it has many values.
    std::optional<affine::Interval> range(const isl::pw_aff& index) const;
    // The minimum of two indices, and a choice between two. If this minimum or choice occurs in a let that has a
    // parameter, the result is expressed by that parameter. Then expressions over it have one piece, which matters most
    // for prophecies.
    isl::pw_aff least(const isl::pw_aff& a, const isl::pw_aff& b) const;
    isl::pw_aff chosen(const isl::set& condition, const isl::pw_aff& if_true, const isl::pw_aff& if_false) const;
    // The Known that follows if `expr` has this value; nullopt unless `expr` is a minimum, a maximum or a choice of two
    // indices, possibly with an index added or subtracted.
    std::optional<Known> part_of(const sched::Expr& expr, const isl::pw_aff& value) const;
    isl::pw_aff product(const isl::pw_aff& a, const isl::pw_aff& b, const sched::Expr& expr) const;
    isl::pw_aff divided(sched::IndexOp op, const isl::pw_aff& a, const isl::pw_aff& b, const sched::Expr& expr) const;
    isl::pw_aff found_index(const sched::Expr& expr) const;
    isl::set found_condition(const sched::Expr& expr) const;
    isl::pw_aff simplified(const sched::Expr& expr) const;

    const Meaning& meaning(const std::string& name) const;
    void substitute(const std::string& name, const sched::Expr& value);

    std::shared_ptr<State> state_;  // shared by all scopes that reached it
    std::map<std::string, ArrayInScope> arrays_;
    std::map<std::string, ValueInScope> values_;
    std::map<std::string, int> taken_;  // number of declarations of each name of a variable or array so far
};

// A value-let, with the scope and the memory in which it stands.
struct ValueLet {
    sched::Expr value;
    std::optional<sched::Lanes> lanes;
    Scope scope;
    heap::Memory memory;
    std::uint64_t reads = 0;  // reads of memory, in it and in the lets that it reads
};

}  // namespace haruspex::validator
