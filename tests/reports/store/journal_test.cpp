#include "reports/store/journal.h"

#include "generators/sare/text.h"
#include "generators/schedule/language.h"
#include "reports/store/files.h"
#include "tests/support/catch.h"
#include "tests/support/scratch.h"

using namespace haruspex;

namespace {

cases::Case case_of_width(std::int64_t width) {
    cases::Case c;
    c.sare =
        *sare::parse_sare("sare s(W) assuming W >= 1 {\n  f(x) = i32<x>\n  output f on { [x] : 0 <= x < W }\n}\n", "s");
    c.sizes = {{"W", width}};
    c.compiler = "halide";
    c.target = schedule::language("halide").default_target();
    return c;
}

// Asks the journal, and counts the questions that it could not answer.
struct Asked {
    store::Journal journal;
    int unknown = 0;
    std::string operator()(std::int64_t width) {
        return journal
            .answer(case_of_width(width),
                    [&] {
                        ++unknown;
                        verdict::Verdict verdict;
                        verdict.message = "width " + std::to_string(width);
                        return verdict;
                    })
            .message;
    }
};

Asked asked(const std::filesystem::path& file, const std::string& question) {
    auto journal = store::Journal::open(file, question);
    REQUIRE(journal.has_value());
    return {std::move(*journal)};
}

}  // namespace

TEST_CASE("what was answered before is not asked again, and only to the same question") {
    tests::ScratchFolder scratch;
    const auto file = scratch.path() / "a.journal";
    {
        auto first = asked(file, "halide 14");
        CHECK(first(3) == "width 3");
        CHECK(first(4) == "width 4");
        CHECK(first.unknown == 2);
        CHECK(first.journal.known() == 0);
    }
    auto second = asked(file, "halide 14");
    CHECK(second.journal.known() == 2);
    CHECK(second(4) == "width 4");
    CHECK(second(5) == "width 5");
    CHECK(second.unknown == 1);
    auto other = asked(file, "halide 19");
    CHECK(other.journal.known() == 0);
    CHECK(other(3) == "width 3");
    CHECK(other.unknown == 1);
    other.journal.remove();
    CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("a line that was not written to its end is forgotten, those before it are not") {
    tests::ScratchFolder scratch;
    const auto file = scratch.path() / "a.journal";
    {
        auto first = asked(file, "halide 14");
        first(3);
        first(4);
    }
    const std::string text = *store::read_file(file);
    for (const std::string& torn :
         {text.substr(0, text.size() - 1), text + "0123456789abcdef {\"class\"", text + "x\n"}) {
        REQUIRE(store::write_atomically(file, torn).has_value());
        const std::size_t whole = torn.size() < text.size() ? 1 : 2;
        {
            auto again = asked(file, "halide 14");
            CHECK(again.journal.known() == whole);
            again(5);
        }
        CHECK(asked(file, "halide 14").journal.known() == whole + 1);
    }
}

TEST_CASE("a journal that cannot be written is an error that names it") {
    const auto journal = store::Journal::open("/proc/haruspex/a.journal", "halide 14");
    REQUIRE_FALSE(journal.has_value());
    CHECK(journal.error().message == "cannot open /proc/haruspex/a.journal: No such file or directory");
}
