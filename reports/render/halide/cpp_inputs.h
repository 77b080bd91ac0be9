#pragma once

#include <set>
#include <string>

#include "generators/case/case.h"
#include "generators/sare/algorithm.h"

// Writes code with which a stand-alone program fills its inputs with the values of generators/case/inputs.cpp.
namespace haruspex::render::halide {

// Returns the inputs on which an output depends. The others have no buffer when the pipeline runs.
std::set<std::string> inputs_read(const sare::Algorithm& algorithm);
// Returns the C++ functions that the statements of fill_input call for the case's inputs; empty if none is called.
std::string input_helpers(const cases::Case& c);
// Returns the statements that fill the buffer of an input that is read. `param` and `data` are the identifiers of the
// ImageParam and of its buffer.
std::string fill_input(const cases::Case& c, const sare::Input& input, const std::string& param,
                       const std::string& data);

}  // namespace haruspex::render::halide
