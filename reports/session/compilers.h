#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "generators/base/result.h"
#include "harness/compiler/compilers.h"

// The compilers under test.
//
// Two compilers may be unable to share a process, so a build may have an executable for each: beside `haruspex`,
// `haruspex-for-NAME` has the compiler NAME. The command is the same in all of them. A process that is asked for a compiler
// that it does not have becomes the executable that does, and starts again.
namespace haruspex::session {

std::string default_compiler();

// Does not return if another executable has the compiler: this process becomes that one. `input` is what was read of
// standard input so far; the process that starts again reads it again. Otherwise does nothing.
void become_owner_of(const std::string& compiler, const std::string& input = {});

// The same for the compiler of a finding in a folder.
void become_owner_of_finding(const std::filesystem::path& folder);

// An Error if there is no such compiler.
[[nodiscard]] Result<std::unique_ptr<compiler::Compiler>> compiler_named(const std::string& name);

// Replaces this process by the executable, with this process's arguments. Returns only on failure, with the reason.
std::string start_again_as(const std::filesystem::path& executable);

// The compilers that other executables beside this one have, and the executable of a compiler.
std::set<std::string> other_compilers();
std::filesystem::path executable_of(const std::string& compiler);

}  // namespace haruspex::session
