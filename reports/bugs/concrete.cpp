#include "reports/bugs/concrete.h"

#include <vector>

#include "generators/base/sizes.h"
#include "oracle/judge/validated.h"
#include "reports/minimize/draft.h"

namespace haruspex::bugs {
namespace {

// With more, a report takes a minute; a counterexample that needs one particular input is not found by chance anyway.
constexpr std::uint64_t seeds_tried = 12;

bool runs_wrong(const verdict::Verdict& verdict) {
    return verdict::is_finding(verdict.cls) && verdict.cls != verdict::Class::latent_bug &&
           verdict.cls != verdict::Class::refuted_lowering;
}

// The full range for integers. Floats keep their domain: on the full range they would not be exact.
cases::InputDomain whole(const cases::InputDomain& domain) {
    return value::is_float(domain.range.type) ? domain
                                              : cases::InputDomain{value::full_range(domain.range.type), false};
}

std::vector<cases::Case> on_other_domains(const cases::Case& c) {
    cases::Case small = c, wide = c;
    for (auto& [name, domain] : small.inputs) { domain = minimize::small_domain(domain.range.type); }
    for (auto& [name, domain] : wide.inputs) { domain = whole(domain); }
    return {c, small, wide};
}

}  // namespace

std::optional<cases::Case> shown_by_running(const cases::Case& c, const std::optional<Sizes>& sizes,
                                            const session::Judge& lowered, const session::Judge& native) {
    const auto shows = [&](const cases::Case& candidate) {
        return judge::is_wrong_lowering(lowered(candidate).cls) && runs_wrong(native(candidate));
    };
    if (sizes) {
        cases::Case there = c;
        there.sizes = *sizes;
        if (shows(there)) { return there; }
    }
    if (c.inputs.empty()) { return std::nullopt; }
    for (cases::Case& candidate : on_other_domains(c)) {
        for (std::uint64_t seed = 0; seed < seeds_tried; ++seed) {
            candidate.input_seed = seed;
            if (shows(candidate)) { return std::move(candidate); }
        }
    }
    return std::nullopt;
}

}  // namespace haruspex::bugs
