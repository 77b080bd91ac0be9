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
    std::uint64_t decided() const;        // right and proved, wrong and refuted
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

// Problems with a common feature, and the answers for all sizes.
struct Cell {
    std::string name;  // "tail:RoundUp", "statements:17-32", "making:lowered"
    std::uint64_t put = 0, right = 0;
    std::map<Method, std::uint64_t> decided, proved;
    // Right ones that only one prover proves. Wrong ones are not counted, since only the validator refutes.
    std::uint64_t only_validator = 0, only_equivalence = 0;

    // Whether the validator proves everything that the checker proves, and more.
    bool is_validator_better() const { return only_validator > 0 && only_equivalence == 0; }
    bool is_equivalence_better() const { return only_equivalence > 0 && only_validator == 0; }
};

// Problems with a common property, represented by the smallest program.
struct Example {
    std::uint64_t count = 0, index = 0, statements = 0;
};

// A reason for an undecided answer, without particulars.
struct Reason {
    Method method = Method::validator;
    Question question = Question::all_sizes;
    Outcome outcome = Outcome::undecided;
    std::string text;
    Example all;
    Example others;  // those of them that the other prover decides
};

// The validator's outcomes on programs with a wrong prophecy.
struct ProphecyRow {
    std::string kind;
    bool is_wrong = false;  // the program itself
    Outcomes outcomes;
};

// Programs that one mutant has made wrong, and their detection by each method.
struct Detection {
    std::string mutant;
    std::uint64_t put = 0;
    struct By {
        std::uint64_t detected = 0;
        std::optional<std::uint64_t> first;  // how many were examined until the first was detected
        double cpu_seconds = 0;              // for all of them
        double cpu_until_first = 0;
    };
    std::map<std::string, By> by;  // "native", "validator, own sizes", …
};

struct Results {
    std::uint64_t put = 0, right = 0, wrong = 0, no_problem = 0;
    std::map<std::string, std::uint64_t> by_making;
    std::vector<std::uint64_t> made_right_and_wrong;  // indices: a fault of the compiler or of haruspex
    std::vector<std::uint64_t> faults;                // where haruspex itself failed
    std::vector<Confusion> confusions;
    std::vector<WrongAnswer> wrong_answers;
    std::vector<Cell> cells;
    std::vector<Reason> reasons;
    std::vector<ProphecyRow> prophecies;
    std::vector<Detection> detections;

    const Confusion* find(Method method, Question question) const;
    // The number of wrong programs with a wrong prophecy that were validated.
    std::uint64_t fooled() const;
};

// An answer's reason without numbers and without the program's own names.
std::string reason_class(const Answer& answer);

// "validator, all sizes"
std::string title(Method method, Question question);

Results results_of(const std::vector<Record>& records);

}  // namespace haruspex::measure
