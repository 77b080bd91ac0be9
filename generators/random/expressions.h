#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "generators/base/choice.h"
#include "generators/random/policy.h"
#include "generators/sare/algorithm.h"

// Draws typed value expressions and the accesses in them.
namespace haruspex::random {

// A tensor that can be read: an input or an earlier function.
struct Source {
    std::string name;
    std::vector<value::Type> types;
    std::size_t rank = 0;
};

// The names in scope of an expression.
struct Surroundings {
    std::span<const value::Type> types;   // that programs may have
    std::vector<std::string> pure;        // the function's variable in each dimension; "" if it is not in scope
    std::vector<std::string> recurrence;  // recurrence variables in scope
    std::vector<std::string> parameters;
    std::vector<Source> sources;
    // In an update: the function itself, and the indices of each of its cells that may be read. A read gives the value
    // that the previous step has left.
    std::optional<Source> self;
    std::vector<std::vector<sare::Index>> self_indices;
    bool strict_float = false;
};

class ExpressionBuilder {
public:
    ExpressionBuilder(Choices& choices, const Policy& policy, const Surroundings& around)
        : choices_(choices), policy_(policy), around_(around) {}

    sare::Expr numeric_or_bool(value::Type type, int size);
    // Draws a read of some source, with a cast if the source has another type. Occasionally, and always if there is
    // nothing to read, draws a literal.
    sare::Expr leaf(value::Type type);
    sare::Expr literal(value::Type type);
    // Draws a read of the source's first component.
    sare::Expr read(const Source& source) { return access(source, 0); }
    // Draws a condition on the variables in scope; needs at least one variable or parameter.
    sare::Condition condition();
    sare::Index index(AccessKind kind, const std::string& variable);
    value::Type draw_type();
    // Draws a condition that mentions no variable: over parameters, or over a cell of an input or tensor that is the
    // same in all iterations.
    sare::Expr invariant_condition();
    // Draws a comparison of a value that is read, if anything can be read.
    sare::Expr data_condition();

private:
    sare::Expr numeric(value::Type type, int size);
    sare::Expr boolean(int size);
    sare::Expr reduction(value::Type type, int size);
    sare::Expr average(value::Type type, int size);
    sare::Expr absolute_difference(value::Type type, int size);
    sare::Expr saturating_sum(value::Type type, int size);
    sare::Expr shift(NumericForm form, value::Type type, int size);
    std::optional<value::Type> wider(value::Type type) const;
    sare::Expr access(const Source& source, int component);
    sare::Index any_index();
    std::vector<std::string> variables() const;
    value::Type numeric_type();

    Choices& choices_;
    const Policy& policy_;
    const Surroundings& around_;
    std::vector<std::string> bound_;  // variables of the enclosing reductions
};

}  // namespace haruspex::random
