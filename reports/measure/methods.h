#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/compiler/compiler.h"
#include "reports/measure/problem.h"

// The methods, the questions put to them, and their answers.
namespace haruspex::measure {

enum class Method : std::uint8_t {
    validator,    // oracle/validator and oracle/unrolled, with the program's prophecies
    equivalence,  // oracle/equivalence, without prophecies; reorders every operator that allows it
    interpreter,  // interprets the program on the problem's own inputs; can refute, never prove
    native,       // runs compiled code; can refute, never prove
};
inline constexpr std::array all_methods{Method::validator, Method::equivalence, Method::interpreter, Method::native};
std::string_view name(Method method);
std::optional<Method> parse_method(std::string_view text);
// Whether the method runs the program, and so answers only for the problem's own sizes.
bool runs_programs(Method method);

// Is the program right, for all inputs …
enum class Question : std::uint8_t {
    own_sizes,    // … at the problem's own sizes, with every loop unrolled where that helps
    large_sizes,  // … at realistic sizes, too large for unrolling
    all_sizes,    // … at all sizes that the specification assumes and the compiler documents to work
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
    // For a native run: the time that the compiler itself took, and the processor time of compiling and running.
    double compile_seconds = 0, native_cpu_seconds = 0;
};

// The limits of an answer, the same for all methods.
struct Budget {
    // Multiplies a campaign's budget for solvers. That budget counts operations, so it ends at the same point on every
    // machine.
    std::uint64_t effort = 1;
    // Limits of the answering process: a last resort, since they depend on the machine.
    compiler::Limits limits{std::uint64_t{3} << 30, std::chrono::seconds(120), std::chrono::seconds(480)};
};

// Puts a question about the problem to a method. Answers of the validator and the equivalence checker hold under the
// assumptions that these make. A refutation of a lowered program is confirmed by interpreting the program as lowered.
// `sizes` are the sizes of the question; for `all_sizes` the problem's own, which are used for parameters that a
// counterexample leaves open.
Answer ask(Method method, Question question, const Problem& problem, const Sizes& sizes,
           const compiler::Identity& identity, const Budget& budget);

}  // namespace haruspex::measure
