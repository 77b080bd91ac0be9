#include "reports/measure/detect.h"

#include "reports/measure/tables.h"
#include "tests/reports/measure/measure_support.h"

using namespace haruspex;
using namespace haruspex::measure;

namespace {

// Lowers every case to the same text, and knows nothing else.
class OneText final : public Source {
public:
    explicit OneText(std::string text) : text_(std::move(text)) {}
    Result<Compilation> compile(const cases::Case&, const Asked& asked) const override {
        Compilation compilation;
        if (asked.plain) { compilation.plain = text_; }
        compilation.is_mutated = asked.plain;
        compilation.regions.resize(asked.sizes.size());
        return compilation;
    }

private:
    std::string text_;
};

Workplace workplace_of(const std::string& text, const std::string& with_mutant) {
    Workplace workplace = test::workplace_without_compiler();
    workplace.installed = workplace.unchanged = std::make_shared<OneText>(text);
    workplace.mutants = {"slip"};
    workplace.mutant = [=](const std::string&) { return std::make_shared<OneText>(with_mutant); };
    return workplace;
}

Record looked_at(std::uint64_t index, double validator_seconds, double interpreter_seconds) {
    Record r;
    r.index = index;
    r.making = "lowered";
    r.entries = {{Method::validator, Question::own_sizes, {Outcome::proved, ""}, {validator_seconds, 0, 0}, ""},
                 {Method::validator, Question::all_sizes, {Outcome::proved, ""}, {10 * validator_seconds, 0, 0}, ""},
                 {Method::interpreter, Question::own_sizes, {Outcome::undecided, ""}, {interpreter_seconds, 0, 0}, ""}};
    return r;
}

Options two_methods() {
    Options options;
    options.methods = {Method::validator, Method::interpreter};
    return options;
}

}  // namespace

TEST_CASE("a mutant is given away by what is refuted of it alone, or no longer proved") {
    using enum Outcome;
    const auto tells = [](Method method, Outcome before, Outcome now) {
        return gives_away(method, {before, ""}, {now, ""});
    };
    for (const Method method : {Method::validator, Method::interpreter, Method::native}) {
        CHECK(tells(method, proved, refuted));
        CHECK(tells(method, undecided, refuted));
        CHECK_FALSE(tells(method, refuted, refuted));  // a bug of the compiler itself
        CHECK_FALSE(tells(method, proved, undecided));
    }
    CHECK(tells(Method::equivalence, proved, undecided));
    CHECK_FALSE(tells(Method::equivalence, undecided, undecided));
    CHECK_FALSE(tells(Method::equivalence, proved, proved));
}

TEST_CASE("a mutant that changes nothing takes what the cases take without it, and is not found") {
    std::vector<Record> stream{looked_at(0, 1, 0.25), looked_at(1, 2, 0.25)};
    stream.emplace_back();  // a case that was not lowered
    stream.back().index = 2;
    const Detected detected = detect("slip", 1, stream, workplace_of("the same", "the same"), two_methods());
    CHECK(detected.put == 3);
    CHECK(detected.changed == 0);
    REQUIRE(detected.by.size() == 3);  // methods that run programs answer only for the own sizes
    CHECK(detected.by[0].cpu_seconds == 3);
    CHECK(detected.by[1].question == Question::all_sizes);
    CHECK(detected.by[1].cpu_seconds == 30);
    CHECK(detected.by[2].cpu_seconds == 0.5);
    CHECK_FALSE(detected.by[0].cases.has_value());
    CHECK(parse_detected(to_json(detected))->by[1].question == Question::all_sizes);
    CHECK(parse_detected(to_json(detected))->by[2].cpu_seconds == 0.5);
    CHECK(to_json(*parse_detected(to_json(detected))) == to_json(detected));
    CHECK_FALSE(parse_detected("{}").has_value());
}

TEST_CASE("the table of discoveries counts who finds how many, and after how much") {
    const auto of = [](std::string mutant, std::optional<std::uint64_t> validator, double seconds) {
        return Detected{std::move(mutant),
                        9,
                        4,
                        {{Method::validator, Question::all_sizes, validator, seconds, "shown"},
                         {Method::native, Question::own_sizes, {}, 7, ""}},
                        ""};
    };
    const Table table = discovery_table({of("a", 5, 3), of("b", {}, 9), of("c", 2, 8), {"d", 0, 0, {}, "died"}});
    CHECK(table.header == std::vector<std::string>{"mutant", "of cases", "changed", "validator, all sizes", "native"});
    REQUIRE(table.rows.size() == 5);
    CHECK(table.rows[0] == std::vector<std::string>{"a", "9", "4", "5 (3.00 s)", "- (7.00 s)"});
    CHECK(table.rows[1][3] == "- (9.00 s)");
    CHECK(table.rows[3] == std::vector<std::string>{"all, found out: of 3", "", "", "2", "0"});
    CHECK(table.rows[4] == std::vector<std::string>{"median of these", "", "", "2 (3.00 s)", "-"});
    CHECK(discovery_table({}).rows.size() == 2);
}
