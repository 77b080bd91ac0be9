#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "generators/case/json.h"
#include "tests/support/catch.h"

using namespace haruspex;

namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream content;
    content << stream.rdbuf();
    return content.str();
}

std::vector<fs::path> malformed_cases() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(fs::path(HARUSPEX_SOURCE_DIR) / "corpus" / "rejected")) {
        if (entry.path().extension() == ".json") { files.push_back(entry.path()); }
    }
    return files;
}

}  // namespace

// HARUSPEX_ACCEPT=1 updates the expected messages; read them before committing.
TEST_CASE("every malformed case of the corpus is refused with file, line, column and what was expected") {
    const std::vector<fs::path> files = malformed_cases();
    REQUIRE(files.size() >= 15);
    for (const fs::path& file : files) {
        INFO(file.filename().string());
        const auto result = cases::parse_case(content_of(file), file.filename().string());
        REQUIRE_FALSE(result.has_value());
        const std::string said = to_string(result.error()) + "\n";
        fs::path expected = file;
        expected.replace_extension(".expected");
        if (std::getenv("HARUSPEX_ACCEPT") != nullptr) { std::ofstream(expected, std::ios::binary) << said; }
        CHECK(said == content_of(expected));
        CHECK(result.error().where.line > 0);
        CHECK(result.error().where.column > 0);
    }
}
