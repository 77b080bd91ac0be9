#pragma once

#include "generators/sare/syntax.h"

// What a specification assumes of its sizes.
namespace haruspex::pipeline {

void assume(sare::Sare& specification, const sare::Condition& condition);

// Whether the condition holds for all sizes that the specification allows, and whether it does for any. False also
// where isl does not find out with few operations.
bool follows(const sare::Condition& condition, const sare::Sare& specification);
bool is_possible(const sare::Condition& condition, const sare::Sare& specification);

}  // namespace haruspex::pipeline
