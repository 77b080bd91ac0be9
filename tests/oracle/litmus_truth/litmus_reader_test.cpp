#include "generators/base/sizes.h"
#include "tests/support/catch.h"
#include "tests/support/litmus.h"

namespace haruspex::test {
namespace {

const std::string sections =
    "--- specification\nsare s(N) assuming N >= 0 {\n  input A : i32[1]\n  F(x) = A(x)\n  output F on { [x] : 0 <= x < "
    "N "
    "}\n}\n--- program\nsched s(N) {\n  input a for A : i32[N];\n  output f for F : i32[N];\n  for x in [0, N) { f[x] "
    "{F(x)} := a[x]; }\n}\n";

Result<Litmus> read(const std::string& head) { return LitmusReader("# a copy\n" + head + sections, "test").read(); }

std::string error_of(const std::string& head) {
    const auto litmus = read(head);
    return litmus ? "no error" : litmus.error().message;
}

TEST_CASE("a litmus file's head is read") {
    const auto litmus = read("verdict: refuted: value, coverage\nsizes: N=-2..6\nfloat: ieee\ninputs: f\n");
    REQUIRE(litmus.has_value());
    CHECK(litmus->verdict == Litmus::Verdict::refuted);
    CHECK(litmus->reasons == std::vector<std::string>{"value", "coverage"});
    REQUIRE(litmus->sizes.size() == 1);
    CHECK(litmus->sizes[0].low == -2);
    CHECK(litmus->sizes[0].high == 6);
    CHECK(litmus->floats == Litmus::Float::ieee);
    CHECK(litmus->program.arrays[1].role == sched::Role::input);
    CHECK(read("verdict: validated\nsizes: N=0..1\nfloat: strict\n")->floats == Litmus::Float::strict);
    CHECK(read("verdict: validated\nsizes: N=0..1\nfloat: abstract\n")->floats == Litmus::Float::abstract);
    CHECK(read("verdict: validated\nsizes: N=0..1\n")->verdict == Litmus::Verdict::validated);
    CHECK(read("verdict: undecided: vacuous\nsizes: N=0..1\n")->verdict == Litmus::Verdict::undecided);
}

TEST_CASE("a litmus file that says something unknown is refused") {
    CHECK(error_of("verdict: validated\n") == "expected a verdict and sizes");
    CHECK(error_of("sizes: N=0..1\n") == "expected a verdict and sizes");
    for (const std::string verdict : {"right", "validated: value", "refuted", "refuted: wrong", "undecided: value"}) {
        INFO(verdict);
        CHECK(error_of("verdict: " + verdict + "\nsizes: N=0..1\n").starts_with("expected a verdict with known kinds"));
    }
    for (const std::string sizes : {"N", "N=1", "N=a..2", "N=1..", "N=2..1"}) {
        INFO(sizes);
        CHECK(error_of("verdict: validated\nsizes: " + sizes + "\n") == "expected a range: " + sizes);
    }
    for (const std::string sizes : {"", "M=0..1", "N=0..1 M=0..1"}) {
        INFO(sizes);
        CHECK(error_of("verdict: validated\nsizes: " + sizes + "\n") ==
              "expected a range for each parameter, in their order");
    }
    const std::string head = "verdict: validated\nsizes: N=0..1\n";
    CHECK(error_of(head + head) == "expected one field to a line, each once: verdict: validated");
    CHECK(error_of(head + "float: exact\n") == "expected another field: float: exact");
    CHECK(error_of(head + "inputs: g\n") == "expected an array: g");
}

TEST_CASE("errors in a litmus file's sections have the lines of the file") {
    std::string text = "# a copy\nverdict: validated\nsizes: N=0..1\n" + sections;
    text.replace(text.find("a[x]; }"), 4, "b[x]");
    const auto litmus = LitmusReader(text, "test").read();
    REQUIRE(!litmus.has_value());
    CHECK(litmus.error().where.line == 14);
    CHECK(!LitmusReader("verdict: validated\nsizes: N=0..1\n" + sections, "test").read().has_value());
    CHECK(!LitmusReader("# a copy\n", "test").read().has_value());
}

TEST_CASE("the combinations of sizes are all there") {
    CHECK(combinations({}).size() == 1);
    const auto found = combinations({{"N", -1, 1}, {"M", 2, 3}});
    CHECK(found.size() == 6);
    CHECK(found.front() == Sizes{{"M", 2}, {"N", -1}});
    CHECK(found.back() == Sizes{{"M", 3}, {"N", 1}});
}

}  // namespace
}  // namespace haruspex::test
