#include "reports/measure/results.h"

#include <algorithm>

#include "reports/measure/publish.h"
#include "reports/measure/tables.h"
#include "reports/measure/times.h"
#include "tests/reports/measure/measure_support.h"

using namespace haruspex;
using namespace haruspex::measure;
using test::record;

namespace {

const Cell& cell(const Results& results, const std::string& name) {
    const auto found = std::ranges::find(results.cells, name, &Cell::name);
    REQUIRE(found != results.cells.end());
    return *found;
}

}  // namespace

TEST_CASE("a proof of a wrong program and a refutation of a right one are wrong answers, nothing else is") {
    using enum Outcome;
    const Results results = results_of({record(0, false, proved, refuted), record(1, true, refuted, proved),
                                        record(2, false, undecided, unsupported), record(3, true, undecided, failed)});
    CHECK(results.put == 4);
    CHECK(results.right == 2);
    REQUIRE(results.wrong_answers.size() == 2);
    CHECK(results.wrong_answers[0].index == 0);
    CHECK(results.wrong_answers[1].index == 1);
    CHECK(results.wrong_answers[1].method == Method::equivalence);
    CHECK(results.find(Method::validator, Question::all_sizes)->wrong_answers() == 0);
    CHECK(results.find(Method::validator, Question::all_sizes)->decided() == 2);
    CHECK(results.find(Method::equivalence, Question::all_sizes)->wrong_answers() == 2);
    CHECK(results.faults == std::vector<std::uint64_t>{3});
    CHECK(has_findings({record(0, false, proved, refuted)}));
    CHECK_FALSE(has_findings({record(0, false, proved, undecided)}));
}

TEST_CASE("one method is strictly better in a cell when it decides all that the other does and more") {
    using enum Outcome;
    const Results results =
        results_of({record(0, false, proved, undecided, {"tail:RoundUp", "op:+"}),
                    record(1, false, proved, proved, {"tail:RoundUp", "op:+"}),
                    record(2, false, undecided, proved, {"op:+"}), record(3, false, undecided, proved, {"rank:1"})});
    CHECK(cell(results, "tail:RoundUp").is_validator_better());
    CHECK(cell(results, "rank:1").is_equivalence_better());
    CHECK_FALSE(cell(results, "op:+").is_validator_better());
    CHECK_FALSE(cell(results, "op:+").is_equivalence_better());
    CHECK(cell(results, "op:+").put == 3);
}

TEST_CASE("reasons that differ in particulars are one, and its witness is the smallest program") {
    using enum Outcome;
    std::vector<Record> records{record(4, false, undecided, proved), record(2, false, undecided, undecided)};
    records[0].entries[0].answer.reason = "value: f[x] := 1i32 + a[12]: not equal [rlimit of 300 is spent]";
    records[1].entries[0].answer.reason = "value: g[y] := 2i32: not equal [rlimit of 400 is spent]";
    const Results results = results_of(records);
    REQUIRE(results.reasons.size() == 2);  // the equivalence checker has a reason of its own
    CHECK(results.reasons[0].text == "value: rlimit of # is spent");
    CHECK(results.reasons[0].all.count == 2);
    CHECK(results.reasons[0].all.index == 2);
    CHECK(results.reasons[0].others.count == 1);
    CHECK(results.reasons[0].others.index == 4);
    CHECK(results.reasons[0].others.statements == 9);
}

TEST_CASE("a wrong program with a wrong prophecy that is validated is counted and found") {
    Record r = record(0, true, Outcome::refuted, Outcome::undecided);
    r.prophecies.push_back({Question::all_sizes, "prophecy_index", {Outcome::proved, ""}});
    CHECK(results_of({r}).fooled() == 1);
    CHECK(has_findings({r}));
    r.is_wrong = false;
    r.entries.clear();
    CHECK(results_of({r}).fooled() == 0);
}

TEST_CASE("of a mutant it is counted how many programs it takes to find it, and the time until then") {
    std::vector<Record> records{record(0, true, Outcome::undecided, Outcome::undecided),
                                record(1, true, Outcome::refuted, Outcome::undecided),
                                record(2, true, Outcome::refuted, Outcome::undecided)};
    for (Record& r : records) {
        r.making = name(Making::mutant);
        r.detail = "guard_one_more";
    }
    const Results results = results_of(records);
    REQUIRE(results.detections.size() == 1);
    const Detection::By& by = results.detections[0].by.at(title(Method::validator, Question::all_sizes));
    CHECK(by.detected == 2);
    CHECK(by.first == 2);
    CHECK(by.cpu_until_first == 1.0);
    CHECK(by.cpu_seconds == 1.5);
    CHECK_FALSE(results.detections[0].by.at(title(Method::equivalence, Question::all_sizes)).first);
}

TEST_CASE("times are summed up apart from what is decided") {
    std::vector<Record> records;
    for (std::uint64_t k = 0; k < 21; ++k) {
        records.push_back(record(k, false, k < 10 ? Outcome::proved : Outcome::undecided, Outcome::undecided));
        records.back().entries[0].spent.cpu_seconds = static_cast<double>(k);
    }
    const Times times = times_of(records);
    const Summary& summary = times.of_answers.at({Method::validator, Question::all_sizes});
    CHECK(summary.median == 10);
    CHECK(summary.in_twenty == 19);
    CHECK(summary.most == 20);
    CHECK(times.decided.at(Method::validator).size() == 10);
    CHECK_FALSE(times.decided.contains(Method::equivalence));
    CHECK(statements_class(4) == 4);
    CHECK(statements_class(5) == 8);
}

TEST_CASE("of memory the same is said as of time, in MiB where it is drawn") {
    std::vector<Record> records;
    for (std::uint64_t k = 0; k < 21; ++k) {
        records.push_back(record(k, false, k < 10 ? Outcome::proved : Outcome::undecided, Outcome::undecided));
        records.back().entries[0].spent.memory_bytes = (20 - k) << 20U;
    }
    const Times times = times_of(records);
    const Summary& summary = times.of_answers.at({Method::validator, Question::all_sizes});
    CHECK(summary.median_memory == std::uint64_t{10} << 20U);
    CHECK(summary.in_twenty_memory == std::uint64_t{19} << 20U);
    CHECK(summary.most_memory == std::uint64_t{20} << 20U);
    const std::vector<double>& decided = times.memory_of_decided.at(Method::validator);
    CHECK(decided.size() == 10);
    CHECK(decided.front() == 11);
    CHECK(decided.back() == 20);
    const Table table = memory_table(times);
    CHECK(table.header == std::vector<std::string>{"MiB", "validator"});
    CHECK(table.rows.at(2) == std::vector<std::string>{"10.0", "0"});
    CHECK(table.rows.at(3) == std::vector<std::string>{"30.0", "10"});
}

TEST_CASE("rows stand beside what is published of them, with how many each decides") {
    using enum Outcome;
    std::vector<Record> records{record(0, false, proved, undecided), record(1, true, refuted, undecided),
                                record(2, false, undecided, proved), record(3, false, proved, proved)};
    records[0].published = Published{Question::all_sizes, "validated", "timeout"};
    records[1].published = Published{Question::all_sizes, "refuted", "refuted"};
    records[2].published = Published{Question::all_sizes, "timeout", "not proved"};
    for (Record& r : records) { r.name = "row" + std::to_string(r.index); }
    records[0].compile_seconds = 1;
    records[1].compile_seconds = 0.25;
    const Table table = published_table(records);  // the fourth has no published results
    REQUIRE(table.rows.size() == 4);
    CHECK(table.rows[0] == std::vector<std::string>{"row0", "all", "validated", "timeout", "proved", "undecided", "1",
                                                    "1.00", "0.500", "0.500", "0.250"});
    CHECK(table.rows[2][9] == "-");
    CHECK(table.rows[3] ==
          std::vector<std::string>{"decided, of 3", "", "2", "1", "2", "1", "", "", "", "at most 1: 1 of 2", ""});
    CHECK(published_table({records[3]}).rows.empty());
}

TEST_CASE("shares do not look like all or nothing when they are not") {
    CHECK(percent(0, 0) == "-");
    CHECK(percent(1, 3) == "33.3%");
    CHECK(percent(9999, 10000) == "99.9%");
    CHECK(percent(1, 10000) == "0.1%");
    CHECK(percent(10000, 10000) == "100%");
    CHECK(three_digits(0.0423) == "0.042");
    CHECK(three_digits(123.4) == "123");
}

TEST_CASE("values with commas, quotes and line breaks survive in comma-separated values") {
    CHECK(render::csv_line({"a", "b, c", "\"d\"", ""}) == "a,\"b, c\",\"\"\"d\"\"\",\r\n");
    CHECK(render::csv_line({"", "x"}) == ",x\r\n");
}
