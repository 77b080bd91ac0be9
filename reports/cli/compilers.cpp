#include "reports/cli/compilers.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <vector>

#include "generators/case/json.h"
#include "generators/schedule/language.h"
#include "harness/process/process.h"
#include "reports/cli/command.h"
#include "reports/cli/restart.h"
#include "reports/store/files.h"

namespace haruspex::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "haruspex-for-";

fs::path own_executable() {
    std::error_code error;
    return fs::read_symlink("/proc/self/exe", error);
}

fs::path executable_of(const std::string& compiler) {
    return own_executable().parent_path() / (std::string(prefix) + compiler);
}

bool has(const std::string& compiler) {
    const auto own = compiler::names();
    return std::ranges::find(own, compiler) != own.end();
}

bool is_name(const std::string& text) {
    return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
}

// The compilers that other executables beside this one have.
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

// Standard input begins with the text, and goes on with what is left of it.
void give_back(const std::string& input) {
    const int file = ::memfd_create("input", 0);
    if (file < 0) { return; }
    if (::write(file, input.data(), input.size()) != static_cast<::ssize_t>(input.size())) { return; }
    ::lseek(file, 0, SEEK_SET);
    ::dup2(file, STDIN_FILENO);
}

}  // namespace

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

void add_compiler_option(CLI::App& command, std::string& name) {
    name = default_compiler();
    command.add_option("--compiler", name, "The compiler under test (see haruspex compilers)")
        ->capture_default_str()
        ->type_name("NAME");
}

std::string list_of_compilers(bool only_own) {
    std::string text;
    for (const std::string_view name : compiler::names()) {
        const auto made = compiler::make_compiler(name);
        text += std::string(name) + "  " + made->identity().version + "  " + made->package() + "\n";
    }
    if (only_own) { return text; }
    for (const std::string& name : other_compilers()) {
        const auto listed = process::output_of({.words = {executable_of(name).string(), "compilers", "--own"}});
        text += listed ? *listed : name + "  " + listed.error().message + "\n";
    }
    return text;
}

void add_compilers(CLI::App& app, int& exit_code) {
    CLI::App* command = app.add_subcommand("compilers", "List the compilers under test, with version and package");
    const auto own = std::make_shared<bool>(false);
    command->add_flag("--own", *own, "List only the compilers of this executable")->group("");
    command->footer("Examples:\n  haruspex compilers");
    command->callback([own, &exit_code] {
        print(list_of_compilers(*own));
        exit_code = nothing_found;
    });
}

}  // namespace haruspex::cli
