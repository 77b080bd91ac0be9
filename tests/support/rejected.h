#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "tests/support/catch.h"

// The malformed files in corpus/rejected.
namespace haruspex::test {

inline std::string contents(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    REQUIRE(file.good());
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Checks that parse(text, file name) rejects every file with the extension, with the message in the file beside it; the
// message has a line and says what was expected. There must be at least `least` files.
template <typename Parse>
void check_rejected(const std::string& extension, std::size_t least, Parse parse) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(HARUSPEX_SOURCE_DIR "/corpus/rejected")) {
        if (entry.path().extension() == extension) { paths.push_back(entry.path()); }
    }
    std::sort(paths.begin(), paths.end());
    REQUIRE(paths.size() >= least);
    for (const std::filesystem::path& path : paths) {
        INFO(path.filename().string());
        const auto parsed = parse(contents(path), path.filename().string());
        REQUIRE(!parsed.has_value());
        std::filesystem::path expected = path;
        CHECK(to_string(parsed.error()) + "\n" == contents(expected.replace_extension(".expected")));
        CHECK(parsed.error().where.line > 0);
        CHECK(parsed.error().message.find("expected") != std::string::npos);
    }
}

}  // namespace haruspex::test
