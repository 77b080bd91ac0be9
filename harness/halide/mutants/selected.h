#pragma once

// The name of the mutant in a shared object. Defined by a source of that object's own, which is made from
// selected.cpp.in.
namespace haruspex::halide::mutants {

extern const char* const selected;

}  // namespace haruspex::halide::mutants
