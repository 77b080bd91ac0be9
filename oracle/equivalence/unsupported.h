#pragma once

#include <stdexcept>

namespace haruspex::equivalence {

// The reason why a program is not static and affine, with the expression: "index that depends on data: a[b[i]]". Does
// not leave this folder.
class Unsupported : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace haruspex::equivalence
