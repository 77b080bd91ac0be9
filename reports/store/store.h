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

// The files of a campaign. Everything is written to a temporary name in the same folder, synced and renamed, so that a
// kill at any moment leaves only complete files.
//
//   DIR/campaign.sqlite, campaign.lock     the database, and the locks of the processes that work on it (database.h)
//   DIR/summary.json                       every figure of the campaign
//   DIR/findings/<group>/<seed>-<index>/   case.json, verdict.json, program.txt (SARE and schedule),
//                                          reproduce.txt, attachments
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
    // Whether seed and index draw the case again. They only name a case drawn from a fuzzer's bytes.
    bool seeded = true;
};

// Whether a campaign created the folder.
bool is_campaign(const std::filesystem::path& folder);

// Returns the bytes that the finding's folder takes on disk: each file takes whole blocks of 4 KiB.
std::uint64_t footprint(const Finding& finding);

class Store {
public:
    // Creates the folder if necessary. An Error if it cannot be created, or is neither empty nor a folder of haruspex.
    [[nodiscard]] static Result<Store> open(const std::filesystem::path& directory);
    // Removes the files that killed processes left under temporary names. No other process may write into the folder.
    void remove_leftovers() const;

    // Files a finding and returns its folder, which appears complete. The same case filed again is replaced. Another
    // case under the same seed and index (of another version of haruspex) stays; the new folder's name gets a number.
    [[nodiscard]] Result<std::filesystem::path> add(const Finding& finding);
    [[nodiscard]] Result<void> write_summary(const std::string& json) const;

    const std::filesystem::path& directory() const { return directory_; }

private:
    explicit Store(std::filesystem::path directory) : directory_(std::move(directory)) {}
    std::filesystem::path directory_;
};

// Writes a finding's folder under a name that the caller chooses, and replaces a finding there; at any moment one of
// the two is there complete. Folders above are created, and files that a killed writer of the same folder left are
// removed: a folder has one writer at a time. An Error if something else is there, or if the folder there holds a file
// that does not belong to a finding.
[[nodiscard]] Result<void> write_finding(const Finding& finding, const std::filesystem::path& folder);

// Reads a finding's folder, or the verdict or case file of one. Attachments are not read.
[[nodiscard]] Result<Finding> load_finding(const std::filesystem::path& folder);

}  // namespace haruspex::store
