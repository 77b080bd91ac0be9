#include "tests/support/litmus.h"

#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "oracle/equivalence/equivalence.h"
#include "tests/support/catch.h"

// The validator's litmus programs, whose true verdicts are known.
namespace haruspex::equivalence {
namespace {

struct Count {
    std::size_t right = 0, proved = 0;
};

// Counts right and proved litmus programs, with these operators reorderable.
Count count(const std::string& reorderable) {
    Count count;
    const Options options{*parse_reorderable(reorderable), false, {}, 20'000'000};
    std::cout << "litmus programs, --ac \"" << reorderable << "\":\n";
    for (const std::filesystem::path& path : test::litmus_files()) {
        const auto litmus = test::read_litmus(path);
        REQUIRE(litmus.has_value());
        INFO(litmus->name);
        const Verdict verdict = check(litmus->specification, litmus->program, options);
        const bool is_proved = verdict.outcome == Outcome::proved;
        // A program that is wrong only in a prophecy is right.
        const bool is_right = litmus->verdict == test::Litmus::Verdict::validated ||
                              litmus->reasons == std::vector<std::string>{"prophecy"} ||
                              litmus->reasons == std::vector<std::string>{"steps"};
        CHECK((is_right || !is_proved));
        // Whole reductions in another order are beyond the checker, which has operands in any order only.
        if (!is_right || !litmus->reduced.empty()) { continue; }
        ++count.right;
        count.proved += is_proved ? 1 : 0;
        if (!is_proved) { std::cout << "  " << litmus->name << ": " << verdict.reason << "\n"; }
    }
    std::cout << "  " << count.proved << " of " << count.right << " right ones proved\n";
    return count;
}

TEST_CASE("no litmus program that is wrong is proved, and most that are right are") {
    const Count plain = count("");
    CHECK(10 * plain.proved >= 6 * plain.right);
    const Count reordered = count("add,mul,min,max");
    CHECK(10 * reordered.proved >= 8 * reordered.right);
    CHECK(reordered.proved > plain.proved);
}

}  // namespace
}  // namespace haruspex::equivalence
