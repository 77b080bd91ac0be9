#pragma once

#include <cstdint>

#include "generators/base/choice.h"
#include "generators/base/result.h"
#include "generators/case/case.h"
#include "generators/random/policy.h"
#include "generators/schedule/halide/vocabulary.h"

// Random test cases for Halide: a staged SARE, a schedule that its algorithm admits, sizes within the documented rules,
// exact inputs.
namespace haruspex::random {

// Draws one case. Total: every choice sequence gives a well-formed, admitted case.
cases::Case draw_case(Choices& choices, const Policy& policy, schedule::halide::Vocabulary vocabulary);

// Case number `index` of the campaign with this seed; name "c<index>".
cases::Case campaign_case(std::uint64_t campaign_seed, std::uint64_t index, const Policy& policy,
                          schedule::halide::Vocabulary vocabulary);

}  // namespace haruspex::random
