#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/compiler/compiler.h"
#include "reports/bugs/recheck.h"
#include "reports/bugs/triage.h"

// Bugs and rechecked reports as results of checks, in the forms that other tools read: JUnit's XML for servers that run
// tests, SARIF 2.1.0 for viewers of static analysis.
namespace haruspex::bugs {

enum class Outcome : std::uint8_t {
    passed,
    failed,          // a bug that a reader should look at; a report that is not as its place says
    known,           // a known bug
    not_decided,     // nothing shows, which decides nothing
    not_applicable,  // not put to this compiler
    broken,          // haruspex itself failed
};

struct Check {
    std::string name;  // unique among the checks: a report's name, a bug's group
    std::string rule;  // what is checked, for SARIF: a class of findings; empty if it is not known
    Outcome outcome = Outcome::passed;
    std::string message;          // one line
    std::filesystem::path place;  // the file or folder to look at
};

struct Checks {
    std::string suite;  // "triage", "recheck"
    std::string compiler, version;
    std::vector<Check> checks;
};

Checks checks_of(const Recheck& recheck, const compiler::Identity& compiler, const std::filesystem::path& folder);
// `issues` is the folder of the issues; if it is empty, the findings in the campaign's folder are shown.
Checks checks_of(const std::vector<Bug>& bugs, const compiler::Identity& compiler,
                 const std::filesystem::path& campaign, const std::filesystem::path& issues);

// Returns a <testsuite>: failed checks are failures, broken ones errors, and those that are neither passed nor failed
// are skipped.
std::string to_junit(const Checks& checks);
// Returns a run with a result for each check; passed ones have the kind "pass", known bugs are suppressed.
std::string to_sarif(const Checks& checks);

}  // namespace haruspex::bugs
