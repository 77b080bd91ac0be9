#pragma once

#include <string>
#include <vector>

#include "reports/measure/detect.h"
#include "reports/measure/results.h"
#include "reports/measure/table.h"
#include "reports/measure/times.h"
#include "reports/measure/witnesses.h"

// The tables of the page, and of the README.
namespace haruspex::measure {

Table overview(const Results& results, const Times& times);     // a line for each method and question
Table confusion_table(const Confusion& confusion);              // truth against answer
std::vector<Table> cell_tables(const Results& results);         // one for each group of features
Table better_table(const Results& results);                     // cells where one method is strictly better
Table reason_table(const Results& results, Question question);  // why not, the most frequent first
Table prophecy_table(const Results& results);
Table detection_table(const Results& results);
Table witness_table(const std::vector<Witness>& witnesses);
Table discovery_table(const std::vector<Detected>& detected);  // a line for each mutant, and two for all
Table time_table(const Times& times);
Table growth_table(const Times& times);
Table cactus_table(const Times& times);               // how many are decided within so many seconds
Table memory_table(const Times& times);               // … and so much memory
Table row_table(const std::vector<Record>& records);  // of rows, with what is expected
// Rows beside what is published of them, and how many of them each decides.
Table published_table(const std::vector<Record>& records);

// The groups of cells that are shown, with a sentence for each.
struct Group {
    std::string prefix, title;
};
const std::vector<Group>& groups();
// The cells of a group of which there are enough to say something, in order.
std::vector<Cell> cells_of(const Results& results, const Group& group);
// What a cell is called within its group: "RoundUp", "17-32".
std::string label_of(const Cell& cell, const Group& group);

}  // namespace haruspex::measure
