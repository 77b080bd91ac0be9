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

// Γ: what is in scope at a statement, and what is known of it. Every variable of the program's parameters, loops and
// lanes is an isl parameter of its own name. Affine lets are replaced by what they stand for (S-Let), but one of
// several pieces, as min(a, b) is, by a parameter of its own: what is computed with it does not fall into its pieces,
// and most of them nobody asks about. Where the let goes out of scope, and in obligations, what it stands for takes its
// place.
//
// A program is walked through twice, and again each time more garbage is known, and most of what is in scope and of the
// indices is the same each time. So what was found of indices, conditions and locations is remembered by scopes that
// came about in the same way: copies of one scope to which the same was done since.
namespace haruspex::validator {

// What the validator does not decide. Does not leave this folder.
class Unsupported : public std::runtime_error {
public:
    explicit Unsupported(Feature feature) : runtime_error(to_string(feature)), feature_(std::move(feature)) {}
    explicit Unsupported(std::string kind, std::string detail = {})
        : Unsupported(Feature{std::move(kind), std::move(detail)}) {}
    const Feature& feature() const { return feature_; }

private:
    Feature feature_;
};

// An array in Γ. Inside the heap and in locations it has a name of its own, however often its name is declared.
struct ArrayInScope {
    std::string unique_name;
    value::Type type = value::Type::i32;
    Lazy<isl::set> cells;   // { unique_name[i, …] }
    Lazy<isl::set> beyond;  // all others of its rank: in fewer pieces than what is left when the cells are subtracted
    isl::set exists;        // where its condition holds: a set of parameters
    bool is_input = false;
    // Linear memory with rows has a dimension for each stride, ascending from 1: its cell i is unique_name[c_0, …, c_n]
    // with c_n = floor(i / stride_n), and so on with the remainder, which is one to one. Otherwise empty.
    std::vector<std::int64_t> strides;
};

struct ValueLet;

// A value-let: the value it had where it stands, as a family over its lane if it has lanes.
struct ValueInScope {
    value::Type type = value::Type::i32;
    std::optional<std::string> lane;  // the isl parameter
    std::int64_t lanes = 1;
    // Known in symbolic evaluation only.
    std::optional<Lazy<heap::Value>> value;
    std::shared_ptr<const ValueLet> let;
};

class Scope {
public:
    explicit Scope(isl::ctx ctx);

    isl::ctx ctx() const { return context().ctx(); }
    // The environments that are compatible with Γ, whatever its lets are: a set of parameters. All that there are, and
    // others: what is shown for each of them holds, and what is found in one of them need not be there (are_possible).
    const isl::set& context() const { return state_->variables.context; }
    // Fewer of them: of the lets with a parameter as much is known as is said in one piece, a <= max(a, b) and
    // b <= max(a, b). It makes expressions shorter, and sets that the lets are resolved in smaller.
    const isl::set& known() const { return state_->variables.known; }
    void assume(const isl::set& condition);

    // How many lets have a parameter.
    std::size_t lets() const { return state_->variables.lets.size(); }
    // With what they stand for in the place of all lets with a parameter but the first.
    template <typename T>
    T resolved(T object, std::size_t first = 0) const {
        const std::vector<affine::Definition>& lets = state_->variables.lets;
        for (std::size_t i = lets.size(); i-- > first;) {
            object = affine::eliminate(object, lets[i].parameter, lets[i].environments);
        }
        return object;
    }

    // Whether there are any of these environments, with the lets' values in the place of their parameters.
    bool are_possible(const isl::set& environments) const {
        return affine::are_possible(environments, known(), state_->variables.lets);
    }

    // A variable that ranges over the integers; returns its isl parameter.
    std::string declare_variable(const std::string& name);
    void define(const std::string& name, const isl::pw_aff& index);
    // S-Let, of an index or a condition.
    void define(const std::string& name, const sched::Expr& value);
    // The same inside an expression: the name is always replaced by what it stands for.
    Scope with(const sched::LetIn& let) const;
    void declare(const std::string& name, ArrayInScope array);
    void declare(const std::string& name, ValueInScope value);
    std::string unique_array_name(const std::string& name) const;

    // Of a well-typed program, each name is there (ENSURE).
    const ArrayInScope& array(const std::string& name) const;
    const ValueInScope& value(const std::string& name) const;
    bool has_array(const std::string& name) const;
    bool has_value(const std::string& name) const;
    std::size_t values() const { return values_.size(); }

    // Indices and conditions that read no memory; Euclidean division. Only what they are within the context means
    // anything. Throws Unsupported where they are not quasi-affine: products and divisors have few values (those of a
    // parameter with a size one) or are not understood.
    isl::pw_aff index(const sched::Expr& expr) const;
    isl::set condition(const sched::Expr& expr) const;
    bool is_condition(const sched::Expr& expr) const;
    // { a[ι, …] } of an array's cell.
    heap::Location location(const std::string& array, const std::vector<sched::Expr>& indices) const;
    heap::Location location(const ArrayInScope& array, const isl::pw_aff& linear) const;
    isl::pw_aff constant(std::int64_t value) const;
    // The same in the context, in as few pieces as can be: bounds that were inferred nest many.
    isl::pw_aff simplified(const isl::pw_aff& index) const;
    // The number that an index is, if it is the same one everywhere in the context.
    std::optional<std::int64_t> constant_of(const sched::Expr& expr) const;

private:
    // What a variable stands for.
    struct Meaning {
        std::optional<isl::pw_aff> index;
        std::optional<isl::set> condition;
    };

    // min(difference, 0), or difference where a condition holds and 0 elsewhere: what a minimum or a choice of two
    // indices is, apart from an index that is added to both.
    struct Known {
        std::optional<isl::set> condition;
        isl::pw_aff difference, value;
    };

    // All on which indices and conditions depend.
    struct Variables {
        isl::set context, known;
        std::vector<affine::Definition> lets;  // indices in the place of which a parameter stands
        std::vector<Known> parts;              // what is written in these lets
        std::map<std::string, Meaning> meanings;
    };

    // They, what was found with them, and what became of them. Indices, conditions and locations by their text.
    struct State {
        explicit State(Variables all) : variables(std::move(all)) {}

        Variables variables;
        std::map<std::string, isl::pw_aff> indices, simplified;
        std::map<std::string, isl::set> conditions;
        std::map<std::string, heap::Location> locations;
        std::map<std::string, std::shared_ptr<State>> changed;
        std::multimap<std::uint32_t, std::pair<isl::set, std::shared_ptr<State>>> assumed;  // by a hash
    };

    // The state after the change of that name.
    template <typename Change>
    void apply(const std::string& name, Change change);
    void define(const std::string& name, const Meaning& meaning, const std::string& change);
    void hide(const std::string& name);

    // The values in the context, when they are few.
    std::optional<affine::Interval> range(const isl::pw_aff& index) const;
    // A minimum and a choice that a let with a parameter is made of are said by that parameter: what mentions them, a
    // prophecy first of all, has one piece then.
    isl::pw_aff least(const isl::pw_aff& a, const isl::pw_aff& b) const;
    isl::pw_aff chosen(const isl::set& condition, const isl::pw_aff& if_true, const isl::pw_aff& if_false) const;
    // What is known when an expression has that value, if it is a minimum, a maximum or a choice of two indices, with
    // an index added or taken away.
    std::optional<Known> part_of(const sched::Expr& expr, const isl::pw_aff& value) const;
    isl::pw_aff product(const isl::pw_aff& a, const isl::pw_aff& b, const sched::Expr& expr) const;
    isl::pw_aff divided(sched::IndexOp op, const isl::pw_aff& a, const isl::pw_aff& b, const sched::Expr& expr) const;
    isl::pw_aff found_index(const sched::Expr& expr) const;
    isl::set found_condition(const sched::Expr& expr) const;
    isl::pw_aff simplified(const sched::Expr& expr) const;

    const Meaning& meaning(const std::string& name) const;
    void substitute(const std::string& name, const sched::Expr& value);

    std::shared_ptr<State> state_;  // of all scopes that came to it
    std::map<std::string, ArrayInScope> arrays_;
    std::map<std::string, ValueInScope> values_;
    std::map<std::string, int> taken_;  // isl names given out, of variables and arrays, on the way to here
};

// Where a value-let stands, and what it says there.
struct ValueLet {
    sched::Expr value;
    std::optional<sched::Lanes> lanes;
    Scope scope;
    heap::Memory memory;
    std::uint64_t reads = 0;  // of memory, in it and in the lets that it reads
};

}  // namespace haruspex::validator
