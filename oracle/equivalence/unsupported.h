#pragma once

#include <stdexcept>

namespace haruspex::equivalence {

// Thrown for a program that is not static and affine, or uses an unknown feature; says why, with the expression: "index
// that depends on data: a[b[i]]". Does not leave this folder.
class Unsupported : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace haruspex::equivalence
