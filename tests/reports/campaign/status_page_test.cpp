#include "reports/campaign/status_page.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "tests/support/catch.h"

using namespace haruspex;

namespace {

campaign::Status at_night() {
    campaign::Status status;
    status.folder = "night";
    status.compiler = "halide 19.0.0";
    status.cases_of = "seed 7";
    status.validates = true;
    status.asked = 100000;
    status.disk_quota = std::uint64_t{2} << 30;
    store::Glance& glance = status.glance;
    glance.cases = 45678;
    glance.by_class = {{"agrees", 36111},      {"rejected", 6001},  {"not_compared", 3400}, {"wrong_lowering", 90},
                       {"compiler_crash", 3},  {"latent_bug", 44},  {"wrong_code", 17},     {"program_hang", 1},
                       {"outside_context", 9}, {"compiler_hang", 2}};
    glance.features = 412;
    glance.new_features = 2;
    glance.recent = 1000;
    glance.newest = {"directive:async", 310};
    glance.groups = {{"compiler_crash-1", 3}, {"latent_bug-1", 30}, {"wrong_code-1", 17}, {"wrong_lowering-1", 60}};
    for (int i = 2; i <= 12; ++i) { glance.groups["latent_bug-" + std::to_string(i)] = i == 12 ? 37 : 1; }
    glance.new_groups = 1;
    glance.newest_group_ago = 950;
    glance.seconds = 7330;
    glance.slow_cases = 3;
    glance.slow_seconds = 131;
    glance.filed_bytes = 13 << 20;
    glance.database_bytes = 48 << 20;
    status.free_bytes = std::uint64_t{120} << 30;
    status.processes = 1;
    status.at_work = {{4711, 3723, 25000, 6.21, 8760.0, 2, 2, 3.4, 1, 0}};
    status.undecided = {{"not_compared", 3400},
                        {"rejected: Error: Func <name> cannot be vectorized in dimension <name>", 2900},
                        {"rejected: Error: In schedule for <name>", 1200},
                        {"validator: undecided: steps", 77}};
    status.bugs = {{"confirmed", true, "Wrong code: f(0) is 0, expected -2 (wrong after simplify)",
                    "1 tensor, 1 directive, 6 lines", "wrong_lowering-1", "", 3, 61},
                   {"regressed", true, "Compiler crash in compile: SIGSEGV", "1 tensor, 2 directives, 7 lines",
                    "compiler_crash-1", "deep-recursion", 1, 3},
                   {"confirmed", true, "Access out of bounds: reads g[-1] \x1b[31mred\n",
                    "2 tensors, 3 directives, 14 lines", "latent_bug-1", "", 5, 44}};
    status.known = {{"known", false, "t", "s", "wrong_code-1", "gather-of-one-cell", 2, 17}};
    status.untriaged_groups = 4;
    status.untriaged_cases = 32;
    return status;
}

std::string text_of(const campaign::Status& status, std::size_t width, std::size_t height) {
    std::string text;
    for (const std::string& line : campaign::page_of(status, width, height)) { text += line + "\n"; }
    return text;
}

// HARUSPEX_ACCEPT=1 writes the page anew; read it before committing.
void compare(const std::string& text, const std::string& name) {
    const std::string file = std::string(HARUSPEX_SOURCE_DIR) + "/tests/reports/campaign/pages/" + name;
    if (std::getenv("HARUSPEX_ACCEPT") != nullptr) { std::ofstream(file, std::ios::binary) << text; }
    std::ifstream stream(file);
    CHECK(text == std::string(std::istreambuf_iterator<char>(stream), {}));
}

}  // namespace

TEST_CASE("the page of a campaign at work tells how many bugs there are, and whether more turn up") {
    compare(text_of(at_night(), 99, 30), "at-work.txt");
}

TEST_CASE("the page of a campaign that was stopped says so, and nothing of workers and pace") {
    campaign::Status status = at_night();
    status.processes = 0;
    status.at_work.clear();
    compare(text_of(status, 79, 24), "stopped.txt");
    status.is_complete = true;
    CHECK(text_of(status, 79, 24).find("folder night: complete\n") != std::string::npos);
}

TEST_CASE("the page of a campaign that has just begun has no figures that mean nothing") {
    campaign::Status status;
    status.folder = "new";
    status.compiler = "toy 1.0.0";
    status.cases_of = "seed 1";
    status.processes = 1;
    compare(text_of(status, 79, 24), "begun.txt");
}

TEST_CASE("a page fits its room, whatever the messages hold") {
    campaign::Status status = at_night();
    for (int i = 0; i < 100; ++i) { status.bugs.push_back(status.bugs[static_cast<std::size_t>(i) % 3]); }
    status.bugs[0].title += " … über Grenzen \t\x7f" + std::string(500, 'x');
    for (const std::size_t width : {0, 1, 5, 12, 20, 79, 200, 1000}) {
        for (const std::size_t height : {0, 1, 3, 9, 10, 11, 24, 50, 500}) {
            CAPTURE(width, height);
            const auto lines = campaign::page_of(status, width, height);
            CHECK(lines.size() <= height);
            for (const std::string& line : lines) {
                std::size_t characters = 0;
                for (const char c : line) {
                    const auto byte = static_cast<unsigned char>(c);
                    CHECK((byte >= 0x20 && byte != 0x7f));
                    characters += (byte & 0xc0U) != 0x80U ? 1U : 0U;
                }
                CHECK(characters <= width);
            }
        }
    }
    // With little room bugs are left out last, and it is said how many.
    const std::string small = text_of(status, 79, 14);
    CHECK(small.find("103 distinct bugs") != std::string::npos);
    CHECK(small.find("\n    1  1 tensor, 1 directive, 6 lines, 61 cases: Wrong code") != std::string::npos);
    CHECK(small.find("\n       100 more\n") != std::string::npos);
}

TEST_CASE("the page of several processes adds up what each says") {
    campaign::Status status = at_night();
    status.processes = 2;
    status.at_work.push_back({4712, 100, 700, 7.0, 9999.0, 4, 3, 61, 2, 1});
    CHECK(campaign::cases_per_second(status) == Approx(13.21));
    CHECK(campaign::seconds_left(status) == 9999.0);
    const std::string page = text_of(status, 99, 30);
    CHECK(page.find("2 processes at work") != std::string::npos);
    CHECK(page.find("5 of 6 at work, longest for 1:01, 3 died and were replaced, 1 case set aside") !=
          std::string::npos);
    status.at_work.back().left.reset();
    CHECK_FALSE(campaign::seconds_left(status));
}
