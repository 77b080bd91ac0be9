#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "generators/base/result.h"
#include "oracle/verdict/verdict.h"

// A worker's answer for one case.
namespace haruspex::store {

// The name under which Record::seconds holds the time that the compiler and its code took beyond the limit at which a
// case is slow (compiler::Limits), if they did. No stage of its own: this time is part of other stages.
inline constexpr std::string_view slow_stage = "slow";

struct Record {
    std::uint64_t index = 0;
    verdict::Verdict verdict;
    std::string reason;  // for a rejected case: the message without details
    std::set<std::string> features;
    std::uint64_t directives = 0;
    std::string prophecies;                 // the outcome of transplanting prophecies, if requested
    std::map<std::string, double> seconds;  // by stage; see slow_stage
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
