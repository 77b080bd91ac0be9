#pragma once

#include <string>

#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"

// What is wrong, for a reader who knows the compiler and nothing of us.
namespace haruspex::render {

// Where in its loops a program is in trouble: "x = 0, y = 1". May be empty.
std::string position_of(const verdict::LoweredOutcome& lowered);

// What breaks and where, on one line: "Wrong code: f(0) is 0, expected -2 (wrong after vectorize_loops)".
std::string title(const cases::Case& c, const verdict::Verdict& verdict);
// What happens, a sentence; has_words: the verdict's message says more.
std::string outcome(const verdict::Verdict& verdict);
bool has_words(verdict::Class cls);
// The rule that the finding breaks, a sentence: "Every access lies within its allocation or its buffer."
std::string broken_rule(const verdict::Verdict& verdict);
// "simplify (5th time)" of "simplify.5": the name of an observed pass.
std::string pass_name(const std::string& pass);

// Whether what was lowered uses a name that it does not define.
bool has_free_variable(const verdict::Verdict& verdict);
// Whether the verdict's pass is where the compiler failed, not where what it lowered goes wrong.
bool is_where_it_failed(const verdict::Verdict& verdict);

}  // namespace haruspex::render
