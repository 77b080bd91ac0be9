#pragma once

// The mutant that a shared object is; defined by the object's own source, which selected.cpp.in is the form of.
namespace haruspex::mutants::lowering {

extern const char* const selected;

}  // namespace haruspex::mutants::lowering
