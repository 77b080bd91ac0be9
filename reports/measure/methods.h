#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/compiler/compiler.h"
#include "reports/measure/problem.h"

// Who is asked, about what, and the answers.
namespace haruspex::measure {

enum class Method : std::uint8_t {
    validator,    // oracle/validator and oracle/unrolled, with the program's prophecies
    equivalence,  // oracle/equivalence, without them; every operator may be reordered that can be
    interpreter,  // runs on the problem's own inputs: shows what is wrong, proves nothing
    native,       // compiled code, run: likewise
};
inline constexpr std::array all_methods{Method::validator, Method::equivalence, Method::interpreter, Method::native};
std::string_view name(Method method);
std::optional<Method> parse_method(std::string_view text);
// They answer for a problem's own sizes alone.
bool runs_programs(Method method);

// Is the program right, for all inputs …
enum class Question : std::uint8_t {
    own_sizes,    // … at the problem's own sizes, with every loop unrolled where that helps
    large_sizes,  // … at sizes of real use, where it does not
    all_sizes,    // … at every size that its specification assumes and the compiler documents to work
};
inline constexpr std::array all_questions{Question::own_sizes, Question::large_sizes, Question::all_sizes};
std::string_view name(Question question);  // "own", "large", "all"
std::optional<Question> parse_question(std::string_view text);

enum class Outcome : std::uint8_t { proved, refuted, undecided, unsupported, failed };
inline constexpr std::array all_outcomes{Outcome::proved, Outcome::refuted, Outcome::undecided, Outcome::unsupported,
                                         Outcome::failed};
std::string_view name(Outcome outcome);
std::optional<Outcome> parse_outcome(std::string_view text);

struct Answer {
    Outcome outcome = Outcome::undecided;
    std::string reason;  // one line
    // Of a native run: the compiler's part, and the processor time of both.
    double compile_seconds = 0, native_cpu_seconds = 0;
};

// The same for all methods.
struct Budget {
    // Of solvers: so many times what a campaign allows. Where it ends is the same on every machine.
    std::uint64_t effort = 1;
    // Of the process that looks for the answer: the last resort, and the machine's own.
    compiler::Limits limits{std::uint64_t{3} << 30, std::chrono::seconds(120), std::chrono::seconds(480)};
};

// What the validator and the equivalence checker refute or prove is so when the assumption holds under which they do;
// a refutation is confirmed by the interpreters on the very program. `sizes` are those of the question; of `all_sizes`,
// the problem's own, with which methods that run programs begin.
Answer ask(Method method, Question question, const Problem& problem, const Sizes& sizes,
           const compiler::Identity& identity, const Budget& budget);

}  // namespace haruspex::measure
