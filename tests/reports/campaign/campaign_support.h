#pragma once

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reports/campaign/campaign.h"
#include "reports/store/files.h"
#include "tests/reports/campaign/reference_compiler.h"
#include "tests/support/catch.h"
#include "tests/support/scratch.h"

// Campaigns with the reference compiler, each in its own folder.
namespace haruspex::test {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Scratch : public tests::ScratchFolder {
public:
    fs::path operator/(const char* name) const { return path() / name; }
};

inline const std::atomic<bool> never{false};
inline void ignore(const campaign::Progress&) {}

inline campaign::Options options(const fs::path& out, std::uint64_t cases, int jobs = 1) {
    campaign::Options o;
    o.seed = 7;
    o.cases = cases;
    o.jobs = jobs;
    o.out = out;
    o.list_cases = true;
    return o;
}

inline campaign::Summary run(const campaign::Options& o, const ReferenceCompiler::Mischief& mischief = {}) {
    ReferenceCompiler compiler(mischief);
    auto summary = campaign::run(o, compiler, never, ignore);
    INFO((summary ? std::string() : to_string(summary.error())));
    REQUIRE(summary.has_value());
    return *summary;
}

// By their texts, such as "at its sizes: undecided: evaluation".
inline campaign::Rows rows(const std::map<std::string, std::vector<std::uint64_t>>& named) {
    campaign::Rows all;
    for (const auto& [text, cases] : named) { all[campaign::parse_row(text).value()] = cases; }
    return all;
}

inline std::vector<Json> lines(const fs::path& file) {
    std::ifstream stream(file);
    std::vector<Json> all;
    for (std::string line; std::getline(stream, line);) { all.push_back(Json::parse(line)); }
    return all;
}

inline Json summary_of(const fs::path& out) { return Json::parse(*store::read_file(out / "summary.json")); }

// Whether this is the campaign's case with the index, for mischief that depends on the index.
inline bool is_case(const cases::Case& c, std::uint64_t index) { return c.sare.name == "c" + std::to_string(index); }

// A mixture of wrong results, rejections and crashes.
inline void mixed_mischief(const cases::Case& c, compiler::Observation& observation) {
    if (c.input_seed % 5 == 1) { observation.first.at(0).bits.at(0) ^= 1; }
    if (c.input_seed % 5 == 2) {
        observation.outcome = compiler::Outcome::rejected;
        observation.phase = compiler::Phase::compile;
        observation.message = "Error: loop " + std::to_string(c.input_seed % 3) + " of \"f0\" is bad";
    }
    if (c.input_seed % 7 == 3) { ::raise(SIGSEGV); }
}

// Everything that a campaign leaves for its readers, except times and its folder's name. Equal texts mean equal
// campaigns.
inline std::string outcome(const fs::path& out) {
    Json summary = summary_of(out);
    summary.erase("timing");
    std::map<std::string, std::string> files{{"summary.json", summary.dump(2)}};
    for (const auto& entry : fs::recursive_directory_iterator(out)) {
        const fs::path name = entry.path().lexically_relative(out);
        const bool tells_of_us = name.string().starts_with("campaign.") || name == ".haruspex";
        if (tells_of_us || name == "summary.json") { continue; }
        files[name] = entry.is_directory() ? "" : *store::read_file(entry.path());
    }
    std::string text;
    for (const auto& [name, content] : files) { text += "== " + name + "\n" + content + "\n"; }
    return text;
}

}  // namespace haruspex::test
