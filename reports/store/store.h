#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "harness/compiler/compiler.h"
#include "oracle/verdict/verdict.h"

// The files of a campaign. Except for the database, the locks, the journals and the marker, everything is written to a
// temporary name in the same folder, synced and renamed, so that a kill at any moment leaves only complete files.
//
//   DIR/campaign.sqlite, campaign.lock     the database, and the locks of the processes that work on it (database.h)
//   DIR/summary.json                       every figure of the campaign
//   DIR/findings/<group>/<seed>-<index>/   case.json, verdict.json, program.txt (SARE and schedule),
//                                          program.tensor (a program of whole tensors), reproduce.txt, attachments
//   DIR/faults/<group>/<seed>-<index>/     the same for cases that show a fault of haruspex itself
//   DIR/rejected.jsonl                     one line for each rejected case: index, reason
//   DIR/faults.jsonl                       one line for each fault of haruspex itself, if there is any
//   DIR/cases.jsonl                        one line for each case, if it is requested
//   DIR/issues/, triage*.journal           the issues that triage wrote, and answers with which triage is continued
//   DIR/.haruspex                          marks the folder as one of ours
namespace haruspex::store {

struct Finding {
    std::uint64_t seed = 0, index = 0;
    cases::Case c;
    verdict::Verdict verdict;
    compiler::Identity compiler;
    std::string group;  // a name fit for a folder
    // Further files of the folder: name -> content.
    std::map<std::string, std::string> attachments = {};
    // Whether the case can be drawn again from seed and index. For a case at other sizes than those drawn, from a file
    // of cases, or from a fuzzer's bytes, they are only its name.
    bool seeded = true;
    std::string options = {};  // of `haruspex generate`, besides seed and index, for it to draw the case
};

// Whether the folder has the marker of a campaign's folder.
bool is_campaign(const std::filesystem::path& folder);

// Returns the bytes that the finding's folder takes on disk: each file takes whole blocks of 4 KiB.
std::uint64_t footprint(const Finding& finding);

class Store {
public:
    // Opens the folder, and creates it if necessary. An Error if it cannot be created, or if it is neither empty nor a
    // folder of haruspex.
    [[nodiscard]] static Result<Store> open(const std::filesystem::path& directory);
    // Removes the files that killed processes left under temporary names. No other process may write into the folder.
    void remove_leftovers() const;

    // Files a finding and returns its folder, which appears complete. If the same case was filed before, its folder is
    // replaced. If another case was filed under the same seed and index (by another version of haruspex), its folder
    // stays, and the name of the new folder gets a number.
    [[nodiscard]] Result<std::filesystem::path> add(const Finding& finding);
    [[nodiscard]] Result<void> write_summary(const std::string& json) const;

    const std::filesystem::path& directory() const { return directory_; }

private:
    explicit Store(std::filesystem::path directory) : directory_(std::move(directory)) {}
    std::filesystem::path directory_;
};

// Writes a finding's folder under a name that the caller chooses. Replaces a finding there; at any moment one of the
// two is there complete. Creates the folders above, and removes files that a killed writer of this folder left: a
// folder has one writer at a time. An Error if something other than a finding's folder is there, or if the folder there
// holds a file that does not belong to a finding.
[[nodiscard]] Result<void> write_finding(const Finding& finding, const std::filesystem::path& folder);

// Reads a finding, given its folder or a file in that folder. Attachments are not read.
[[nodiscard]] Result<Finding> load_finding(const std::filesystem::path& folder);

}  // namespace haruspex::store
