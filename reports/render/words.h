#pragma once

#include <string>

#include "generators/case/case.h"
#include "generators/value/value.h"
#include "oracle/verdict/verdict.h"

// Describes a finding for readers who know the compiler but not haruspex.
namespace haruspex::render {

// Returns the iteration in which a program is in trouble: "x = 0, y = 1". May be empty.
std::string position_of(const verdict::LoweredOutcome& lowered);

// Returns the shortest text that reads back as the value, which must be finite: "0.5", "2.0", "1e+30".
std::string decimal(float value);
std::string decimal(double value);
// Returns the value for a reader: "5", "-0.5", "nan", "true", "undef".
std::string plain_value(const value::Value& value);

// Says what breaks and where, on one line: "Wrong code: f(0) is 0, expected -2 (wrong after vectorize_loops)".
std::string title(const cases::Case& c, const verdict::Verdict& verdict);
// Describes the outcome in a sentence.
std::string outcome(const verdict::Verdict& verdict);
// Whether the message of such a verdict says more than outcome() does.
bool has_words(verdict::Class cls);
// States the rule that the finding breaks: "Every access lies within its allocation or its buffer."
std::string broken_rule(const verdict::Verdict& verdict);
// Returns the name of an observed pass for a reader: "simplify (5th time)" for "simplify.5".
std::string pass_name(const std::string& pass);

// Whether the lowered program uses a variable that it does not define.
bool has_free_variable(const verdict::Verdict& verdict);
// Whether the verdict's pass is where the compiler failed, not where the lowered program goes wrong.
bool is_where_it_failed(const verdict::Verdict& verdict);

}  // namespace haruspex::render
