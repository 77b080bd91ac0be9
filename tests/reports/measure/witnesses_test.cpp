#include "reports/measure/witnesses.h"

#include "generators/case/json.h"
#include "generators/random/random_case.h"
#include "generators/schedule/halide/language.h"
#include "reports/minimize/size.h"
#include "tests/reports/measure/measure_support.h"

using namespace haruspex;
using namespace haruspex::measure;

namespace {

Record lowered(std::uint64_t index, Outcome validator, Outcome equivalence) {
    Record r = test::record(index, false, validator, equivalence);
    r.making = "lowered";
    return r;
}

bool vectorizes(const cases::Case& c) { return cases::to_json(c).find("vectorize") != std::string::npos; }

cases::Case vectorized_case() {
    for (std::uint64_t seed = 0;; ++seed) {
        Choices choices(random_source(seed));
        cases::Case c = random::draw_case(choices, {}, schedule::halide::language(14));
        if (vectorizes(c) && c.schedule.directives.size() > 2) { return c; }
    }
}

}  // namespace

TEST_CASE("witnesses are sought among what was lowered, is right, and is proved by one alone") {
    using enum Outcome;
    std::vector<Record> records{lowered(9, proved, undecided),    lowered(3, proved, undecided),
                                lowered(5, unsupported, proved),  lowered(1, proved, proved),
                                lowered(2, undecided, undecided), test::record(0, false, proved, undecided)};
    records.push_back(lowered(0, proved, undecided));
    records.back().is_wrong = true;
    records.push_back(lowered(0, proved, undecided));
    records.back().entries[1].answer.reason = "time limit";
    const auto sought = sought_in(records);
    REQUIRE(sought.size() == 2);
    CHECK(sought[0].method == Method::validator);
    CHECK(sought[0].index == 5);
    CHECK(sought[0].reason == "because of #");
    CHECK(sought[1].method == Method::equivalence);
    CHECK(sought[1].index == 3);
    CHECK(sought[1].statements == 8);
}

TEST_CASE("a witness is made smaller as long as it is one, and within its budget") {
    const cases::Case c = vectorized_case();
    const Workplace workplace = test::workplace_without_compiler();
    const auto shrunk = [&](std::uint64_t most_runs, const auto& examine) {
        return shrink({Method::equivalence, "why", 7, 99}, c, examine, workplace, most_runs);
    };
    const Witness small = shrunk(2000, vectorizes);
    INFO(small.none);
    CHECK(small.is_fixpoint);
    CHECK(small.sought.index == 7);
    const cases::Case smallest = cases::parse_case(small.c, "").value();
    CHECK(vectorizes(smallest));
    CHECK(minimize::size_of(smallest) < minimize::size_of(c));
    CHECK(smallest.schedule.directives.size() <= 2);

    const Witness stopped = shrunk(3, vectorizes);
    CHECK_FALSE(stopped.is_fixpoint);
    CHECK(stopped.runs == 3);
    CHECK(vectorizes(cases::parse_case(stopped.c, "").value()));

    const Witness none = shrunk(100, [](const cases::Case&) { return false; });
    CHECK(none.c.empty());
    CHECK(none.none == "the answers are others now");

    CHECK(to_json(*parse_witness(to_json(small))) == to_json(small));
    CHECK(parse_witness(to_json(small))->c == small.c);
    CHECK_FALSE(parse_witness("{}").has_value());
}
