#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/catch.h"

namespace haruspex::test {

// A folder that is gone when the test is.
class Scratch {
public:
    Scratch() {
        std::string name = (std::filesystem::temp_directory_path() / "haruspex-store-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
        std::filesystem::remove_all(path_, ignored);
    }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace haruspex::test
