#include "reports/measure/equivalence_of_lowered.h"

#include <algorithm>
#include <vector>

#include "generators/base/ensure.h"
#include "harness/sched/traverse.h"
#include "oracle/conversion/conversion.h"
#include "oracle/validator/evaluation/interface_check.h"

namespace haruspex::measure {
namespace {

// Ranks how far a check came; the reason of the furthest is reported. A wrong division of an index into coordinates
// leads to accesses out of bounds.
int reach(const equivalence::Verdict& verdict) {
    switch (verdict.outcome) {
        case equivalence::Outcome::unsupported: return 0;
        case equivalence::Outcome::not_proved: return verdict.outputs.empty() ? 1 : 3;
        case equivalence::Outcome::undecided: return 2;
        case equivalence::Outcome::proved: return 4;
    }
    raise_internal_error(__FILE__, __LINE__, "no such outcome");
}

}  // namespace

equivalence::Verdict check_lowered(const sare::Sare& sare, const sched::Program& program,
                                   const equivalence::Options& options) {
    const sched::Program plain = sched::erase_prophecies(program);
    equivalence::Verdict best;
    best.outcome = equivalence::Outcome::unsupported;
    equivalence::Options left = options;
    std::vector<conversion::Converted> seen;
    for (const conversion::Way way : conversion::all_ways) {
        if (left.operations == 0) { break; }
        const auto converted = conversion::convert(sare, plain, way);
        if (!converted) {
            if (best.reason.empty()) { best.reason = to_string(converted.error()); }
            continue;
        }
        if (std::ranges::find(seen, *converted) != seen.end()) { continue; }
        seen.push_back(*converted);
        sare::Sare here = sare;
        for (const conversion::Premise& premise : converted->premises) {
            if (premise.condition) { here.assumptions = {sare::And{here.assumptions, *premise.condition}}; }
        }
        if (const auto fits = validator::check_interface(here, converted->program); !fits) {
            best.reason = fits.error().message;
            continue;
        }
        equivalence::Verdict verdict = equivalence::check(here, converted->program, left);
        left.operations -= std::min(left.operations, verdict.operations);
        if (verdict.outcome == equivalence::Outcome::proved) { return verdict; }
        if (best.reason.empty() || reach(verdict) > reach(best)) { best = std::move(verdict); }
    }
    return best;
}

}  // namespace haruspex::measure
