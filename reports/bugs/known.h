#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "generators/base/result.h"
#include "reports/bugs/fingerprint.h"

// Bugs that are known: what a campaign finds of them is counted and not reported again.
//
// A known bug is a file, corpus/known/<name>.json (corpus/schema/known-1.json). A finding is taken for a known bug when
// the fingerprint of its minimised case is one of the bug's, or nearly so: the same class, the same first wrong pass or
// interval, the same trouble, and at most one feature more (is_nearly in fingerprint.h).
//
// Why so strict. A suppression that does not hold costs a reader one report too many; one that holds too often hides a
// bug for good. A case that needs a feature less than the known one, or two more, may be another way to it, or another
// bug beside it: it is reported, with the name of the bug that it resembles (the same symptom, the same directives),
// and whoever finds that it is that one adds its fingerprint. Two bugs of one fingerprint remain possible: programs
// that differ in names and numbers only, and go wrong in the same pass.
//
// Whoever has understood a bug can say what it covers: symptoms, each with the features without which it cannot show
// (is_covered). Then every minimised case of such a symptom that has them is one of it, whatever else it needs: minimal
// cases of one bug are as different as the ways to it.
namespace haruspex::bugs {

enum class Status : std::uint8_t {
    open,        // the compiler's, and not mended
    fixed,       // mended: it must not show again
    documented,  // not the compiler's: what its documentation says, or what its maintainers call illegal
};
inline constexpr int status_count = 3;
std::string_view name(Status status);  // "open", …

struct Known {
    std::string name;  // of the file, without its extension
    Status status = Status::open;
    std::string reason;    // why it is not reported again, for a reader
    std::string report;    // the folder of its report, relative to the file's; may be empty
    std::string upstream;  // the address of its issue; may be empty
    std::vector<Fingerprint> fingerprints;
    std::vector<Fingerprint> covers;  // may be empty
    bool operator==(const Known&) const = default;
};

// The files with the extension .json of a folder, by name. An Error also of a folder that has other files alone: it is
// another one that is meant. An empty one has no known bug yet.
[[nodiscard]] Result<std::vector<Known>> load_known(const std::filesystem::path& folder);
// Writes the bug's file into the folder, which is made if need be.
[[nodiscard]] Result<void> save_known(const Known& known, const std::filesystem::path& folder);

std::string to_json(const Known& known);
[[nodiscard]] Result<Known> parse_known(std::string_view json, std::string_view file);

// The bug that the fingerprint is of, before one that it is nearly of, before one that covers it; null when there is
// none. What the budget ended may have features that it does not need: nothing covers it, unless the compiler fails
// (what it says tells where). The answer points into `known`.
const Known* find(const std::vector<Known>& known, const Fingerprint& fingerprint, const triage::PassOrder& order = {},
                  minimize::Ending ending = minimize::Ending::fixpoint);
// The bug that covers it; null when there is none.
const Known* find_covering(const std::vector<Known>& known, const Fingerprint& fingerprint,
                           const triage::PassOrder& order = {});
// A bug with the same symptom and the same kinds of directives, or that covers it, for a reader to look at; null when
// there is none.
const Known* find_similar(const std::vector<Known>& known, const Fingerprint& fingerprint,
                          const triage::PassOrder& order = {});

}  // namespace haruspex::bugs
