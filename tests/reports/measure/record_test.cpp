#include "reports/measure/record.h"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>

#include "reports/measure/ledger.h"
#include "reports/store/files.h"
#include "tests/reports/measure/measure_support.h"

using namespace haruspex;
using namespace haruspex::measure;

TEST_CASE("records are read as they were written") {
    Record r = test::record(7, true, Outcome::refuted, Outcome::unsupported, {"op:+", "tail:Auto"});
    r.name = "row";
    r.shown = "at W = 3: \"f(0)\" is wrong";
    r.entries[0].expected = "proved";
    r.entries[0].answer.compile_seconds = 0.75;
    r.published = Published{Question::large_sizes, "validated", "timeout"};
    r.prophecies.push_back({Question::own_sizes, "prophecy_index", {Outcome::undecided, "why"}});
    const std::string text = to_json(r);
    CHECK(text.find('\n') == std::string::npos);
    const auto read = parse_record(text);
    REQUIRE(read.has_value());
    CHECK(to_json(*read) == text);
    CHECK(read->entries[0].expected == "proved");
    CHECK(read->find(Method::validator, Question::all_sizes) == &read->entries[0]);
    CHECK(read->find(Method::validator, Question::own_sizes) == nullptr);

    REQUIRE(read->published.has_value());
    CHECK(read->published->about == Question::large_sizes);
    CHECK(read->published->isa == "timeout");

    Record none;
    none.index = 3;
    none.no_problem = "no luck";
    CHECK(parse_record(to_json(none))->no_problem == "no luck");
    CHECK_FALSE(parse_record("{\"index\": 3"));
    CHECK_FALSE(parse_record("{\"index\": 3}"));
}

TEST_CASE("a ledger keeps whole lines only, and refuses what was begun otherwise") {
    const tests::ScratchFolder scratch;
    const auto file = scratch.path() / "cases.jsonl";
    {
        auto ledger = Ledger::open(file, "head");
        REQUIRE(ledger.has_value());
        CHECK(ledger->lines().empty());
        REQUIRE(ledger->append("one").has_value());
        REQUIRE(ledger->append("two").has_value());
        // A second writer is refused.
        CHECK_FALSE(Ledger::open(file, "head"));
    }
    std::ofstream(file, std::ios::app) << "thr";
    {
        const auto ledger = Ledger::open(file, "head");
        REQUIRE(ledger.has_value());
        CHECK(ledger->lines() == std::vector<std::string>{"one", "two"});
    }
    CHECK(store::read_file(file) == "head\none\ntwo\n");
    const auto other = Ledger::open(file, "another");
    REQUIRE_FALSE(other.has_value());
    CHECK(other.error().message.find("begun otherwise") != std::string::npos);
    CHECK_FALSE(Ledger::open(scratch.path() / "none" / "cases.jsonl", "head"));
}
