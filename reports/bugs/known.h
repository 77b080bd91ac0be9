#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "generators/base/result.h"
#include "reports/bugs/fingerprint.h"

// Known bugs: a campaign counts their findings and does not report them again.
//
// A known bug is a file, corpus/known/<name>.json (corpus/schema/known-1.json). A finding counts as a known bug if the
// fingerprint of its minimised case is one of the bug's, or nearly so: the same class, the same first wrong pass or
// interval, the same trouble, and at most one feature more (is_nearly in fingerprint.h).
//
// The rule is strict because a suppression that misses a finding costs a reader one superfluous report, while one that
// matches too often hides a bug for good. A case that needs a feature less than the known one, or two more, may be
// another way to the same bug, or another bug. It is reported with the name of the bug that it resembles (the same
// symptom, the same directives); a reader who finds that it is that bug adds its fingerprint. Two bugs may still share
// a fingerprint: programs that differ only in names and numbers, and go wrong in the same pass.
//
// Once a bug is understood, its file can say what it covers: symptoms, each with the features without which the bug
// cannot show (is_covered). Every minimised case with such a symptom and those features is then one of the bug,
// whatever else it needs: minimal cases of one bug are as different as the ways to it.
namespace haruspex::bugs {

enum class Status : std::uint8_t {
    open,        // a bug of the compiler, not fixed
    fixed,       // fixed: it must not show again
    documented,  // not a bug of the compiler: documented behaviour, or a use that its maintainers call illegal
};
inline constexpr int status_count = 3;
std::string_view name(Status status);  // "open", …

struct Known {
    std::string name;  // of the file, without the extension
    Status status = Status::open;
    std::string reason;    // why it is not reported again, for a reader
    std::string report;    // the folder of its report, relative to the folder of its file; may be empty
    std::string upstream;  // the address of its issue; may be empty
    std::vector<Fingerprint> fingerprints;
    std::vector<Fingerprint> covers;  // may be empty
    bool operator==(const Known&) const = default;
};

// Loads the .json files of a folder, sorted by name. Also an Error for a folder that has only other files: it is
// probably not the intended one. An empty folder has no known bugs yet.
[[nodiscard]] Result<std::vector<Known>> load_known(const std::filesystem::path& folder);
// The same; none if the name of the folder is empty.
[[nodiscard]] Result<std::vector<Known>> known_in(const std::filesystem::path& folder);
// Writes the bug's file into the folder, which is created if necessary.
[[nodiscard]] Result<void> save_known(const Known& known, const std::filesystem::path& folder);

std::string to_json(const Known& known);
[[nodiscard]] Result<Known> parse_known(std::string_view json, std::string_view file);

// Returns the bug that has the fingerprint, else one that nearly has it (is_nearly), else one that covers it, else
// null. A case whose minimisation the budget ended may have features that it does not need: no bug covers it, unless
// the compiler itself fails (its message tells where). The result points into `known`.
const Known* find(const std::vector<Known>& known, const Fingerprint& fingerprint, const triage::PassOrder& order = {},
                  minimize::Ending ending = minimize::Ending::fixpoint);
// Returns the first bug that covers the fingerprint; null if there is none.
const Known* find_covering(const std::vector<Known>& known, const Fingerprint& fingerprint,
                           const triage::PassOrder& order = {});
// Returns a bug with the same symptom and kinds of directives, else one that covers the fingerprint, as a hint for the
// reader; null if there is none.
const Known* find_similar(const std::vector<Known>& known, const Fingerprint& fingerprint,
                          const triage::PassOrder& order = {});

}  // namespace haruspex::bugs
