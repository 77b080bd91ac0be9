#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "reports/measure/draw.h"
#include "reports/measure/measure.h"

// Small cases that are right, and that one of the two provers does not prove for all sizes, for a given reason, while
// the other one does.
namespace haruspex::measure {

// What there is to look for: of each prover and reason (results.h), the measured problem with the fewest statements of
// which the other one proves that it is right. Of the makings that reports/minimize can take apart, which is `lowered`.
// A limit of time or memory is no reason: it may be none on another machine.
struct Sought {
    Method method = Method::validator;  // that does not prove it
    std::string reason;
    std::uint64_t index = 0, statements = 0;  // of the problem
};
std::vector<Sought> sought_in(const std::vector<Record>& records);

struct Witness {
    Sought sought;
    std::string c;                 // the smallest case found, as JSON
    std::uint64_t statements = 0;  // of what it is lowered to
    std::uint64_t runs = 0;        // of both provers
    bool is_fixpoint = false;      // nothing smaller that was tried is a witness; otherwise most_runs were made
    std::string none;              // why there is no such case
};

std::string to_json(const Witness& witness);
[[nodiscard]] Result<Witness> parse_witness(const std::string& line);

// The case made smaller as long as both provers say of it what they are sought for; `examine` is asked at most
// `most_runs` times whether they do.
Witness shrink(const Sought& sought, const cases::Case& c, const std::function<bool(const cases::Case&)>& examine,
               const Workplace& workplace, std::uint64_t most_runs);

// Of the problems of `series`, of which these are the records; in worker processes, and kept as
// options.out/witnesses/COUNT.jsonl, COUNT that of the records.
[[nodiscard]] Result<std::vector<Witness>> find_witnesses(const Series& series, const std::vector<Record>& records,
                                                          const Workplace& workplace, const Options& options,
                                                          std::uint64_t most_runs, const std::atomic<bool>& stop,
                                                          const std::function<void(const Progress&)>& progress);

}  // namespace haruspex::measure
