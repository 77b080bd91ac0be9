#include "oracle/pipeline/validation.h"

#include "generators/sare/outline.h"
#include "oracle/pipeline/lowered.h"
#include "oracle/validator/fit.h"

namespace haruspex::pipeline {
namespace {

validator::Verdict unsupported(std::string reason) {
    validator::Verdict verdict;
    verdict.outcome = validator::Outcome::unsupported;
    verdict.reason = std::move(reason);
    return verdict;
}

}  // namespace

validator::Verdict validate_at_sizes(const cases::Case& c, const Foretold& foretold, const unrolled::Options& options) {
    const auto sizes = bind_parameters(foretold.program, c, foretold.regions);
    if (!sizes) { return unsupported(sizes.error().message); }
    const sare::Sare specification = sare::outlined(c.sare);
    if (const auto fits = validator::fits(specification, foretold.program, *sizes); !fits) {
        return unsupported(fits.error().message);
    }
    unrolled::Options here = options;
    // Without it the compiler takes floats for real numbers.
    here.floats = c.strict_float ? validator::Floats::ieee : validator::Floats::real;
    return unrolled::validate(specification, foretold.program, *sizes, here);
}

validator::Verdict validate_at_sizes(const cases::Case& c, compiler::ForkServer& server,
                                     const unrolled::Options& options) {
    // They make a proof easier, and none possible.
    auto lowered = lower_with_prophecies(c, server);
    if (!lowered) { lowered = lower_without_prophecies(c, server); }
    return lowered ? validate_at_sizes(c, *lowered, options) : unsupported(lowered.error());
}

}  // namespace haruspex::pipeline
