#pragma once

#include <string>
#include <vector>

#include "reports/measure/detect.h"
#include "reports/measure/results.h"
#include "reports/measure/times.h"
#include "reports/measure/witnesses.h"
#include "reports/render/table.h"

// The tables of the page and of the README.
namespace haruspex::measure {

using render::Table;

Table overview(const Results& results, const Times& times);  // a line for each method and question
Table confusion_table(const Confusion& confusion);           // truth against answer
std::vector<Table> cell_tables(const Results& results);      // one for each group of features
Table better_table(const Results& results);  // features (Cell) for which one prover proves strictly more
Table reason_table(const Results& results, Question question);  // reasons for open answers, the most frequent first
Table prophecy_table(const Results& results);
Table detection_table(const Results& results);
Table witness_table(const std::vector<Witness>& witnesses);
Table discovery_table(const std::vector<Detected>& detected);  // a line for each mutant, and two over all mutants
Table time_table(const Times& times);
Table growth_table(const Times& times);
Table cactus_table(const Times& times);               // how many problems are decided within a number of seconds
Table memory_table(const Times& times);               // how many problems are decided within an amount of memory
Table row_table(const std::vector<Record>& records);  // the hand-written cases (rows.h)
// The rows beside their published results, and how many of the rows each method decides.
Table published_table(const std::vector<Record>& records);

// The groups of cells (results.h) that are shown, each with a caption.
struct Group {
    std::string prefix, title;
};
const std::vector<Group>& groups();
// Returns the group's cells that have enough problems, in order.
std::vector<Cell> cells_of(const Results& results, const Group& group);
// Returns a cell's label within its group: "select", "17-32".
std::string label_of(const Cell& cell, const Group& group);

// Formats a number with three significant digits: "12.3", "0.042".
std::string three_digits(double number);
// Formats a share: "37%", or "-" if `whole` is 0.
std::string percent(std::uint64_t part, std::uint64_t whole);

}  // namespace haruspex::measure
