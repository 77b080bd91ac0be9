#pragma once

#include <set>
#include <string>

#include "generators/case/case.h"
#include "generators/sare/algorithm.h"

// How a stand-alone program fills its inputs with the values of generators/case/inputs.cpp.
namespace haruspex::render {

// Those that an output depends on. The others have no buffer when the pipeline runs.
std::set<std::string> inputs_read(const sare::Algorithm& algorithm);
// The functions that fill_input calls for these inputs; empty when it calls none.
std::string input_helpers(const cases::Case& c);
// The statements that fill the buffer of an input that is read, with `param` and `data` for identifiers of the
// ImageParam and of its buffer.
std::string fill_input(const cases::Case& c, const sare::Input& input, const std::string& param,
                       const std::string& data);

}  // namespace haruspex::render
