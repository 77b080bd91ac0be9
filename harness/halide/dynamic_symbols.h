#pragma once

#include <set>
#include <string>

// The symbols with which a loaded executable or library takes part in dynamic linking. Free of Halide.
namespace haruspex::halide {

struct DynamicSymbols {
    std::set<std::string> defined;  // that other objects can use
    std::set<std::string> called;   // that it looks up among all loaded objects, whether or not it defines them
};

// Returns the symbols of the loaded object in which the address lies; none if no object has it.
DynamicSymbols dynamic_symbols_at(const void* address);

}  // namespace haruspex::halide
