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

validator::Verdict validate_at_sizes(const cases::Case& c, const Foretold& foretold,
                                     const validator::Options& options) {
    auto sizes = bind_parameters(foretold.program, c, foretold.regions);
    if (!sizes) { return unsupported(sizes.error().message); }
    validator::Options here = options;
    here.sizes = std::move(*sizes);
    const sare::Sare specification = sare::outlined(c.sare);
    if (const auto fits = validator::fits(specification, foretold.program, here.sizes); !fits) {
        return unsupported(fits.error().message);
    }
    return validator::validate(specification, foretold.program, here);
}

validator::Verdict validate_at_sizes(const cases::Case& c, compiler::ForkServer& server,
                                     const validator::Options& options) {
    const auto foretold = lower_with_prophecies(c, server);
    return foretold ? validate_at_sizes(c, *foretold, options) : unsupported("prophecies: " + foretold.error());
}

}  // namespace haruspex::pipeline
