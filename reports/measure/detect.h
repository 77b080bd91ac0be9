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

// Measures how soon each method detects a mutant of the compiler: how many cases of one random stream the method
// examines until then, and its processor time for them.
namespace haruspex::measure {

// Returns the stream of cases, lowered by the installed compiler: the first part of the measurement, and the same for
// all mutants. Each case is examined at its own sizes and for all sizes. The workplace is borrowed.
Series stream(std::uint64_t seed, std::uint64_t count, const Workplace& workplace);

// How one method detects one mutant by one question. The time for lowering is not counted: it is the same for all
// methods.
struct Discovery {
    Method method = Method::validator;
    Question question = Question::own_sizes;
    std::optional<std::uint64_t> cases;  // how many were examined up to the detection; nullopt: not detected
    double cpu_seconds = 0;              // for the answers on these cases; if not detected, on all cases
    std::string shown;                   // the method's reason on the last of them
};

struct Detected {
    std::string mutant;
    std::uint64_t put = 0;      // cases that some method examined
    std::uint64_t changed = 0;  // of these: lowered differently by the mutant
    std::vector<Discovery> by;  // one for each method and question asked
    std::string fault;          // how haruspex itself failed, if it did; then only `mutant` is set, too
};

// Whether `answer`, about a case lowered with the mutant, detects it. `before` is the answer about the case lowered
// without the mutant. A method detects a mutant by a new refutation. The equivalence checker, which never refutes,
// detects it by a lost proof.
bool gives_away(Method method, const Answer& before, const Answer& answer);

// Puts the stream to each method until the method detects the mutant. A case that the mutant does not change counts
// with its answer time without the mutant. So does a case that the mutant makes impossible to lower: no method detects
// the mutant there.
Detected detect(const std::string& mutant, std::uint64_t seed, const std::vector<Record>& stream,
                const Workplace& workplace, const Options& options);

std::string to_json(const Detected& detected);
[[nodiscard]] Result<Detected> parse_detected(const std::string& line);

// Detects all mutants of the workplace, in worker processes. Keeps finished work in options.out/stream and
// options.out/detected.jsonl, as run() does in cases.jsonl. After `stop`, the remaining mutants are missing.
[[nodiscard]] Result<std::vector<Detected>> detect_all(std::uint64_t seed, std::uint64_t count,
                                                       const Workplace& workplace, const Options& options,
                                                       const std::atomic<bool>& stop,
                                                       const std::function<void(const Progress&)>& progress);

}  // namespace haruspex::measure
