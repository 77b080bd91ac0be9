#include "reports/campaign/case_file.h"

#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "generators/case/json.h"
#include "generators/random/random_case.h"
#include "generators/schedule/halide/language.h"
#include "reports/campaign/campaign.h"
#include "reports/campaign/settings.h"
#include "tests/reports/campaign/campaign_support.h"

namespace haruspex::campaign {
namespace {

cases::Case nth(std::uint64_t index) { return random::campaign_case(7, index, {}, schedule::halide::language(14)); }

// The cases [first, past) of seed 7, one a line.
std::string lines_of(std::uint64_t first, std::uint64_t past) {
    std::string lines;
    for (std::uint64_t index = first; index < past; ++index) { lines += cases::to_json(nth(index)) + "\n"; }
    return lines;
}

void write_packed(const std::filesystem::path& file, const std::string& text) {
    gzFile packed = gzopen(file.c_str(), "wb");
    REQUIRE(packed != nullptr);
    CHECK(gzwrite(packed, text.data(), static_cast<unsigned>(text.size())) == static_cast<int>(text.size()));
    gzclose(packed);
}

std::string refusal(const std::filesystem::path& file) {
    const auto read = read_case_file(file);
    REQUIRE_FALSE(read.has_value());
    return to_string(read.error());
}

}  // namespace

TEST_CASE("a file of cases is read as it was written, packed or not, with or without a line break at its end") {
    test::Scratch scratch;
    const std::string text = lines_of(0, 50);
    std::ofstream(scratch / "plain") << text;
    std::ofstream(scratch / "open-ended") << text.substr(0, text.size() - 1);
    write_packed(scratch / "packed", text);
    const auto plain = read_case_file(scratch / "plain");
    REQUIRE(plain.has_value());
    REQUIRE(plain->cases.size() == 50);
    for (std::uint64_t index = 0; index < 50; ++index) { CHECK(plain->cases[index] == nth(index)); }
    const auto packed = read_case_file(scratch / "packed");
    REQUIRE(packed.has_value());
    CHECK(packed->cases == plain->cases);
    CHECK(packed->digest == plain->digest);
    const auto open_ended = read_case_file(scratch / "open-ended");
    REQUIRE(open_ended.has_value());
    CHECK(open_ended->cases == plain->cases);
}

TEST_CASE("a file that holds something else than cases is refused where it is wrong") {
    test::Scratch scratch;
    CHECK(refusal(scratch / "nowhere").find("nowhere") != std::string::npos);
    std::ofstream(scratch / "empty") << "";
    CHECK(refusal(scratch / "empty").find("empty:1:1: no case: expected one a line") != std::string::npos);
    std::ofstream(scratch / "third") << lines_of(0, 2) << "{\"haruspex_case\": 7}\n";
    CHECK(refusal(scratch / "third").find("third:3:") != std::string::npos);
    std::ofstream(scratch / "gap") << lines_of(0, 1) << "\n" << lines_of(1, 2);
    CHECK(refusal(scratch / "gap").find("gap:2:1:") != std::string::npos);
    write_packed(scratch / "packed", lines_of(0, 50));
    const std::string whole = *store::read_file(scratch / "packed");
    std::ofstream(scratch / "short") << whole.substr(0, whole.size() / 2);
    CHECK(refusal(scratch / "short").find("short: a packed file that is cut short") != std::string::npos);
    std::string damaged = whole;
    damaged[whole.size() / 2] ^= 0x55;
    std::ofstream(scratch / "damaged") << damaged;
    CHECK(refusal(scratch / "damaged").find("damaged: a packed file that is") != std::string::npos);
}

TEST_CASE("a campaign over a file judges its cases in order, and as the campaign that draws them judges them") {
    test::Scratch scratch;
    std::ofstream(scratch / "cases.jsonl") << lines_of(10, 40);
    Options drawn = test::options(scratch / "drawn", 30);
    drawn.first = 10;
    test::run(drawn, test::mixed_mischief);
    Options from = test::options(scratch / "from", 30, 2);
    from.cases_from = scratch / "cases.jsonl";
    from.cases.reset();
    test::run(from, test::mixed_mischief);
    const auto of_drawn = test::lines(drawn.out / "cases.jsonl"), of_file = test::lines(from.out / "cases.jsonl");
    REQUIRE(of_drawn.size() == 30);
    REQUIRE(of_file.size() == 30);
    for (std::size_t i = 0; i < 30; ++i) {
        test::Json expected = of_drawn[i];
        expected["index"] = i;
        CHECK(of_file[i] == expected);
    }
}

TEST_CASE("a campaign over a file goes on with the same cases alone, and knows where they are") {
    test::Scratch scratch;
    std::ofstream(scratch / "cases.jsonl") << lines_of(0, 12);
    Options options = test::options(scratch / "out", 5);
    options.cases_from = scratch / "cases.jsonl";
    CHECK(test::run(options).cases == 5);
    auto stored = stored_options(options.out);
    REQUIRE(stored.has_value());
    REQUIRE(stored->has_value());
    CHECK((*stored)->cases_from == options.cases_from);
    options.cases = 100;
    CHECK(test::run(options).cases == 12);

    std::ofstream(scratch / "cases.jsonl") << lines_of(1, 13);
    test::ReferenceCompiler compiler;
    const auto other = run(options, compiler, test::never, test::ignore);
    REQUIRE_FALSE(other.has_value());
    CHECK(to_string(other.error()).find("cases from") != std::string::npos);
    options.out = scratch / "beyond";
    options.first = 12;
    CHECK_FALSE(run(options, compiler, test::never, test::ignore).has_value());
}

}  // namespace haruspex::campaign
