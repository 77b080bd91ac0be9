#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "reports/measure/draw.h"
#include "reports/measure/measure.h"

// How soon each method finds out that a compiler has a mutant: how many of one stream of random cases it looks at, and
// how much processor time it takes for them.
namespace haruspex::measure {

// The cases are the same for all mutants, as the installed compiler lowers them: the first part of the measurement.
// Each is looked at at its own sizes, and for all sizes. The workplace is borrowed.
Series stream(std::uint64_t seed, std::uint64_t count, const Workplace& workplace);

// One mutant, one method and question. Lowering a case is not counted: it is the same for all.
struct Discovery {
    Method method = Method::validator;
    Question question = Question::own_sizes;
    std::optional<std::uint64_t> cases;  // how many were looked at until it was found out; nothing when it was not
    double cpu_seconds = 0;              // of the answers on these; of all cases where it was not found out
    std::string shown;                   // what the method says of the last of them
};

struct Detected {
    std::string mutant;
    std::uint64_t put = 0;      // cases that some method looked at
    std::uint64_t changed = 0;  // of these: lowered to something else than without the mutant
    std::vector<Discovery> by;  // one for each method and question that it is asked
    std::string fault;          // of haruspex itself: then there is nothing else
};

// Whether the answer on what the mutant makes of a case gives it away, when `before` is the answer without it: what is
// right is refuted. The equivalence checker refutes nothing; it has found what it no longer proves.
bool gives_away(Method method, const Answer& before, const Answer& answer);

// Puts the stream to each method until that one has found the mutant out. What a case without change takes is what it
// took without the mutant. A case that the mutant keeps from being lowered counts as one in which nothing is found.
Detected detect(const std::string& mutant, std::uint64_t seed, const std::vector<Record>& stream,
                const Workplace& workplace, const Options& options);

std::string to_json(const Detected& detected);
[[nodiscard]] Result<Detected> parse_detected(const std::string& line);

// All mutants of the workplace, in worker processes; options.out/stream and options.out/detected.jsonl keep what was
// done as cases.jsonl does. What is found out later than `stop` is missing.
[[nodiscard]] Result<std::vector<Detected>> detect_all(std::uint64_t seed, std::uint64_t count,
                                                       const Workplace& workplace, const Options& options,
                                                       const std::atomic<bool>& stop,
                                                       const std::function<void(const Progress&)>& progress);

}  // namespace haruspex::measure
