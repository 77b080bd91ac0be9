#include "oracle/pipeline/validation.h"

#include "generators/sare/outline.h"
#include "oracle/pipeline/lowered.h"
#include "oracle/validator/fit.h"

namespace haruspex::pipeline {

validator::Verdict unsupported(std::string reason) {
    validator::Verdict verdict;
    verdict.outcome = validator::Outcome::unsupported;
    verdict.reason = std::move(reason);
    return verdict;
}

validator::Verdict validate_at_sizes(const cases::Case& c, const LoweredProgram& lowered,
                                     const unrolled::Options& options) {
    const auto sizes = bind_parameters(lowered.program, c, lowered.regions);
    if (!sizes) { return unsupported(sizes.error().message); }
    const sare::Sare specification = sare::outlined(c.sare);
    if (const auto fits = validator::fits(specification, lowered.program, *sizes); !fits) {
        return unsupported(fits.error().message);
    }
    unrolled::Options here = options;
    // Without it the compiler takes floats for real numbers.
    here.floats = c.strict_float ? validator::Floats::ieee : validator::Floats::real;
    validator::Verdict verdict = unrolled::validate(specification, lowered.program, *sizes, here);
    // What rounds is not compared: no inputs show that it is wrong.
    if (c.comparison == cases::Comparison::not_compared && verdict.outcome == validator::Outcome::refuted) {
        verdict.outcome = validator::Outcome::undecided;
        verdict.reason = "not compared: " + verdict.reason;
    }
    return verdict;
}

validator::Verdict validate_at_sizes(const cases::Case& c, const LoweredProgram& lowered, compiler::ForkServer& server,
                                     const unrolled::Options& options) {
    validator::Verdict verdict = validate_at_sizes(c, lowered, options);
    if (verdict.outcome != validator::Outcome::undecided) { return verdict; }
    const auto foretold = lower_with_prophecies(c, server);
    return foretold ? validate_at_sizes(c, *foretold, options) : verdict;
}

}  // namespace haruspex::pipeline
