#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "generators/base/result.h"
#include "harness/compiler/compilers.h"

// The compilers under test.
//
// Two compilers may be unable to share a process, so a build may have an executable for each: `haruspex-for-NAME`,
// beside `haruspex`, has the compiler NAME. All executables have the same commands. A process that is asked for a
// compiler that it does not have replaces itself by the executable that has it, with the same arguments.
namespace haruspex::session {

// Returns the first compiler of this executable, else the first of another executable beside it, else the name of a
// compiler that could be installed.
std::string default_compiler();

// Does not return if another executable has the compiler: this process becomes that one. `input` is what was read of
// standard input so far; the process that starts again reads it again. Says on standard error why that executable could
// not be started. Otherwise does nothing.
void become_owner_of(const std::string& compiler, const std::string& input = {});

// Does the same for the compiler of a finding, given its folder.
void become_owner_of_finding(const std::filesystem::path& folder);

// Makes a compiler. May replace this process, as become_owner_of does. An Error if this build has no such compiler.
[[nodiscard]] Result<std::unique_ptr<compiler::Compiler>> compiler_named(const std::string& name);

// Replaces this process by the executable, with this process's arguments. Returns only on failure, with the reason.
std::string start_again_as(const std::filesystem::path& executable);

// The compilers that other executables beside this one have, and the executable of a compiler.
std::set<std::string> other_compilers();
std::filesystem::path executable_of(const std::string& compiler);

}  // namespace haruspex::session
