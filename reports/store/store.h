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

// What a campaign leaves on disk. Everything is written to a temporary name in the same folder, synced and renamed, so
// that a kill at any moment leaves whole files only.
//
//   DIR/campaign.sqlite, campaign.lock     what a campaign knows, and who works on it (database.h)
//   DIR/summary.json                       every figure of the campaign
//   DIR/findings/<group>/<seed>-<index>/   case.json, verdict.json, program.txt (SARE and schedule),
//                                          reproduce.txt, attachments
//   DIR/faults/<group>/<seed>-<index>/     the same for cases that show a fault of haruspex itself
//   DIR/rejected.jsonl                     one line for each rejected case: index, reason
//   DIR/faults.jsonl                       one line for each fault of haruspex itself, if there is any
//   DIR/cases.jsonl                        one line for each case, if it is asked for
//   DIR/issues/, triage*.journal           what triage made of the findings, and answers that it goes on with
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
    // Seed and index draw the case again; a case that a fuzzer's bytes drew they only name.
    bool seeded = true;
};

// Whether the folder is one that a campaign has made.
bool is_campaign(const std::filesystem::path& folder);

// What the finding's folder takes on disk, in bytes: each file whole blocks of 4 KiB.
std::uint64_t footprint(const Finding& finding);

class Store {
public:
    // Makes the folder if need be. An Error when it cannot be made or is not a haruspex folder and not empty.
    [[nodiscard]] static Result<Store> open(const std::filesystem::path& directory);
    // Removes what killed processes left under temporary names. Only while nobody else writes into the folder.
    void remove_leftovers() const;

    // Returns the finding's folder, which appears whole. The same case filed again is replaced; another case under the
    // same seed and index (of another version of haruspex) stays, and the new one gets a number behind its name.
    [[nodiscard]] Result<std::filesystem::path> add(const Finding& finding);
    [[nodiscard]] Result<void> write_summary(const std::string& json) const;

    const std::filesystem::path& directory() const { return directory_; }

private:
    explicit Store(std::filesystem::path directory) : directory_(std::move(directory)) {}
    std::filesystem::path directory_;
};

// Writes a finding's folder under a name of the caller's choice, in the place of a finding that is there; at any moment
// one of the two is there whole. Folders above are made, and what a killed writer of the same folder left is removed:
// it has one writer at a time. An Error when something else is there already, or a file in it that is none of a
// finding's.
[[nodiscard]] Result<void> write_finding(const Finding& finding, const std::filesystem::path& folder);

// Reads a finding's folder, or the verdict or case file of one. Attachments are not read.
[[nodiscard]] Result<Finding> load_finding(const std::filesystem::path& folder);

}  // namespace haruspex::store
