#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "harness/sched/text.h"
#include "tests/support/catch.h"

using namespace haruspex;
namespace fs = std::filesystem;

namespace {

std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    REQUIRE(file.good());
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("every malformed program of the corpus is refused with its message") {
    std::vector<fs::path> paths;
    for (const fs::directory_entry& entry : fs::directory_iterator(HARUSPEX_SOURCE_DIR "/corpus/rejected")) {
        if (entry.path().extension() == ".program") { paths.push_back(entry.path()); }
    }
    std::sort(paths.begin(), paths.end());
    REQUIRE(paths.size() >= 40);
    for (const fs::path& path : paths) {
        const auto parsed = sched::parse_program(contents(path), path.filename().string());
        INFO(path.filename().string());
        REQUIRE(!parsed.has_value());
        fs::path expected = path;
        CHECK(to_string(parsed.error()) + "\n" == contents(expected.replace_extension(".expected")));
        CHECK(parsed.error().where.line > 0);
        CHECK(parsed.error().message.find("expected") != std::string::npos);
    }
}
