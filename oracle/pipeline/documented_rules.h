#pragma once

#include <string>
#include <vector>

#include "generators/case/case.h"
#include "generators/schedule/rules.h"
#include "harness/compiler/compiler.h"
#include "oracle/verdict/verdict.h"

// Documented rules of the compiler for a case. No rule applies if the schedule is for another compiler, or if the SARE
// was not made from an algorithm (sare::unstage).
namespace haruspex::pipeline {

// The conditions on sizes under which the case's schedule is documented to work.
std::vector<schedule::SizeRule> size_rules(const cases::Case& c, const compiler::Identity& identity);

// The size rules that the case's sizes do not meet.
std::vector<schedule::SizeRule> broken_size_rules(const cases::Case& c, const compiler::Identity& identity);

// The rules that the case's schedule breaks. Empty if the schedule names something that does not exist.
schedule::BrokenRules broken_rules(const cases::Case& c, const compiler::Identity& identity);

std::vector<verdict::Warning> warnings_of(const schedule::BrokenRules& broken, const cases::Case& c);

// Documented reasons for a refusal at run time, for people: broken size rules, broken rules of the schedule that are
// checked at run time, and an output that is read or written outside its requested box.
std::vector<std::string> excuses(const cases::Case& c, const compiler::Identity& identity);

}  // namespace haruspex::pipeline
