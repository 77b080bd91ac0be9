#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "generators/base/result.h"
#include "harness/compiler/compiler.h"
#include "oracle/verdict/verdict.h"

// The lines that `haruspex judge` writes: first who judges, then an answer to each case.
//
//   greeting ::= {"haruspex_judge": 1, "haruspex": version, "compiler": name, "version": version, "major": number,
//                 "package": text, "unobserved": {"lowered": bool, "prophecies": bool, "passes": [name, …]}}
//                 (compiler::Unobserved; without this key nothing is unobserved)
//   answer   ::= a verdict, as in verdict.json (reports/store/verdict_json.h)  |  {"refused": reason}
namespace haruspex::session {

// The build that judges.
struct Greeting {
    std::string haruspex;  // its version
    compiler::Identity compiler;
    std::string package;  // of the compiler, with its version; may be empty
    bool operator==(const Greeting& other) const;
};

struct Answer {
    std::optional<verdict::Verdict> verdict;  // nullopt if the case was refused
    std::string refusal;                      // the reason; empty if there is a verdict
    bool operator==(const Answer&) const = default;
};
Answer refused(std::string reason);

// Returns the greeting of this build.
Greeting greeting_of(const compiler::Compiler& compiler);

// Print as one line of JSON, and parse such a line; an Error if it is another text.
std::string to_json(const Greeting& greeting);
std::string to_json(const Answer& answer);
[[nodiscard]] Result<Greeting> parse_greeting(std::string_view line, std::string_view from);
[[nodiscard]] Result<Answer> parse_answer(std::string_view line, std::string_view from);

}  // namespace haruspex::session
