#pragma once

#include <cstdint>

#include "generators/base/choice.h"
#include "generators/base/result.h"
#include "generators/case/case.h"
#include "generators/random/policy.h"
#include "generators/schedule/language.h"

// Random test cases of a compiler: the staged SARE (sare/staging.h) of an affine algorithm, a schedule that is admitted
// for the algorithm, sizes that keep the compiler's documented rules (Language::size_rules), and domains of the inputs
// on which most programs compute exactly (exactness.h).
namespace haruspex::random {

// Draws one case. Every choice sequence gives a well-formed, admitted case.
cases::Case draw_case(Choices& choices, const Policy& policy, const schedule::Language& language);

// Returns case number `index` of the campaign with this seed. The SARE's name is "c<index>".
cases::Case campaign_case(std::uint64_t campaign_seed, std::uint64_t index, const Policy& policy,
                          const schedule::Language& language);

}  // namespace haruspex::random
