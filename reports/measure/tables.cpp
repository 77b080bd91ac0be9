#include "reports/measure/tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace haruspex::measure {
namespace {

constexpr std::uint64_t fewest = 3;  // problems in a cell that is shown

std::string text(std::uint64_t number) { return std::to_string(number); }

std::uint64_t at(const auto& map, const auto& key) {
    const auto found = map.find(key);
    return found == map.end() ? 0 : found->second;
}

std::vector<std::string> names_of_outcomes() {
    std::vector<std::string> names;
    for (const Outcome outcome : all_outcomes) { names.emplace_back(name(outcome)); }
    return names;
}

std::vector<std::string> counts_of(const Outcomes& outcomes) {
    std::vector<std::string> counts;
    for (const Outcome outcome : all_outcomes) { counts.push_back(text(at(outcomes, outcome))); }
    return counts;
}

std::uint64_t sum(const Outcomes& outcomes) {
    std::uint64_t all = 0;
    for (const auto& [outcome, count] : outcomes) { all += count; }
    return all;
}

void append(std::vector<std::string>& cells, std::vector<std::string> more) {
    cells.insert(cells.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

Table overview(const Results& results, const Times& times) {
    Table table{"What each method decides, of right and of wrong programs",
                {"method", "right, proved", "of", "wrong, refuted", "of", "decided", "wrong answers", "median seconds"},
                {},
                1};
    for (const Confusion& c : results.confusions) {
        const auto spent = times.of_answers.find({c.method, c.question});
        table.rows.push_back({title(c.method, c.question), text(at(c.right, Outcome::proved)), text(sum(c.right)),
                              text(at(c.wrong, Outcome::refuted)), text(sum(c.wrong)), percent(c.decided(), c.put()),
                              text(c.wrong_answers()),
                              spent == times.of_answers.end() ? "-" : three_digits(spent->second.median)});
    }
    return table;
}

Table confusion_table(const Confusion& confusion) {
    Table table{title(confusion.method, confusion.question) + ": truth against answer", {"the program is"}, {}, 1};
    append(table.header, names_of_outcomes());
    for (const bool is_wrong : {false, true}) {
        std::vector<std::string> row{is_wrong ? "wrong" : "right"};
        append(row, counts_of(is_wrong ? confusion.wrong : confusion.right));
        table.rows.push_back(std::move(row));
    }
    return table;
}

const std::vector<Group>& groups() {
    static const std::vector<Group> all{{"making", "how the program was made"},
                                        {"directive", "directive of the schedule"},
                                        {"tail", "tail strategy"},
                                        {"transformation", "transformation of a program of our own"},
                                        {"recurrence", "kind of recurrence"},
                                        {"op", "operator"},
                                        {"reduce", "inline reduction"},
                                        {"access", "kind of access"},
                                        {"type", "type"},
                                        {"rank", "rank of a tensor"},
                                        {"depth", "depth of the loops"},
                                        {"statements", "size of the program, in statements"}};
    return all;
}

std::vector<Cell> cells_of(const Results& results, const Group& group) {
    std::vector<Cell> cells;
    for (const Cell& cell : results.cells) {
        if (cell.name.starts_with(group.prefix + ":") && cell.put >= fewest) { cells.push_back(cell); }
    }
    return cells;
}

std::string label_of(const Cell& cell, const Group& group) {
    std::string label;
    for (const char c : cell.name.substr(group.prefix.size() + 1)) {
        // Numbers are padded with zeros for sorting.
        const bool is_leading = c == '0' && (label.empty() || label.back() == '-');
        if (!is_leading || group.prefix != "statements") { label += c; }
    }
    return label;
}

std::vector<Table> cell_tables(const Results& results) {
    std::vector<Table> tables;
    for (const Group& group : groups()) {
        Table table{"Decided for all sizes, and of the right ones proved, by " + group.title,
                    {group.prefix, "problems", "validator", "equivalence", "right ones", "validator proves",
                     "equivalence proves", "only validator", "only equivalence"},
                    {},
                    1};
        for (const Cell& cell : cells_of(results, group)) {
            table.rows.push_back({label_of(cell, group), text(cell.put),
                                  percent(at(cell.decided, Method::validator), cell.put),
                                  percent(at(cell.decided, Method::equivalence), cell.put), text(cell.right),
                                  percent(at(cell.proved, Method::validator), cell.right),
                                  percent(at(cell.proved, Method::equivalence), cell.right), text(cell.only_validator),
                                  text(cell.only_equivalence)});
        }
        if (!table.rows.empty()) { tables.push_back(std::move(table)); }
    }
    return tables;
}

Table better_table(const Results& results) {
    Table table{"Cells where one of the two proves, for all sizes, all that the other one does and more",
                {"cell", "better", "right ones", "only that one proves"},
                {},
                2};
    for (const Group& group : groups()) {
        for (const Cell& cell : cells_of(results, group)) {
            if (cell.is_validator_better()) {
                table.rows.push_back({cell.name, "validator", text(cell.right), text(cell.only_validator)});
            } else if (cell.is_equivalence_better()) {
                table.rows.push_back({cell.name, "equivalence", text(cell.right), text(cell.only_equivalence)});
            }
        }
    }
    return table;
}

Table reason_table(const Results& results, Question question) {
    Table table{"Why not: " + std::string(name(question)) + " sizes",
                {"method", "outcome", "reason", "problems", "smallest, by index", "its statements", "the other decides",
                 "smallest of these", "its statements"},
                {},
                3};
    for (const Reason& reason : results.reasons) {
        if (reason.question != question) { continue; }
        table.rows.push_back({std::string(name(reason.method)), std::string(name(reason.outcome)), reason.text,
                              text(reason.all.count), text(reason.all.index), text(reason.all.statements),
                              text(reason.others.count), reason.others.count == 0 ? "-" : text(reason.others.index),
                              reason.others.count == 0 ? "-" : text(reason.others.statements)});
    }
    return table;
}

Table prophecy_table(const Results& results) {
    Table table{"The validator on programs of which one prophecy is wrong", {"prophecy", "the program is"}, {}, 2};
    append(table.header, names_of_outcomes());
    for (const ProphecyRow& row : results.prophecies) {
        std::vector<std::string> cells{row.kind, row.is_wrong ? "wrong" : "right"};
        append(cells, counts_of(row.outcomes));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

Table detection_table(const Results& results) {
    std::vector<std::string> methods;
    for (const Confusion& confusion : results.confusions) {
        methods.push_back(title(confusion.method, confusion.question));
    }
    Table table{
        "Mutants of the compiler: how many of the programs that one has made wrong are refuted, and the seconds "
        "of processor time until the first was",
        {"mutant", "programs"},
        {},
        1};
    table.header.insert(table.header.end(), methods.begin(), methods.end());
    for (const Detection& detection : results.detections) {
        std::vector<std::string> row{detection.mutant, text(detection.put)};
        for (const std::string& method : methods) {
            const auto found = detection.by.find(method);
            if (found == detection.by.end()) {
                row.emplace_back("-");
            } else {
                const Detection::By& by = found->second;
                row.push_back(text(by.detected) + (by.first ? " (" + three_digits(by.cpu_until_first) + " s)" : ""));
            }
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table discovery_table(const std::vector<Detected>& detected) {
    Table table{
        "How many cases of one stream each method looks at, and the seconds of processor time that it takes for them, "
        "until it has found a mutant out; a dash where it does not",
        {"mutant", "of cases", "changed"},
        {},
        1};
    std::vector<std::string> methods;
    std::map<std::string, std::vector<std::pair<std::uint64_t, double>>> found;  // cases and seconds
    for (const Detected& of_mutant : detected) {
        if (!of_mutant.fault.empty()) { continue; }
        std::vector<std::string> row{of_mutant.mutant, text(of_mutant.put), text(of_mutant.changed)};
        for (const Discovery& discovery : of_mutant.by) {
            const std::string by = title(discovery.method, discovery.question);
            if (table.rows.empty()) { methods.push_back(by); }
            row.push_back((discovery.cases ? text(*discovery.cases) : "-") + " (" +
                          three_digits(discovery.cpu_seconds) + " s)");
            if (discovery.cases) { found[by].emplace_back(*discovery.cases, discovery.cpu_seconds); }
        }
        table.rows.push_back(std::move(row));
    }
    std::vector<std::string> counts{"all, found out: of " + text(table.rows.size()), "", ""};
    std::vector<std::string> medians{"median of these", "", ""};
    for (const std::string& method : methods) {
        table.header.push_back(method);
        auto& of_method = found[method];
        counts.push_back(text(of_method.size()));
        medians.emplace_back("-");
        if (of_method.empty()) { continue; }
        const auto middle = [&](auto member) {
            std::ranges::sort(of_method, {}, member);
            return of_method[(of_method.size() - 1) / 2].*member;
        };
        using Both = std::pair<std::uint64_t, double>;
        medians.back() = text(middle(&Both::first)) + " (" + three_digits(middle(&Both::second)) + " s)";
    }
    table.rows.push_back(std::move(counts));
    table.rows.push_back(std::move(medians));
    return table;
}

Table witness_table(const std::vector<Witness>& witnesses) {
    Table table{"The smallest cases found that one proves for all sizes and the other does not",
                {"not proved by", "reason", "from problem", "its statements", "statements", "runs", "what ended it"},
                {},
                2};
    for (const Witness& w : witnesses) {
        std::vector<std::string> row{std::string(name(w.sought.method)), w.sought.reason, text(w.sought.index),
                                     text(w.sought.statements)};
        if (w.c.empty()) {
            append(row, {"-", text(w.runs), w.none});
        } else {
            append(row, {text(w.statements), text(w.runs), w.is_fixpoint ? "nothing smaller" : "the budget"});
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table time_table(const Times& times) {
    Table table{"Seconds of processor time for an answer, and memory",
                {"method", "answers", "median", "one in twenty above", "most", "all together", "median, MiB",
                 "one in twenty above, MiB", "most, MiB"},
                {},
                1};
    for (const auto& [key, s] : times.of_answers) {
        table.rows.push_back({title(key.first, key.second), text(s.answers), three_digits(s.median),
                              three_digits(s.in_twenty), three_digits(s.most), three_digits(s.sum),
                              three_digits(mebibytes(s.median_memory)), three_digits(mebibytes(s.in_twenty_memory)),
                              three_digits(mebibytes(s.most_memory))});
    }
    return table;
}

Table growth_table(const Times& times) {
    Table table{"Median seconds for all sizes, by the size of the program", {"statements"}, {}, 1};
    std::map<std::uint64_t, std::map<Method, Summary>> by_class;
    for (const auto& [method, classes] : times.by_statements) {
        table.header.emplace_back(name(method));
        for (const auto& [most, summary] : classes) { by_class[most][method] = summary; }
    }
    for (const auto& [most, by_method] : by_class) {
        std::vector<std::string> row{"up to " + text(most)};
        for (const auto& [method, classes] : times.by_statements) {
            const auto found = by_method.find(method);
            row.push_back(found == by_method.end()
                              ? "-"
                              : three_digits(found->second.median) + " of " + text(found->second.answers));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

namespace {

// Counts, for each row, how many of each method's sorted numbers are at most the row's value.
Table counts_up_to(const std::string& what, const std::map<Method, std::vector<double>>& numbers,
                   std::initializer_list<double> steps) {
    Table table{
        "How many problems are decided, for all sizes (by interpreter and native code: refuted at their own), by "
        "answers of at most so many " +
            what + " each",
        {what},
        {},
        1};
    for (const auto& [method, sorted] : numbers) { table.header.emplace_back(name(method)); }
    for (const double most : steps) {
        std::vector<std::string> row{three_digits(most)};
        for (const auto& [method, sorted] : numbers) {
            row.push_back(text(static_cast<std::uint64_t>(std::ranges::upper_bound(sorted, most) - sorted.begin())));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace

Table cactus_table(const Times& times) {
    return counts_up_to("seconds", times.decided, {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100});
}

Table memory_table(const Times& times) {
    return counts_up_to("MiB", times.memory_of_decided, {1, 3, 10, 30, 100, 300, 1000});
}

Table published_table(const std::vector<Record>& records) {
    Table table{
        "Rows beside what is published of them: thesis and isa on their machine, in up to 15 minutes each; "
        "validator and equivalence checker here, with the same budgets",
        {"row", "question", "thesis", "isa", "validator", "equivalence", "budgets of a campaign", "compiler, seconds",
         "validator, seconds", "times the compiler's", "equivalence, seconds"},
        {},
        6};
    std::uint64_t rows = 0, by_thesis = 0, by_isa = 0, by_validator = 0, by_equivalence = 0, is_compiled = 0,
                  is_quick = 0;
    const auto is_decided = [](const std::string& word) {
        return word == "validated" || word == "proved" || word == "refuted";
    };
    for (const Record& record : records) {
        if (!record.published) { continue; }
        const Published& published = *record.published;
        const Entry* const validator = record.find(Method::validator, published.about);
        const Entry* const equivalence = record.find(Method::equivalence, published.about);
        const auto outcome = [](const Entry* entry) {
            return entry == nullptr ? std::string("-") : std::string(name(entry->answer.outcome));
        };
        const auto seconds = [](const Entry* entry) {
            return entry == nullptr ? std::string("-") : three_digits(entry->spent.cpu_seconds);
        };
        const bool is_timed = validator != nullptr && record.compile_seconds > 0;
        const double ratio = is_timed ? validator->spent.cpu_seconds / record.compile_seconds : 0;
        ++rows;
        by_thesis += is_decided(published.thesis) ? 1 : 0;
        by_isa += is_decided(published.isa) ? 1 : 0;
        by_validator += validator != nullptr && decides(record, *validator) ? 1 : 0;
        by_equivalence += equivalence != nullptr && decides(record, *equivalence) ? 1 : 0;
        is_compiled += is_timed ? 1 : 0;
        is_quick += is_timed && ratio <= 1 ? 1 : 0;
        table.rows.push_back({record.name, std::string(name(published.about)), published.thesis, published.isa,
                              outcome(validator), outcome(equivalence), text(record.effort),
                              record.compile_seconds > 0 ? three_digits(record.compile_seconds) : "-",
                              seconds(validator), is_timed ? three_digits(ratio) : "-", seconds(equivalence)});
    }
    if (rows == 0) { return table; }
    table.rows.push_back({"decided, of " + text(rows), "", text(by_thesis), text(by_isa), text(by_validator),
                          text(by_equivalence), "", "", "", "at most 1: " + text(is_quick) + " of " + text(is_compiled),
                          ""});
    return table;
}

Table row_table(const std::vector<Record>& records) {
    Table table{"Row by row",
                {"row", "question", "method", "answer", "expected", "reason", "budgets of a campaign", "seconds",
                 "times the compiler's"},
                {},
                6};
    for (const Record& record : records) {
        if (record.name.empty()) { continue; }
        if (record.making.empty() && record.entries.empty()) {
            table.rows.push_back({record.name, "", "", "", "", record.no_problem, "", "", ""});
        }
        for (const Entry& entry : record.entries) {
            const bool is_other = !entry.expected.empty() && entry.expected != name(entry.answer.outcome);
            table.rows.push_back(
                {record.name, std::string(name(entry.question)), std::string(name(entry.method)),
                 std::string(name(entry.answer.outcome)), is_other ? "not: " + entry.expected : entry.expected,
                 entry.answer.reason.substr(0, 200), text(record.effort), three_digits(entry.spent.cpu_seconds),
                 record.compile_seconds > 0 ? three_digits(entry.spent.cpu_seconds / record.compile_seconds) : ""});
        }
    }
    return table;
}

std::string three_digits(double number) {
    return fmt::format("{:.{}f}", number, number >= 100 ? 0 : number >= 10 ? 1 : number >= 1 ? 2 : 3);
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) { return "-"; }
    const double share = 100 * static_cast<double>(part) / static_cast<double>(whole);
    // An incomplete share is not shown as 100%, nor a share above zero as 0%.
    const double rounded = std::round(share * 10) / 10;
    const double shown = part == 0 || part == whole ? rounded : std::clamp(rounded, 0.1, 99.9);
    return fmt::format("{:.{}f}%", shown, shown == std::floor(shown) ? 0 : 1);
}

}  // namespace haruspex::measure
