#include "generators/case/json.h"

#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "generators/random/random_case.h"
#include "generators/sare/build.h"
#include "generators/sare/text.h"
#include "generators/schedule/halide/language.h"
#include "generators/schedule/halide/text.h"
#include "generators/schedule/language.h"
#include "tests/support/catch.h"

using namespace haruspex;

namespace {

constexpr const char* program =
    "sare sample(W, H) assuming W >= 8 and H >= 1 {\n"
    "  input in : f32[2]\n"
    "  input mask : u64[1]\n"
    "  f(x, y) = in(x - 1, y) + in(x, y)\n"
    "  g(x) = mask(x)\n"
    "  update g(x) = g(x) + mask(x + k) over k in [0, H)\n"
    "  output f on { [x, y] : 0 <= x < W and 0 <= y < H }\n"
    "  output g on { [x] : 0 <= x < W }\n"
    "}\n";

cases::Case sample() {
    cases::Case c;
    auto sare = sare::parse_sare(program, "sample");
    INFO((sare ? std::string() : to_string(sare.error())));
    REQUIRE(sare.has_value());
    c.sare = *sare;
    auto schedule =
        schedule::language("halide").parse("f.split(x, xo, xi, 8, GuardWithIf)\nf.vectorize(xi)\n", "schedule");
    REQUIRE(schedule.has_value());
    c.schedule = *schedule;
    c.sizes = {{"W", 20}, {"H", 5}};
    c.input_seed = std::numeric_limits<std::uint64_t>::max();
    c.inputs["in"] = {{value::Type::f32, -64, 64, 3}, true};
    c.inputs["mask"] = {value::full_range(value::Type::u64), false};
    c.strict_float = true;
    c.compiler = "halide";
    c.target = schedule::language("halide").default_target();
    return c;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const auto at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), by);
}

// The error for a text that must be refused.
Error error_of(const std::string& text) {
    const auto result = cases::parse_case(text, "case.json");
    REQUIRE_FALSE(result.has_value());
    return result.error();
}

}  // namespace

TEST_CASE("a case reads back from its JSON, indented or not") {
    const cases::Case c = sample();
    for (const bool indented : {false, true}) {
        const std::string text = cases::to_json(c, indented);
        const auto back = cases::parse_case(text, "case.json");
        INFO((back ? std::string() : to_string(back.error())));
        REQUIRE(back.has_value());
        CHECK(*back == c);
        CHECK(cases::to_json(*back, indented) == text);
        CHECK((text.find('\n') == std::string::npos) == !indented);
    }
}

TEST_CASE("random cases read back from their JSON") {
    for (std::uint64_t index = 0; index < 1000; ++index) {
        const cases::Case c = random::campaign_case(11, index, {}, schedule::halide::language(14));
        const std::string text = cases::to_json(c);
        const auto back = cases::parse_case(text, "case.json");
        INFO(text);
        INFO((back ? std::string() : to_string(back.error())));
        REQUIRE(back.has_value());
        REQUIRE(*back == c);
        REQUIRE(cases::to_json(*back) == text);
    }
}

TEST_CASE("numbers that a reader with doubles would round are written as strings") {
    cases::Case c = sample();
    auto tree = nlohmann::json::parse(cases::to_json(c));
    CHECK(tree.at("input_seed") == "18446744073709551615");
    CHECK(tree.at("inputs").at("mask").at("max") == "18446744073709551615");
    CHECK(tree.at("inputs").at("mask").at("min") == 0);
    c.input_seed = std::uint64_t{1} << 53;
    tree = nlohmann::json::parse(cases::to_json(c));
    CHECK(tree.at("input_seed") == 9007199254740992);
    c.input_seed += 1;
    tree = nlohmann::json::parse(cases::to_json(c));
    CHECK(tree.at("input_seed") == "9007199254740993");
}

TEST_CASE("keys come in the published order and are those of the schema") {
    const auto tree = nlohmann::ordered_json::parse(cases::to_json(sample()));
    std::vector<std::string> keys;
    for (const auto& [key, node] : tree.items()) { keys.push_back(key); }
    std::ifstream file(std::string(HARUSPEX_SOURCE_DIR) + "/corpus/schema/case-2.json");
    const auto schema = nlohmann::ordered_json::parse(file);
    CHECK(schema.at("required").get<std::vector<std::string>>() == keys);
    std::vector<std::string> described;
    for (const auto& [key, node] : schema.at("properties").items()) { described.push_back(key); }
    CHECK(described == keys);
    std::vector<std::string> domain;
    for (const auto& [key, node] : tree.at("inputs").at("in").items()) { domain.push_back(key); }
    CHECK(schema.at("$defs").at("domain").at("required").get<std::vector<std::string>>() == domain);
}

TEST_CASE("SARE and schedule may stand in files beside the case, and errors are located there") {
    auto tree = nlohmann::ordered_json::parse(cases::to_json(sample()));
    tree["sare"] = "sample.sare";
    tree["schedule"] = "sample.schedule";
    std::map<std::string, std::string> files{{"sample.sare", program},
                                             {"sample.schedule", schedule::print(sample().schedule)}};
    const auto beside = [&](const std::string& name) -> Result<std::string> {
        if (!files.contains(name)) { return fail("cannot read " + name); }
        return files.at(name);
    };
    const auto read = cases::parse_case(tree.dump(2), "folder/case.json", beside);
    INFO((read ? std::string() : to_string(read.error())));
    REQUIRE(read.has_value());
    CHECK(*read == sample());

    files["sample.schedule"] = "f.split(x, xo, xi, 8, GuardWithIf)\nf.vectorise(xi)\n";
    const auto misspelt = cases::parse_case(tree.dump(2), "folder/case.json", beside);
    REQUIRE_FALSE(misspelt.has_value());
    CHECK(misspelt.error().where == Location{"folder/sample.schedule", 2, 3});

    files.erase("sample.schedule");
    const auto missing = cases::parse_case(tree.dump(2), "folder/case.json", beside);
    REQUIRE_FALSE(missing.has_value());
    CHECK(missing.error().message == "cannot read sample.schedule");
    CHECK(missing.error().where == Location{"folder/case.json", 5, 15});

    tree["schedule"] = "../sample.schedule";
    const auto outside = cases::parse_case(tree.dump(2), "folder/case.json", beside);
    REQUIRE_FALSE(outside.has_value());
    CHECK(outside.error().message.starts_with("malformed name \"../sample.schedule\""));

    CHECK(error_of(tree.dump(2)).message.starts_with("a case that is not a file has no files beside it"));
}

TEST_CASE("an error of an embedded text points into the line's string") {
    const std::string text = cases::to_json(sample(), true);
    const Error error = error_of(replaced(text, "in(x - 1, y) +", "in(x - 1, y) + *"));
    const std::string line = "    \"  f(x, y) = in(x - 1, y) + *";
    CHECK(error.where.file == "case.json");
    CHECK(error.where.line == 8);
    CHECK(error.where.column == static_cast<int>(line.size()));
    CHECK(error.excerpt.starts_with(line));
}

TEST_CASE("escapes inside a line's string do not shift the position") {
    const std::string text = cases::to_json(sample(), true);
    // An escaped space is one character of the embedded text and six bytes of the file.
    const Error error = error_of(replaced(text, "f(x, y) = in(x - 1, y) +", "f(x, y) =\\u0020in(x - 1, y) + *"));
    const std::string line = "    \"  f(x, y) =\\u0020in(x - 1, y) + *";
    CHECK(error.where.line == 8);
    CHECK(error.where.column == static_cast<int>(line.size()));
}

TEST_CASE("a position behind a number that touches a bracket is exact") {
    const Error error =
        error_of(R"({"haruspex_case":1,"sare":[1,2],"schedule":[],"sizes":{},"inputs":{},"input_seed":7,)"
                 R"("strict_float":false,"comparison":"exact","target":"t"})");
    CHECK(error.where.column == 28);
    CHECK(error.message == "expected a string, found an integer");
}

TEST_CASE("a line too long for a terminal is not repeated") {
    const std::string text = cases::to_json(sample());
    const Error error = error_of(replaced(text, "\"exact\"", "\"close\""));
    CHECK(error.excerpt.empty());
    CHECK(error.where.line == 1);
    CHECK(error.where.column == static_cast<int>(text.find("\"exact\"")) + 1);
}

TEST_CASE("the bounds of every type of the compiler are accepted and nothing beyond them") {
    for (const value::Type type : schedule::language(sample().compiler).types()) {
        INFO(value::name(type));
        cases::Case c = sample();
        c.sare = *sare::parse_sare("sare s() {\n  input in : " + std::string(value::name(type)) +
                                       "[0]\n  f() = in()\n  output f on { [] : true }\n}\n",
                                   "sample");
        c.schedule = {};
        c.sizes.clear();
        c.inputs.clear();
        const bool is_float = value::is_float(type);
        const auto significand = decltype(value::Range::low){1} << (type == value::Type::f64 ? 53 : 24);
        value::Range range = is_float ? value::Range{type, -significand, significand, 0} : value::full_range(type);
        c.inputs["in"] = {range, false};
        CHECK(cases::parse_case(cases::to_json(c), "case.json").has_value());
        c.inputs["in"].range.high += 1;
        CHECK_FALSE(cases::parse_case(cases::to_json(c), "case.json").has_value());
        c.inputs["in"].range = range;
        c.inputs["in"].range.low -= 1;
        CHECK_FALSE(cases::parse_case(cases::to_json(c), "case.json").has_value());
    }
}

TEST_CASE("no prefix of a case is a case, and none makes the reader fail otherwise") {
    const std::string text = cases::to_json(sample(), true);
    for (std::size_t size = 0; size < text.size(); ++size) {
        const auto result = cases::parse_case(text.substr(0, size), "case.json");
        REQUIRE_FALSE(result.has_value());
        REQUIRE(result.error().where.line > 0);
    }
}
