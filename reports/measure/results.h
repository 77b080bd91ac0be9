#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/measure/record.h"

// What all records say together.
namespace haruspex::measure {

using Outcomes = std::map<Outcome, std::uint64_t>;

// Right and wrong programs against what a method says of them.
struct Confusion {
    Method method = Method::validator;
    Question question = Question::all_sizes;
    Outcomes right, wrong;

    std::uint64_t wrong_answers() const;  // as is_wrong_answer has it
    std::uint64_t decided() const;        // right and proved, wrong and refuted
    std::uint64_t put() const;
};

// A problem that a method gets wrong.
struct WrongAnswer {
    std::uint64_t index = 0;
    Method method = Method::validator;
    Question question = Question::all_sizes;
    Outcome outcome = Outcome::proved;
    std::string reason, shown;
};

// Problems that have something in common, about all sizes.
struct Cell {
    std::string name;  // "tail:RoundUp", "statements:17-32", "making:lowered"
    std::uint64_t put = 0, right = 0;
    std::map<Method, std::uint64_t> decided, proved;
    // Of the right ones, how many only one of the validator and the equivalence checker proves: that something is wrong
    // only the validator says.
    std::uint64_t only_validator = 0, only_equivalence = 0;

    // Whether it proves all that the other one does, and something else.
    bool is_validator_better() const { return only_validator > 0 && only_equivalence == 0; }
    bool is_equivalence_better() const { return only_equivalence > 0 && only_validator == 0; }
};

// Problems with something in common, of which the smallest program stands for all.
struct Example {
    std::uint64_t count = 0, index = 0, statements = 0;
};

// Why something is not decided, without particulars.
struct Reason {
    Method method = Method::validator;
    Question question = Question::all_sizes;
    Outcome outcome = Outcome::undecided;
    std::string text;
    Example all;
    Example others;  // those of them that the other one of validator and equivalence checker decides
};

// The validator on programs with a prophecy that is wrong.
struct ProphecyRow {
    std::string kind;
    bool is_wrong = false;  // the program itself
    Outcomes outcomes;
};

// Programs that one mutant has made wrong, and who finds out.
struct Detection {
    std::string mutant;
    std::uint64_t put = 0;
    struct By {
        std::uint64_t detected = 0;
        std::optional<std::uint64_t> first;  // how many of them were looked at until the first was detected
        double cpu_seconds = 0;              // of all
        double cpu_until_first = 0;
    };
    std::map<std::string, By> by;  // "native", "validator, own sizes", …
};

struct Results {
    std::uint64_t put = 0, right = 0, wrong = 0, no_problem = 0;
    std::map<std::string, std::uint64_t> by_making;
    std::vector<std::uint64_t> made_right_and_wrong;  // indices: a fault of the compiler's, or of ours
    std::vector<std::uint64_t> faults;                // where haruspex itself failed
    std::vector<Confusion> confusions;
    std::vector<WrongAnswer> wrong_answers;
    std::vector<Cell> cells;
    std::vector<Reason> reasons;
    std::vector<ProphecyRow> prophecies;
    std::vector<Detection> detections;

    const Confusion* find(Method method, Question question) const;
    // Programs that are wrong, have a wrong prophecy, and were validated.
    std::uint64_t fooled() const;
};

// An answer's reason without numbers, and without what is said of the program's own names.
std::string reason_class(const Answer& answer);

bool decides(const Record& record, const Entry& entry);
// Wrong and proved, or right and refuted; but by native code, which may be wrong where the lowered program is right.
bool is_wrong_answer(const Record& record, const Entry& entry);
// "validator, all sizes"
std::string title(Method method, Question question);

Results results_of(const std::vector<Record>& records);

}  // namespace haruspex::measure
