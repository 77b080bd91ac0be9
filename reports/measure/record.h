#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "reports/measure/methods.h"
#include "reports/measure/process.h"

// What was measured of one problem.
namespace haruspex::measure {

struct Entry {
    Method method = Method::validator;
    Question question = Question::all_sizes;
    Answer answer;
    Spent spent;
    std::string expected;  // of a row: the outcome, where one is expected
};

// The validator on a program in which one prophecy is wrong, on purpose.
struct ProphecyTrial {
    Question question = Question::all_sizes;
    std::string kind;  // of the mutation
    Answer answer;
};

// What the thesis publishes of a row (its Table 6.1): of its validator, and of isa.
struct Published {
    Question about = Question::all_sizes;  // the question that is answered
    std::string thesis;                    // "validated", "refuted", "timeout"
    std::string isa;                       // "proved", "refuted", "not proved", "timeout"
};

struct Record {
    std::uint64_t index = 0;
    std::string name;    // of a row; otherwise empty
    std::string making;  // name(Making); empty when there was no problem
    std::string detail;
    std::string no_problem;  // why there was none
    bool is_wrong_at_own = false, is_wrong = false;
    std::string shown;
    std::set<std::string> features;
    std::map<std::string, std::uint64_t> size;  // of the program: statements, loops, depth; of the SARE: tensors
    Sizes own;
    std::uint64_t effort = 1;            // so many times the budgets of a campaign
    double compile_seconds = 0;          // of the compiler, for this program; 0 where it was not measured
    std::optional<Published> published;  // of a row
    std::string build;                   // of haruspex, that measured it
    std::vector<Entry> entries;
    std::vector<ProphecyTrial> prophecies;

    // Whether the program is wrong as far as the question goes.
    bool is_wrong_for(Question question) const { return question == Question::own_sizes ? is_wrong_at_own : is_wrong; }
    // Of a method that runs programs, the answer at the problem's own sizes is the answer to every question.
    const Entry* find(Method method, Question question) const;
};

// One line; what is of this run alone (times, memory) stands under "spent".
std::string to_json(const Record& record);
[[nodiscard]] Result<Record> parse_record(const std::string& line);

}  // namespace haruspex::measure
