#pragma once

#include <string>
#include <vector>

#include "generators/sare/syntax.h"

// An affine algorithm (thesis 2.4.1, 2.4.3): functions in their textual order, each a pure definition followed by
// update definitions. Expressions are those of SAREs. An access to a function means the function's final value; but
// inside an update, an access to the function that is updated means its value before the current step.
//
// Restrictions (thesis 2.4.3):
// - A pure definition reads earlier functions and inputs only.
// - Each index of an update's target is pure or not. A pure index is the function's own variable of its position. Any
//   other index is over recurrence variables, parameters, and variables that are pure indices of the same target.
// - Every access to the function itself inside the update has the same pure variables at the same positions.
// - Recurrence domains depend on parameters only.
namespace haruspex::sare {

struct UpdateDefinition {
    std::vector<RecurrenceVariable> over;  // the first runs innermost
    std::vector<Index> target;
    std::vector<Expr> values;
    Condition where{Truth{true}};
    bool operator==(const UpdateDefinition&) const = default;
};

struct Function {
    std::string name;
    std::vector<value::Type> types;
    std::vector<std::string> variables;
    std::vector<Expr> values;  // the pure definition
    std::vector<UpdateDefinition> updates;
    bool operator==(const Function&) const = default;
};

struct Algorithm {
    std::string name;
    std::vector<std::string> parameters;
    Condition assumptions{Truth{true}};
    std::vector<Input> inputs;
    std::vector<Function> functions;
    std::vector<Output> outputs;
    bool operator==(const Algorithm&) const = default;
};

// Whether the index at this position of the update's target is pure: the function's own variable of that position.
bool is_pure_position(const Function& function, const UpdateDefinition& update, std::size_t position);

}  // namespace haruspex::sare
