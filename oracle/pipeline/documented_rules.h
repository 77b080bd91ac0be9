#pragma once

#include <string>
#include <vector>

#include "generators/case/case.h"
#include "generators/schedule/halide/admission.h"
#include "generators/schedule/halide/rules.h"
#include "generators/schedule/halide/size_rules.h"
#include "harness/compiler/compiler.h"
#include "oracle/verdict/verdict.h"

// What a compiler's documentation asks of a case. A SARE that is not the image of an algorithm of the compiler's is
// asked nothing.
namespace haruspex::pipeline {

// The sizes for which the case's schedule is documented to work.
std::vector<schedule::halide::SizeRule> size_rules(const cases::Case& c, const compiler::Identity& identity);

// Those of them that the case's sizes do not meet.
std::vector<schedule::halide::SizeRule> broken_size_rules(const cases::Case& c, const compiler::Identity& identity);

// The rules that the case's schedule breaks. Of a schedule that names what does not exist none are known.
schedule::halide::BrokenRules broken_rules(const cases::Case& c, const compiler::Identity& identity);

std::vector<verdict::Warning> warnings_of(const schedule::halide::BrokenRules& broken, const cases::Case& c);

// What excuses a refusal at run time, for people: broken size rules, rules of the schedule that are checked then, and
// that a buffer of just what is requested of an output is too small for the updates, or for what else reads it.
std::vector<std::string> excuses(const cases::Case& c, const compiler::Identity& identity);

}  // namespace haruspex::pipeline
