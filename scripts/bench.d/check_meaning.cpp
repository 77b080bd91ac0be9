// Draws programs over the whole grammar of SCHED and puts them to all engines (scripts/check-meaning).
//
//   check_meaning SEED FIRST COUNT [--show]
//
// Prints each disagreement with its program (with --show every program), the table of productions, and counts. Exit
// code 1 if there was a disagreement, or if 10,000 programs or more lacked a pair of productions that grammar and
// typing allow.
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

#include "tests/support/meaning.h"
#include "tests/support/productions.h"

using namespace haruspex;

int main(int argc, char** argv) {
    if (argc < 4) {
        std::cerr << "check_meaning SEED FIRST COUNT [--show]\n";
        return 2;
    }
    const std::uint64_t seed = std::strtoull(argv[1], nullptr, 10), first = std::strtoull(argv[2], nullptr, 10),
                        count = std::strtoull(argv[3], nullptr, 10);
    const bool shows = argc > 4;
    std::map<std::string, std::uint64_t> counts;
    testing::Productions productions;
    std::uint64_t faults = 0;
    for (std::uint64_t n = first; n < first + count; ++n) {
        const std::uint64_t own = derive_seed(seed, n);
        const testing::Specimen specimen = testing::draw_specimen(own);
        if (shows) { std::cout << specimen.specification << specimen.program; }
        const testing::Meaning meaning = testing::meaning_of(specimen, own);
        if (!meaning.refused.empty()) {
            ++counts["refused: " + meaning.refused.substr(0, meaning.refused.find(':', 16))];
            if (shows) { std::cout << "# refused: " << meaning.refused << "\n"; }
            continue;
        }
        productions.count(*sched::parse_program(specimen.program, "program"));
        ++counts[std::string(specimen.is_mutated ? "mutated" : "by construction") +
                 (meaning.is_wrong ? ": wrong" : ": right so far")];
        for (const auto& [engine, outcome] : meaning.said) { ++counts[engine + ": " + outcome]; }
        if (meaning.faults.empty()) { continue; }
        ++faults;
        std::cout << "# DISAGREEMENT of program " << n << "\n";
        for (const std::string& fault : meaning.faults) { std::cout << "# " << fault << "\n"; }
        std::cout << specimen.specification << specimen.program << std::endl;
    }
    std::cout << "\n";
    for (const auto& [what, times] : counts) { std::cout << times << "  " << what << "\n"; }
    std::cout << "\nproductions\n";
    for (const auto& [what, times] : productions.seen()) { std::cout << times << "  " << what << "\n"; }
    const auto missing = productions.missing();
    std::cout << "\n" << productions.pairs().size() << " pairs were drawn, " << missing.size() << " were not\n";
    for (const auto& [place, what] : missing) { std::cout << "not drawn: " << what << " in " << place << "\n"; }
    std::cout << faults << " disagreements in " << count << " programs\n";
    constexpr std::uint64_t many = 10'000;
    return faults > 0 || (count >= many && !missing.empty()) ? 1 : 0;
}
