// Compares a campaign with the validator against a baseline (reports/campaign/baseline.h).
//
//   compare_baseline BASELINE CAMPAIGN             compares the campaign's cases, all or some of the baseline's
//   compare_baseline BASELINE --campaign           prints first case, number of cases and number of other sizes
//   compare_baseline BASELINE --update CAMPAIGN    writes the campaign's results to BASELINE
//   compare_baseline BASELINE --replace CAMPAIGN   replaces BASELINE's results for the campaign's cases
//
// Prints the rows that changed, and their cases. Exit code 1 if a case has another verdict, better or worse; 2 for
// wrong usage, or if the campaign's cases are not the baseline's.
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

int write(const std::string& file, const Result<campaign::Baseline>& baseline) {
    if (!baseline) { return refuse(to_string(baseline.error())); }
    const auto written = store::write_atomically(file, campaign::to_json(*baseline));
    return written ? 0 : refuse(to_string(written.error()));
}

// Replaces the baseline's verdicts for the campaign's cases.
int replace(const std::string& file, const std::string& folder) {
    const auto baseline = baseline_in(file);
    const auto now = campaign::baseline_of(folder);
    if (!baseline) { return refuse(to_string(baseline.error())); }
    return write(file, now ? campaign::replaced(*baseline, *now) : now);
}

int print_campaign(const std::string& file) {
    const auto baseline = baseline_in(file);
    if (!baseline) { return refuse(to_string(baseline.error())); }
    std::cout << baseline->first << " " << baseline->cases << " " << baseline->other_sizes << "\n";
    return 0;
}

int compare(const std::string& file, const std::string& folder) {
    const auto baseline = baseline_in(file);
    const auto now = campaign::baseline_of(folder);
    if (!baseline) { return refuse(to_string(baseline.error())); }
    if (!now) { return refuse(to_string(now.error())); }
    const auto before = campaign::slice(*baseline, now->first, now->cases);
    if (!before) { return refuse(to_string(before.error())); }
    const auto comparison = campaign::compare(*before, *now);
    if (!comparison) { return refuse(to_string(comparison.error())); }
    std::cout << comparison->table << "\n"
              << before->cases << " cases: " << comparison->worse << " worse, " << comparison->better << " better, "
              << comparison->other << " otherwise; " << comparison->judged_otherwise << " with another class or pass, "
              << comparison->grouped_otherwise << " grouped with others\n";
    return comparison->is_same() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const std::string what = arguments.size() < 2 ? "" : arguments[1];
    if (arguments.size() == 3 && what == "--update") {
        return write(arguments[0], campaign::baseline_of(arguments[2]));
    }
    if (arguments.size() == 3 && what == "--replace") { return replace(arguments[0], arguments[2]); }
    if (arguments.size() == 2 && what == "--campaign") { return print_campaign(arguments[0]); }
    if (arguments.size() == 2) { return compare(arguments[0], what); }
    return refuse("usage: compare_baseline BASELINE (CAMPAIGN | --campaign | (--update | --replace) CAMPAIGN)");
}
