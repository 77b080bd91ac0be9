#include "reports/session/compilers.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

#include "generators/case/json.h"
#include "generators/schedule/language.h"
#include "reports/store/files.h"

namespace haruspex::session {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "haruspex-for-";

fs::path own_executable() {
    std::error_code error;
    return fs::read_symlink("/proc/self/exe", error);
}

bool has(const std::string& compiler) {
    const auto own = compiler::names();
    return std::ranges::find(own, compiler) != own.end();
}

bool is_name(const std::string& text) {
    return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
}

// Standard input begins with the text, and goes on with what is left of it.
void give_back(const std::string& input) {
    const int file = ::memfd_create("input", 0);
    if (file < 0) { return; }
    if (::write(file, input.data(), input.size()) != static_cast<::ssize_t>(input.size())) { return; }
    ::lseek(file, 0, SEEK_SET);
    ::dup2(file, STDIN_FILENO);
}

std::vector<std::string> own_arguments() {
    std::vector<std::string> arguments;
    const auto line = store::read_file("/proc/self/cmdline");
    if (!line) { return arguments; }
    for (std::size_t at = 0; at < line->size();) {
        const std::size_t end = std::min(line->find('\0', at), line->size());
        arguments.push_back(line->substr(at, end - at));
        at = end + 1;
    }
    return arguments;
}

}  // namespace

std::string start_again_as(const std::filesystem::path& executable) {
    std::vector<std::string> arguments = own_arguments();
    std::vector<char*> pointers;
    for (std::string& argument : arguments) { pointers.push_back(argument.data()); }
    pointers.push_back(nullptr);
    ::execv(executable.c_str(), pointers.data());
    return "cannot start again as " + executable.string() + ": " + std::strerror(errno);
}

fs::path executable_of(const std::string& compiler) {
    return own_executable().parent_path() / (std::string(prefix) + compiler);
}

std::set<std::string> other_compilers() {
    std::set<std::string> found;
    std::error_code error;
    for (fs::directory_iterator at(own_executable().parent_path(), error), end; !error && at != end;
         at.increment(error)) {
        const std::string file = at->path().filename().string();
        if (!file.starts_with(prefix)) { continue; }
        const std::string name = file.substr(prefix.size());
        if (is_name(name) && !has(name) && ::access(at->path().c_str(), X_OK) == 0) { found.insert(name); }
    }
    return found;
}

std::string default_compiler() {
    if (const auto own = compiler::names(); !own.empty()) { return std::string(own.front()); }
    // Without any, the message that it is not in this build names one that could be installed.
    const auto others = other_compilers();
    return others.empty() ? std::string(schedule::compilers().front()) : *others.begin();
}

void become_owner_of(const std::string& compiler, const std::string& input) {
    if (!is_name(compiler) || has(compiler)) { return; }
    const fs::path executable = executable_of(compiler);
    std::error_code error;
    // An executable that does not have what its name says would start again forever.
    if (!fs::exists(executable, error) || executable == own_executable()) { return; }
    if (!input.empty()) { give_back(input); }
    std::fprintf(stderr, "haruspex: %s\n", start_again_as(executable).c_str());
}

void become_owner_of_finding(const std::filesystem::path& folder) {
    if (const auto text = store::read_file(folder / "case.json")) { become_owner_of(cases::compiler_in(*text)); }
}

Result<std::unique_ptr<compiler::Compiler>> compiler_named(const std::string& name) {
    become_owner_of(name);
    if (auto made = compiler::make_compiler(name)) { return made; }
    std::string known;
    for (const std::string_view one : compiler::names()) { known += (known.empty() ? "" : ", ") + std::string(one); }
    for (const std::string& other : other_compilers()) { known += (known.empty() ? "" : ", ") + other; }
    return fail("this build has no compiler \"" + name + "\"; it has " + (known.empty() ? "none" : known));
}

}  // namespace haruspex::session
