#include <filesystem>
#include <string>
#include <vector>

#include "harness/halide/halide_compiler.h"
#include "harness/process/process.h"

namespace haruspex::halide {
namespace {

namespace fs = std::filesystem;

// Returns the library that the build found, with links followed.
fs::path library() {
    std::error_code error;
    const fs::path real = fs::canonical(HARUSPEX_HALIDE_LIBRARY, error);
    return error ? fs::path(HARUSPEX_HALIDE_LIBRARY) : real;
}

// Returns the first line that a command prints; empty if it fails.
std::string first_line(const std::vector<std::string>& words) {
    const auto output = process::output_of({.words = words, .errors = process::Errors::dropped});
    return output ? output->substr(0, output->find('\n')) : std::string();
}

}  // namespace

std::string build_flags() {
    const std::string include = HARUSPEX_HALIDE_INCLUDE;
    const fs::path file = HARUSPEX_HALIDE_LIBRARY;
    const std::string flags = include == "/usr/include" ? "" : "-I" + include + " ";
    // "libHalide14.so.0", where the linker wants "-lHalide14".
    const std::string name = file.filename().string();
    if (file.string().starts_with("/usr/lib") && name.starts_with("lib")) {
        return flags + "-l" + name.substr(3, name.find(".so") - 3);
    }
    return flags + file.string() + " -Wl,-rpath," + file.parent_path().string();
}

std::string installed_package() {
    const std::string file = library().string();
    // "libhalide14-0:amd64: /usr/lib/…"
    const std::string owner = first_line({"dpkg-query", "--search", file});
    const std::string package = owner.substr(0, owner.find(": "));
    if (package.empty()) { return file; }
    return first_line({"dpkg-query", "--show", "--showformat", "${Package} ${Version}", package}) + " (Debian package)";
}

}  // namespace haruspex::halide
