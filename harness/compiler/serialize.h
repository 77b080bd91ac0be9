#pragma once

#include <span>

#include "generators/base/result.h"
#include "harness/compiler/compiler.h"
#include "harness/compiler/frame.h"

// The binary form of an Observation, all but what outlives a death, between a child and its parent; private to this
// folder, not kept anywhere.
namespace haruspex::compiler {

Bytes serialize(const Observation& observation);
// Every length and enumerator is checked; an Error says what was expected at which byte.
[[nodiscard]] Result<Observation> deserialize(std::span<const std::uint8_t> bytes);
// What was lowered and the regions of the inputs are sent by themselves, when they are there; those elsewhere with the
// observation.
Bytes serialize(const Lowered& lowered);
[[nodiscard]] Result<Lowered> deserialize_lowered(std::span<const std::uint8_t> bytes);
Bytes serialize(const std::vector<InputRegion>& regions);
[[nodiscard]] Result<std::vector<InputRegion>> deserialize_regions(std::span<const std::uint8_t> bytes);

}  // namespace haruspex::compiler
