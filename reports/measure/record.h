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

// The measurement of one problem.
namespace haruspex::measure {

struct Entry {
    Method method = Method::validator;
    Question question = Question::all_sizes;
    Answer answer;
    Spent spent;
    std::string expected;  // for a row: the expected outcome, if any
};

// The validator's answer on a program with one deliberately wrong prophecy.
struct ProphecyTrial {
    Question question = Question::all_sizes;
    std::string kind;  // of the mutation
    Answer answer;
};

// The results that the thesis publishes for a row (Table 6.1 of the thesis): those of its validator and of isa.
struct Published {
    Question about = Question::all_sizes;  // the question that these results answer
    std::string thesis;                    // "validated", "refuted", "timeout"
    std::string isa;                       // "proved", "refuted", "not proved", "timeout"
};

struct Record {
    std::uint64_t index = 0;
    std::string name;    // the name of the row; empty otherwise
    std::string making;  // name(Making); empty if there was no problem
    std::string detail;
    std::string no_problem;  // why there was none
    bool is_wrong_at_own = false, is_wrong = false;
    std::string shown;
    std::set<std::string> features;
    std::map<std::string, std::uint64_t> size;  // statements, loops and depth of the program; tensors of the SARE
    Sizes own;
    std::uint64_t effort = 1;            // multiplies the budgets of a campaign
    double compile_seconds = 0;          // of the compiler, for this program; 0 if not measured
    std::optional<Published> published;  // for a row
    std::string build;                   // the build of haruspex that measured it
    std::vector<Entry> entries;
    std::vector<ProphecyTrial> prophecies;

    // Whether the program is wrong: at the problem's own sizes if the question is about these, otherwise at any sizes.
    bool is_wrong_for(Question question) const { return question == Question::own_sizes ? is_wrong_at_own : is_wrong; }
    // Returns the answer to a question; null if there is none. For a method that runs programs, returns its answer at
    // the problem's own sizes for every question.
    const Entry* find(Method method, Question question) const;
};

// Whether the answer is a proof of a right program or a refutation of a wrong one.
bool decides(const Record& record, const Entry& entry);
// Whether the answer is a proof of a wrong program or a refutation of a right one. Never for native code, which may be
// wrong although the lowered program is right.
bool is_wrong_answer(const Record& record, const Entry& entry);
// Convert a record to one line of JSON and back. Times and memory of this run are under "spent".
std::string to_json(const Record& record);
[[nodiscard]] Result<Record> parse_record(const std::string& line);

}  // namespace haruspex::measure
