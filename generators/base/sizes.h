#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace haruspex {

// A number for each parameter of a specification or a program, by the parameter's name.
using Sizes = std::map<std::string, std::int64_t>;

}  // namespace haruspex
