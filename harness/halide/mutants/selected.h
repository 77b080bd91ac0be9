#pragma once

// The mutant that a shared object is; defined by the object's own source, which is made from selected.cpp.in.
namespace haruspex::halide::mutants {

extern const char* const selected;

}  // namespace haruspex::halide::mutants
