#pragma once

#include <string>

namespace haruspex::store {

// Returns the version of haruspex, "0.1.0": part of everything that is stored.
std::string haruspex_version();
// Returns the number that a compiler's version begins with, 14 of "14.0.0"; 0 if there is none.
int major_of(const std::string& version);

}  // namespace haruspex::store
