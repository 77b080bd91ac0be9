#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/measure/record.h"

// Summarises all records.
namespace haruspex::measure {

using Outcomes = std::map<Outcome, std::uint64_t>;

// Right and wrong programs, by a method's outcome.
struct Confusion {
    Method method = Method::validator;
    Question question = Question::all_sizes;
    Outcomes right, wrong;

    std::uint64_t wrong_answers() const;  // as in is_wrong_answer
    std::uint64_t decided() const;        // right programs that are proved, and wrong ones that are refuted
    std::uint64_t put() const;
};

// A wrong answer of a method.
struct WrongAnswer {
    std::uint64_t index = 0;
    Method method = Method::validator;
    Question question = Question::all_sizes;
    Outcome outcome = Outcome::proved;
    std::string reason, shown;
};

// A cell of the tables: problems with a common feature, and the answers about them for all sizes.
struct Cell {
    std::string name;  // "tail:RoundUp", "statements:17-32", "making:lowered"
    std::uint64_t put = 0, right = 0;
    std::map<Method, std::uint64_t> decided, proved;
    // Right problems that only one prover proves. Wrong ones are not counted, since only the validator refutes.
    std::uint64_t only_validator = 0, only_equivalence = 0;

    // Whether the validator proves every right problem that the equivalence checker proves, and more.
    bool is_validator_better() const { return only_validator > 0 && only_equivalence == 0; }
    bool is_equivalence_better() const { return only_equivalence > 0 && only_validator == 0; }
};

// Problems with a common property, represented by the smallest program.
struct Example {
    std::uint64_t count = 0, index = 0, statements = 0;
};

// A reason why a method neither proves nor refutes, in the words of reason_class(), with the problems for which it gave
// this reason.
struct Reason {
    Method method = Method::validator;
    Question question = Question::all_sizes;
    Outcome outcome = Outcome::undecided;
    std::string text;
    Example all;
    Example others;  // of these problems, those that the other prover decides
};

// The validator's outcomes on programs with a wrong prophecy.
struct ProphecyRow {
    std::string kind;
    bool is_wrong = false;  // whether the program itself is wrong
    Outcomes outcomes;
};

// The programs that one mutant made wrong, and how each method detects this.
struct Detection {
    std::string mutant;
    std::uint64_t put = 0;
    struct By {
        std::uint64_t detected = 0;
        std::optional<std::uint64_t> first;  // how many were examined up to the first detection
        double cpu_seconds = 0;              // for all of these programs
        double cpu_until_first = 0;
    };
    std::map<std::string, By> by;  // "native", "validator, own sizes", …
};

struct Results {
    std::uint64_t put = 0, right = 0, wrong = 0, no_problem = 0;
    std::map<std::string, std::uint64_t> by_making;
    // Indices of problems that were made right and are wrong, by a fault of the compiler or of haruspex.
    std::vector<std::uint64_t> made_right_and_wrong;
    std::vector<std::uint64_t> faults;  // indices of problems on which haruspex itself failed
    std::vector<Confusion> confusions;
    std::vector<WrongAnswer> wrong_answers;
    std::vector<Cell> cells;
    std::vector<Reason> reasons;
    std::vector<ProphecyRow> prophecies;
    std::vector<Detection> detections;

    const Confusion* find(Method method, Question question) const;
    // Returns the number of wrong programs that were validated with a wrong prophecy.
    std::uint64_t fooled() const;
};

// Returns an answer's reason without details, and with "#" in place of each number.
std::string reason_class(const Answer& answer);

// Returns a heading, such as "validator, all sizes".
std::string title(Method method, Question question);

Results results_of(const std::vector<Record>& records);

}  // namespace haruspex::measure
