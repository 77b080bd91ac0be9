#pragma once

#include <string>

#include "oracle/interp/tensor_interpreter.h"

namespace haruspex::render {

// Lays out the content of a variable for a reader, lines under its name and type. A scalar stands in the first line. A
// vector is a row; a matrix has a row for each index of its first dimension; of more dimensions there is a matrix for
// each choice of the others. A bar and a line of dashes set the padding off:
//
//   A : i32[2 3] in i32[4 4]
//     -1  0  7 |  0
//      2  3  0 |  0
//     ---------+---
//      0  0  0 |  0
//      0  0  0 |  0
std::string to_text(const std::string& name, const interp::StoredTensor& tensor);

}  // namespace haruspex::render
