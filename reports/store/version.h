#pragma once

#include <string>

namespace haruspex::store {

// haruspex's own version, "0.1.0": part of everything that is kept.
std::string haruspex_version();

}  // namespace haruspex::store
