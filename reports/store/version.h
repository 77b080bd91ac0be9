#pragma once

#include <string>

namespace haruspex::store {

// Returns the version of haruspex, "0.1.0": part of everything that is stored.
std::string haruspex_version();

}  // namespace haruspex::store
