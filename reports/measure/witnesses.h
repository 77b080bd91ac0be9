#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "reports/measure/draw.h"
#include "reports/measure/measure.h"

// Small right cases that one of the two provers does not prove for all sizes, for a given reason, and that the other
// one proves.
namespace haruspex::measure {

// Where the search begins: for each prover and reason (results.h), the measured problem with the fewest statements that
// this prover does not prove and the other one does. Only `lowered` problems count, since reports/minimize can reduce
// no others. Time and memory limits do not count as reasons: another machine may not reach them.
struct Sought {
    Method method = Method::validator;  // the prover that does not prove the problem
    std::string reason;
    std::uint64_t index = 0, statements = 0;  // of the problem
};
std::vector<Sought> sought_in(const std::vector<Record>& records);

struct Witness {
    Sought sought;
    std::string c;                 // the smallest case found, as JSON
    std::uint64_t statements = 0;  // of the lowered case
    std::uint64_t runs = 0;        // how often both provers were asked
    bool is_fixpoint = false;  // whether no smaller case that was tried is a witness; otherwise most_runs were spent
    std::string none;          // why no case was found; empty if one was
};

std::string to_json(const Witness& witness);
[[nodiscard]] Result<Witness> parse_witness(const std::string& line);

// Minimises the case while `examine` confirms that it is a witness; `examine` is called at most `most_runs` times.
Witness shrink(const Sought& sought, const cases::Case& c, const std::function<bool(const cases::Case&)>& examine,
               const Workplace& workplace, std::uint64_t most_runs);

// Finds witnesses among the problems of `series`, whose records are given, in worker processes. Keeps finished work in
// options.out/witnesses/COUNT.jsonl, where COUNT is the number of records.
[[nodiscard]] Result<std::vector<Witness>> find_witnesses(const Series& series, const std::vector<Record>& records,
                                                          const Workplace& workplace, const Options& options,
                                                          std::uint64_t most_runs, const std::atomic<bool>& stop,
                                                          const std::function<void(const Progress&)>& progress);

}  // namespace haruspex::measure
