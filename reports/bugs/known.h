#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "generators/base/result.h"
#include "reports/bugs/fingerprint.h"
#include "reports/bugs/upstream.h"
#include "reports/bugs/versions.h"

// Known bugs: a campaign counts the findings of a known bug, and does not report the bug again.
//
// A known bug is a file, corpus/known/<name>.json (corpus/schema/known-1.json). A finding counts as a known bug if the
// fingerprint of its minimised case equals one of the bug's fingerprints, or nearly does (is_nearly in fingerprint.h):
// the same class, the same first wrong pass or interval, the same trouble, and at most one more feature.
//
// The rule is strict: a suppression that misses a finding costs a reader one superfluous report, but a suppression that
// matches too many findings hides a bug for good. A case that lacks a feature of the known case, or has two more, may
// show the same bug or another one. It is reported with the name of the known bug that it resembles (find_similar). A
// reader who finds that the case shows that bug adds the case's fingerprint to the bug's file. Two bugs may still have
// the same fingerprint, if their programs differ only in names and numbers and go wrong in the same pass.
//
// Minimal cases of one bug may have little in common. Once a bug is understood, its file can say
//   - what it covers: symptoms, each with the features without which the bug cannot show (is_covered), and
//   - what is irrelevant: features that play no part in the bug, and kinds of them, such as "op:" for all operators.
// A minimised case with such a symptom and its features then counts as that bug if everything else that it needs is
// irrelevant, or needed by one of the bug's own minimised cases (explains). A case that needs something more is not
// smaller without it: it shows what the known bug does not explain, and may be another bug in the same pass, which
// needs all that the known one needs. It is reported as similar. If a reader finds that it is the known bug, its
// fingerprint says from then on what such cases may need.
//
// An internal error of the compiler in a pass of its own, with the same message, needs no such explanation: the message
// tells the place in the compiler's code (tells_place). A version that tells too little of the check that failed does not:
// there the case needs the explanation.
//
// A person who finds that the rules err corrects them in the file (haruspex known merge, split, not):
//   - `same_as` names the bug that this one is; its findings count as that one, and it is not counted as a bug;
//   - `others` are minimised cases that the rules take for this bug, and that are not. A finding with such a fingerprint,
//     or nearly, is none of this bug (is_of_another), unless its fingerprint is one of this bug's own.
//
// Many bugs show in the passes before the first observable one, in code generation, and where no pass is known
// (is_in_a_pass in fingerprint.h). So a cover of such a place must
//   - name two features, unless the compiler itself fails, and
//   - not leave all directives or all of their choices irrelevant: those that are must be named one by one.
// parse_known checks this.
namespace haruspex::bugs {

enum class Status : std::uint8_t {
    open,        // a bug of the compiler, not fixed
    fixed,       // a fixed bug of the compiler: it must not show again
    documented,  // not a bug of the compiler: documented behaviour, or a use that its maintainers call illegal
};
inline constexpr int status_count = 3;
std::string_view name(Status status);  // "open", …

struct Known {
    std::string name;  // the file's name, without the extension
    Status status = Status::open;
    std::string reason;  // why the bug is not reported again, for a reader
    std::string report;  // the folder of its report, relative to the folder of known bugs; may be empty
    Upstream upstream;
    std::vector<Fingerprint> fingerprints;  // empty if the report has no case, only a program
    std::vector<Fingerprint> covers;        // may be empty
    std::set<std::string> irrelevant;       // features, and kinds that end with ':'; may be empty
    std::vector<AtVersion> versions;        // sorted by version, each version once; empty if none was tried
    std::vector<Fingerprint> others;        // minimised cases of other bugs, as a person found; may be empty
    std::string same_as;                    // the bug as which its findings count, as a person found; may be empty
    bool operator==(const Known&) const = default;
};

// Whose bug it is. A bug without fingerprints is one of the first compiler.
std::string compiler_of(const Known& known);
// Returns the bug's file in the folder of known bugs.
std::filesystem::path file_of(const Known& known, const std::filesystem::path& folder);
// Loads the known bugs from the .json files of a folder, sorted by name. An Error if the folder has other files only,
// since it is probably not the intended one, or if a bug counts as one that is not there or counts as itself. An empty folder is not an Error: it has no known bugs yet.
[[nodiscard]] Result<std::vector<Known>> load_known(const std::filesystem::path& folder);
// The same; none if the name of the folder is empty.
[[nodiscard]] Result<std::vector<Known>> known_in(const std::filesystem::path& folder);
// Whether `report` is the folder of the bug's report. `folder` is the folder of the known bugs.
bool is_report_of(const Known& known, const std::filesystem::path& folder, const std::filesystem::path& report);
// Whether the text is JSON of a known bug, and not another file of haruspex; it may still be malformed.
bool is_known_bug(std::string_view json);
// Writes the bug's file into the folder, and creates the folder if necessary.
[[nodiscard]] Result<void> save_known(const Known& known, const std::filesystem::path& folder);

std::string to_json(const Known& known);
[[nodiscard]] Result<Known> parse_known(std::string_view json, std::string_view file);

// Whether one of the bug's covers explains a minimised finding: the finding has what the cover needs (is_covered), and
// every other feature that counts for is_another is irrelevant, or one of a single fingerprint of the bug. For an
// internal error of the compiler in a pass of its own, other features do not count.
bool explains(const Known& bug, const Fingerprint& finding, const triage::PassOrder& order = {});

// Whether a person found that such a minimised case is not of this bug: it has one of the fingerprints of `others`, or
// nearly, and none of the bug's own.
bool is_of_another(const Known& bug, const Fingerprint& finding, const triage::PassOrder& order = {});

// Returns the bug as which this one counts (`same_as`, and so on); itself if there is none.
const Known& representative(const std::vector<Known>& known, const Known& bug);

// The following functions return representatives, and no bug of which is_of_another holds.
//
// Returns the bug that has the fingerprint, else one that nearly has it (is_nearly), else one that explains it, else
// null. If the budget ended minimisation, the case may have features that it does not need. Then a bug that explains or
// covers it is returned only for a failure of the compiler itself, whose message tells where it fails: a bug that covers
// it if the failure is in a pass of its own, else one that explains it. The result points into `known`.
const Known* find(const std::vector<Known>& known, const Fingerprint& fingerprint, const triage::PassOrder& order = {},
                  minimize::Ending ending = minimize::Ending::fixpoint);
// Returns the first bug that covers the fingerprint (is_covered); null if there is none. Of a case that was not
// minimised nothing more can be asked: the bug may explain it.
const Known* find_covering(const std::vector<Known>& known, const Fingerprint& fingerprint,
                           const triage::PassOrder& order = {});
// Returns a bug with the same symptom and kinds of directives, else one that covers the fingerprint, else null. The
// result is a hint for a reader.
const Known* find_similar(const std::vector<Known>& known, const Fingerprint& fingerprint,
                          const triage::PassOrder& order = {});

}  // namespace haruspex::bugs
