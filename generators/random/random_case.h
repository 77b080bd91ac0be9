#pragma once

#include <cstdint>

#include "generators/base/choice.h"
#include "generators/base/result.h"
#include "generators/case/case.h"
#include "generators/random/policy.h"
#include "generators/schedule/language.h"

// Random test cases of a compiler: a staged SARE, a schedule that its algorithm admits, sizes within the documented
// rules, exact inputs.
namespace haruspex::random {

// Draws one case. Total: every choice sequence gives a well-formed, admitted case.
cases::Case draw_case(Choices& choices, const Policy& policy, const schedule::Language& language);

// Case number `index` of the campaign with this seed; name "c<index>".
cases::Case campaign_case(std::uint64_t campaign_seed, std::uint64_t index, const Policy& policy,
                          const schedule::Language& language);

}  // namespace haruspex::random
