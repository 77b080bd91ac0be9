// Holds a campaign with the validator against a baseline (reports/campaign/baseline.h).
//
//   compare_baseline BASELINE CAMPAIGN [CASES]     the first CASES of the baseline's, all unless given
//   compare_baseline BASELINE --campaign           prints the options of `haruspex fuzz` that ask for the same cases
//   compare_baseline BASELINE --update CAMPAIGN    writes what the campaign has to BASELINE
//
// Prints the rows that changed, and the cases. Exit code 1 when a case is in another row, better or worse; 2 for wrong
// usage, or when the campaign is not of the baseline's cases.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "reports/campaign/baseline.h"
#include "reports/store/files.h"

using namespace haruspex;

namespace {

int refuse(const std::string& why) {
    std::cerr << "compare_baseline: " << why << "\n";
    return 2;
}

Result<campaign::Baseline> baseline_in(const std::string& file) {
    const auto text = store::read_file(file);
    return text ? campaign::parse_baseline(*text, file) : fail(text.error());
}

int update(const std::string& file, const std::string& folder) {
    const auto now = campaign::baseline_of(folder);
    if (!now) { return refuse(to_string(now.error())); }
    const auto written = store::write_atomically(file, campaign::to_json(*now));
    return written ? 0 : refuse(to_string(written.error()));
}

int compare(const campaign::Baseline& before, const std::string& folder) {
    const auto now = campaign::baseline_of(folder);
    if (!now) { return refuse(to_string(now.error())); }
    const auto comparison = campaign::compare(before, *now);
    if (!comparison) { return refuse(to_string(comparison.error())); }
    std::cout << comparison->table << "\n"
              << before.cases << " cases: " << comparison->worse << " worse, " << comparison->better << " better, "
              << comparison->other << " otherwise\n";
    return comparison->worse + comparison->better + comparison->other == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() < 2 || arguments.size() > 3) {
        return refuse("usage: compare_baseline BASELINE (CAMPAIGN [CASES] | --campaign | --update CAMPAIGN)");
    }
    const std::string& file = arguments[0];
    if (arguments[1] == "--update") { return update(file, arguments.back()); }
    auto baseline = baseline_in(file);
    if (!baseline) { return refuse(to_string(baseline.error())); }
    if (arguments.size() == 3) { baseline = campaign::beginning(*baseline, std::stoull(arguments[2])); }
    if (arguments[1] != "--campaign") { return compare(*baseline, arguments[1]); }
    std::cout << "--seed " << baseline->seed << " --first " << baseline->first << " --other-sizes "
              << baseline->other_sizes << " --cases " << baseline->cases << "\n";
    return 0;
}
