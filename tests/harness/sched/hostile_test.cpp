#include <algorithm>
#include <cctype>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "harness/sched/text.h"
#include "harness/sched/traverse.h"
#include "harness/sched/typing.h"
#include "tests/support/catch.h"
#include "tests/support/random_sched.h"

using namespace haruspex;
using testing::Numbers;

namespace {

std::string drawn_text(std::uint64_t seed) {
    Choices choices(random_source(seed));
    return sched::print(testing::random_program(choices, {sched::Rules::extended, Numbers::wild, 3, 3, true}));
}

// Checks that a text is either a program that passes the check and survives printing and parsing, or a located error.
// Returns true for a program.
bool read(const std::string& text) {
    const auto parsed = sched::parse_program(text, "t");
    if (!parsed) {
        REQUIRE(parsed.error().where.line > 0);
        REQUIRE(parsed.error().message.find("expected") != std::string::npos);
        return false;
    }
    const auto checked = sched::check(*parsed, sched::Rules::extended);
    INFO((checked ? "" : checked.error().message));
    REQUIRE(checked.has_value());
    const std::string printed = sched::print(*parsed);
    INFO(printed);
    const auto again = sched::parse_program(printed, "t");
    INFO((again ? "" : to_string(again.error())));
    REQUIRE(again.has_value());
    REQUIRE(*again == *parsed);
    return true;
}

// Splits a text at the beginnings of words and symbols.
std::vector<std::string> pieces(const std::string& text) {
    std::vector<std::string> all;
    bool inside_word = false;
    for (const char c : text) {
        const bool word = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$';
        if (word && inside_word) {
            all.back() += c;
        } else {
            all.emplace_back(1, c);
        }
        inside_word = word;
    }
    return all;
}

double milliseconds(const std::chrono::steady_clock::time_point& since) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - since).count();
}

}  // namespace

TEST_CASE("a program that is cut off anywhere is refused") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const std::string text = drawn_text(seed);
        for (std::size_t length = 0; length + 2 < text.size(); ++length) {
            INFO(text.substr(0, length));
            REQUIRE(!read(text.substr(0, length)));
        }
    }
}

TEST_CASE("programs whose words are lost, doubled, exchanged or borrowed are refused or sound") {
    int accepted = 0;
    int refused = 0;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        std::vector<std::string> words = pieces(drawn_text(seed % 300));
        const std::vector<std::string> others = pieces(drawn_text(seed % 299 + 1));
        Choices choices(random_source(seed));
        choices.sequence(1, 3, 400, [&](std::size_t) {
            const auto at = static_cast<std::size_t>(choices.integer(0, static_cast<std::int64_t>(words.size()) - 1));
            switch (choices.integer(0, 3)) {
                case 0: words[at].clear(); break;
                case 1: words[at] += " " + words[at]; break;
                case 2: std::swap(words[at], words[words.size() / 2]); break;
                default: words[at] = choices.one_of(others);
            }
        });
        std::string text;
        for (const std::string& word : words) { text += word; }
        INFO(text);
        ++(read(text) ? accepted : refused);
    }
    CHECK(accepted > 300);
    CHECK(refused > 300);
}

TEST_CASE("bytes of any kind are refused") {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        Choices choices(random_source(seed));
        std::string text = choices.boolean(500) ? "sched s(N) { " : "";
        choices.sequence(1, 200, 990, [&](std::size_t) { text += static_cast<char>(choices.integer(-128, 127)); });
        INFO(text);
        REQUIRE(!read(text));
    }
}

TEST_CASE("a text nests as deep as trees may, and no deeper") {
    const auto let = [](const std::string& expr) { return "sched s(N) { let x = " + expr + "; }"; };
    const auto times = [](int count, const std::string& text) {
        std::string all;
        for (int i = 0; i < count; ++i) { all += text; }
        return all;
    };
    // Text before and after an expression, and the number of tree levels that it adds.
    struct Around {
        std::string before, after;
        int levels;
    };
    for (const Around& around :
         {Around{"-", "", 1}, Around{"(1 + ", ")", 1}, Around{"min(1, ", ")", 1}, Around{"let y = ", " in 1", 1},
          Around{"let y = 1 in ", "", 1}, Around{"select(true, 1, ", ")", 1}, Around{"-(1 + ", ")", 2},
          Around{"1 + (let y = ", " in 1)", 2}, Around{"int(i32<", ">)", 2}}) {
        const int most = 255 / around.levels;
        INFO(around.before << "N" << around.after);
        CHECK(read(let(times(most, around.before) + "N" + times(most, around.after))));
        CHECK(!read(let(times(most + 1, around.before) + "N" + times(most + 1, around.after))));
    }
    CHECK(!read(let(times(100000, "("))));
    CHECK(!read(let(times(100000, "-"))));
    CHECK(!read(let(times(100000, "let x = 1 in "))));
    CHECK(!read(let(times(100000, "let x = "))));
    CHECK(!read("sched s(N) { if " + times(100000, "not ") + "true { } }"));
    CHECK(!read("sched s(N) { let v : bool = " + times(100000, "!") + "[true]; }"));
    CHECK(!read("sched s(N) { " + times(100000, "atomic {") + " }"));
    CHECK(read("sched s(N) { " + times(255, "atomic {") + "let x = 1;" + times(255, "}") + " }"));
    CHECK(!read("sched s(N) { " + times(256, "atomic {") + "let x = 1;" + times(256, "}") + " }"));
}

TEST_CASE("the size of a text counts once: parsing, checking and printing are linear") {
    const auto program = [](int statements) {
        std::string text = "sched s(N, M) {\n  input in : i32[N];\n  output out : i32[N, M];\n";
        for (int i = 0; i < statements; ++i) {
            const std::string x = "x" + std::to_string(i);
            text += "  let " + x + " = min(N/8*8 + " + std::to_string(i) + ", M - 1);\n  let v" + x + " : i32 = in[" +
                    x + "]?(" + x + " < N) * 3i32 + i32<" + x + ">;\n  for k in [0, M) {\n" + "    out[" + x +
                    ", k] {A(" + x + ", k)} := v" + x + " << 1i32;\n  }\n";
        }
        return text + "}\n";
    };
    const auto time_of = [&](int statements) {
        const std::string text = program(statements);
        double best = 1e9;
        for (int i = 0; i < 5; ++i) {
            const auto start = std::chrono::steady_clock::now();
            const auto parsed = sched::parse_program(text, "t");
            REQUIRE(parsed.has_value());
            REQUIRE(sched::check(*parsed, sched::Rules::extended).has_value());
            REQUIRE(sched::print(*parsed) == text);
            best = std::min(best, milliseconds(start));
        }
        return best;
    };
    const double small = time_of(600);  // 100 KB
    const double large = time_of(4800);
    CHECK(large < 8 * 3 * small);
}
