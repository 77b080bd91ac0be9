#pragma once

#include "generators/sare/syntax.h"

// Assumptions of a specification about its sizes.
namespace haruspex::pipeline {

// Adds the condition to the specification's assumptions.
void assume(sare::Sare& specification, const sare::Condition& condition);

// Whether the condition holds for all sizes that the specification allows (follows), or for some of them (is_possible).
// Also false if isl cannot tell within a small budget.
bool follows(const sare::Condition& condition, const sare::Sare& specification);
bool is_possible(const sare::Condition& condition, const sare::Sare& specification);

}  // namespace haruspex::pipeline
