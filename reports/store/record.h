#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "generators/base/result.h"
#include "oracle/verdict/verdict.h"

// A worker's answer for one case.
namespace haruspex::store {

struct Record {
    std::uint64_t index = 0;
    verdict::Verdict verdict;
    std::string reason;  // for a rejected case: the message without details
    std::set<std::string> features;
    std::uint64_t directives = 0;
    std::string prophecies;                 // the outcome of transplanting prophecies, if requested
    std::map<std::string, double> seconds;  // by stage
    std::string target;
    // For kept cases only (is_kept): the content of the folder.
    std::string group;
    std::string case_json;
    bool seeded = true;  // Finding::seeded
    std::map<std::string, std::string> attachments;
};

// Whether the case is a finding or shows a fault of haruspex itself.
bool is_kept(verdict::Class cls);

std::string encode(const Record& record);
// Returns the record. An Error if the text is not one that encode() writes.
[[nodiscard]] Result<Record> decode(const std::string& text);

}  // namespace haruspex::store
