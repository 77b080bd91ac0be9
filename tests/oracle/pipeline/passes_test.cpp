#include "oracle/pipeline/passes.h"

#include <random>
#include <string>
#include <vector>

#include "tests/support/catch.h"

namespace haruspex::pipeline {
namespace {

using verdict::LoweredState;

constexpr std::uint64_t unlimited = 1'000'000;

// Programs and their results, one letter each: right, wrong, unknown, too long.
struct Story {
    explicit Story(std::string letters) : shows(std::move(letters)) {
        for (std::size_t i = 0; i < shows.size(); ++i) {
            programs.push_back({"p" + std::to_string(i), compiler::ProgramText{"program " + std::to_string(i)}, ""});
        }
    }

    Examined look(const compiler::Lowered& program) {
        ++looks;
        switch (shows.at(std::stoul(program.pass.substr(1)))) {
            case 'r': return {{LoweredState::equal, {}, {}, {}, {}}, 10};
            case 'w': return {{LoweredState::differs, {}, {}, {}, {}}, 10};
            case 't': return {{LoweredState::too_large, {}, {}, {}, {}}};
            default: return {{LoweredState::unknown, {}, {}, {}, {}}};
        }
    }

    // The interval, and the programs that were examined.
    std::pair<std::string, std::string> told(std::uint64_t most_steps) {
        looks = 0;
        const auto passes =
            find_wrong_pass(programs, [this](const compiler::Lowered& program) { return look(program); }, most_steps);
        CHECK(looks == passes.size());
        std::string examined(shows.size(), '.');
        for (const PassResult& pass : passes) {
            const std::size_t i = std::stoul(pass.pass.substr(1));
            examined[i] = shows[i];
            CHECK(pass.program == *programs[i].text());
        }
        const auto wrong = first_wrong_pass(passes);
        return {wrong ? to_string(*wrong) : "", examined};
    }

    std::string shows;
    std::vector<compiler::Lowered> programs;
    std::size_t looks = 0;
};

TEST_CASE("programs are looked at backwards while steps last, then by halves") {
    const auto check = [](const char* shows, std::uint64_t most_steps, const char* interval, const char* examined) {
        const auto told = Story(shows).told(most_steps);
        INFO(shows << " " << most_steps);
        CHECK(told.first == interval);
        CHECK(told.second == examined);
    };
    check("rrrrrrrrww", unlimited, "(p7, p8]", ".......rww");
    check("rrwwwwwwww", unlimited, "(p1, p2]", ".rwwwwwwww");
    check("rrwwwwwwww", 20, "(p1, p2]", ".rww...www");
    check("rrrrrrrrww", 0, "(p7, p8]", "....r..rww");
    check("wwwwwwwwww", 0, "(source, p0]", "www.w....w");
    // A wrong program before a right one does not count, unless bisection steps over the repair.
    check("rwrwwwwwww", unlimited, "(p2, p3]", "..rwwwwwww");
    check("rwrwwwwwww", 0, "(p2, p3]", "..rww....w");
    check("rwwwwrwwww", 20, "(p0, p1]", "rw.w...www");
    // Some results are unknown.
    check("r?????w?ww", unlimited, "(p0, p6]", "r?????w?ww");
    check("r????w?w?w", 0, "(p0, p5]", "r????w...w");
    // Programs before one that is too long are not examined.
    check("rrtwwwwwww", unlimited, "(source, p3]", "..twwwwwww");
    check("rrtwwwwwww", 0, "(source, p3]", "..tww....w");
    check("rrrr", 0, "", "...r");
    check("w", 0, "(source, p0]", "w");
    check("", 0, "", "");
}

TEST_CASE("by halves a pass is found that makes a wrong program of a right one") {
    std::mt19937_64 random(20);
    for (int round = 0; round < 400; ++round) {
        std::string shows;
        const std::size_t size = 1 + random() % 40;
        const bool turns_once = round % 2 == 0;
        const std::size_t turn = random() % size;
        for (std::size_t i = 0; i + 1 < size; ++i) {
            const bool is_wrong = turns_once ? i >= turn : random() % 2 == 0;
            shows += random() % 4 == 0 ? '?' : is_wrong ? 'w' : 'r';
        }
        shows += 'w';
        INFO(shows);
        Story story(shows);
        const auto halves = story.told(0);
        if (turns_once) { CHECK(halves.first == story.told(unlimited).first); }
        // The interval goes from a right program, or the source, to a wrong one, and all results in between are
        // unknown.
        const std::size_t comma = halves.first.find(", p");
        const std::string before = halves.first.substr(1, comma - 1);
        const std::size_t wrong = std::stoul(halves.first.substr(comma + 3));
        const std::size_t between = before == "source" ? 0 : std::stoul(before.substr(1)) + 1;
        CHECK((before == "source" || shows[between - 1] == 'r'));
        CHECK(shows[wrong] == 'w');
        CHECK(shows.substr(between, wrong - between).find_first_not_of('?') == std::string::npos);
    }
}

TEST_CASE("what has the text of a program that was seen is not looked at again") {
    Story story("rrwww");
    for (std::size_t i : {3, 4}) { story.programs[i].program = story.programs[2].program; }
    const ExaminePass look = once_for_each_text([&](const compiler::Lowered& program) { return story.look(program); });
    CHECK(first_wrong_pass(find_wrong_pass(story.programs, look, unlimited)) == verdict::PassInterval{"p1", "p2"});
    CHECK(story.looks == 2);
    CHECK(examine_all(story.programs, look).size() == 5);
    CHECK(story.looks == 3);
    // Programs without a translation have no text.
    for (compiler::Lowered& program : story.programs) { program.program = Feature{"extern", ""}; }
    examine_all(story.programs, look);
    CHECK(story.looks == 8);
}

TEST_CASE("a compiler fails between the last pass that ended and the next one") {
    const std::vector<std::string> all{"a", "b", "final", "code generation"};
    const auto ended = [](const std::vector<std::string>& passes) {
        std::vector<compiler::Lowered> programs;
        for (const std::string& pass : passes) { programs.push_back({pass, compiler::ProgramText{}, ""}); }
        return programs;
    };
    CHECK(failing_pass(ended({}), all) == verdict::PassInterval{"source", "a"});
    CHECK(failing_pass(ended({"a"}), all) == verdict::PassInterval{"a", "b"});
    CHECK(failing_pass(ended({"a", "b"}), all) == verdict::PassInterval{"b", "final"});
    CHECK(failing_pass(ended({"final"}), all) == verdict::PassInterval{"final", "code generation"});
    CHECK_FALSE(failing_pass(ended({"another"}), all));
    CHECK_FALSE(failing_pass(ended({}), {}));
}

}  // namespace
}  // namespace haruspex::pipeline
