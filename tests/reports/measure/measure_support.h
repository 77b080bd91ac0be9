#pragma once

#include <string>
#include <vector>

#include "reports/measure/measure.h"
#include "tests/support/catch.h"
#include "tests/support/scratch.h"

// Measurements without a compiler, on random or hand-written programs.
namespace haruspex::test {

// Fails to lower every case.
class NoCompiler final : public measure::Source {
public:
    Result<measure::Compilation> compile(const cases::Case&, const measure::Asked&) const override {
        return fail("no compiler");
    }
};

inline measure::Workplace workplace_without_compiler() {
    measure::Workplace workplace;
    workplace.identity = {"halide", "1.2.3", 14};
    workplace.installed = std::make_shared<NoCompiler>();
    return workplace;
}

// A record of a problem with one answer for all sizes from each of the two provers.
inline measure::Record record(std::uint64_t index, bool is_wrong, measure::Outcome validator,
                              measure::Outcome equivalence, std::set<std::string> features = {}) {
    measure::Record r;
    r.index = index;
    r.making = is_wrong ? "mutated" : "transformed";
    r.is_wrong = r.is_wrong_at_own = is_wrong;
    r.features = std::move(features);
    r.size = {{"statements", 5 + index}, {"loops", 2}, {"depth", 2}, {"tensors", 1}};
    r.own = {{"W", 3}};
    using enum measure::Question;
    r.entries.push_back({measure::Method::validator, all_sizes, {validator, "because of 7"}, {0.5, 1, 100}, ""});
    r.entries.push_back({measure::Method::equivalence, all_sizes, {equivalence, "for: reasons"}, {0.25, 1, 100}, ""});
    return r;
}

}  // namespace haruspex::test
