#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "generators/base/result.h"

// What a campaign drew: how often each feature of the language (reports/triage/features.h), what the compiler refused of
// it, and what no case has had.
namespace haruspex::campaign {

struct DrawnFeature {
    std::string name;
    std::uint64_t cases = 0;
    std::uint64_t findings = 0;
    std::map<std::string, std::uint64_t> refusals;  // why the compiler refused a case with it -> number of cases
};
std::uint64_t refused(const DrawnFeature& feature);

struct DrawnPair {
    std::string first, second;  // first < second
    std::uint64_t cases = 0;
};

struct Drawn {
    std::string compiler;  // name and version
    std::string cases_of;  // "seed 7", or the file of cases
    std::uint64_t cases = 0, refused = 0, findings = 0;
    std::vector<DrawnFeature> features;  // all of the language, in the order of their names
    std::vector<DrawnPair> pairs;        // all of them, if they were asked for
};

// Reads the campaign in this folder, which is only read. An Error if it holds none, or one of a compiler that this
// executable does not have.
[[nodiscard]] Result<Drawn> read_drawn(const std::filesystem::path& folder, bool with_pairs);

// The tables, as text for people; and everything as JSON.
std::string to_text(const Drawn& drawn);
std::string to_json(const Drawn& drawn);

}  // namespace haruspex::campaign
