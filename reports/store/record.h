#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "generators/base/result.h"
#include "oracle/verdict/verdict.h"

// What a worker tells of one case.
namespace haruspex::store {

struct Record {
    std::uint64_t index = 0;
    verdict::Verdict verdict;
    std::string reason;  // of what was rejected, without particulars
    std::set<std::string> features;
    std::uint64_t directives = 0;
    std::string prophecies;                 // what became of them, when they were asked for
    std::map<std::string, double> seconds;  // by stage
    std::string target;
    // Kept cases only (findings and faults of ours): what is filed.
    std::string group;
    std::string case_json;
    bool seeded = true;  // the index draws that case; otherwise one of other sizes
    std::map<std::string, std::string> attachments;
};

// Findings, and cases that show a fault of haruspex itself.
bool is_kept(verdict::Class cls);

std::string encode(const Record& record);
// An Error when the text is not what encode() writes.
[[nodiscard]] Result<Record> decode(const std::string& text);

}  // namespace haruspex::store
