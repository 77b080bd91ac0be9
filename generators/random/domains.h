#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "generators/case/case.h"
#include "generators/random/regions.h"
#include "generators/sare/algorithm.h"

// Domains of inputs, the same for all inputs of a type, from which a program is exact (exactness.h).
namespace haruspex::random {

using Domains = std::map<std::string, cases::InputDomain>;

// There are so many choices of domains, from the widest to the narrowest.
inline constexpr std::size_t domain_choices = 6;

// The domains of inputs by the number of their choice. Inputs in `positive` have values of at least 1.
Domains domains(std::size_t choice, const std::vector<sare::Input>& inputs, const std::set<std::string>& positive = {});
// Returns the first choice, from number `first` on, in which the algorithm is exact; floats need not be if they are
// strict. nullopt if there is none.
std::optional<Domains> exact_domains(const sare::Algorithm& algorithm, const Intervals& parameters, bool strict_float,
                                     std::size_t first = 0, const std::set<std::string>& positive = {});

}  // namespace haruspex::random
