#pragma once

#include <span>

#include "generators/base/result.h"
#include "harness/compiler/compiler.h"
#include "harness/compiler/frame.h"

// The binary form in which a child sends an Observation to its parent. Private to this folder, and never stored.
namespace haruspex::compiler {

Bytes serialize(const Observation& observation);
// Checks every length and enumerator. An Error names the byte, and what was expected there.
[[nodiscard]] Result<Observation> deserialize(std::span<const std::uint8_t> bytes);
// Lowered programs and the regions of inputs are sent separately, as soon as they are known. Only the regions at other
// sizes are part of the observation.
Bytes serialize(const Lowered& lowered);
[[nodiscard]] Result<Lowered> deserialize_lowered(std::span<const std::uint8_t> bytes);
Bytes serialize(const std::vector<InputRegion>& regions);
[[nodiscard]] Result<std::vector<InputRegion>> deserialize_regions(std::span<const std::uint8_t> bytes);

}  // namespace haruspex::compiler
