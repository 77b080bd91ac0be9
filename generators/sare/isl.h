#pragma once

#include <isl/cpp.h>

#include <string>
#include <vector>

#include "generators/sare/syntax.h"

// Indices and conditions as isl's piecewise quasi-affine functions and sets. Exceptions of isl pass through: call
// inside affine::guarded or affine::within.
namespace haruspex::sare {

// [parameters] -> { [variables] }: the space over which indices and conditions are read. Names are distinct.
class AffineSpace {
public:
    AffineSpace(isl::ctx ctx, std::vector<std::string> parameters, std::vector<std::string> variables);

    const isl::space& space() const { return space_; }
    // Every free variable must be one of the space's (ENSURE).
    isl::pw_aff convert(const Index& index) const;                       // { [variables] -> [index] }
    isl::set convert(const Condition& condition) const;                  // { [variables] : condition }
    isl::multi_pw_aff convert(const std::vector<Index>& indices) const;  // { [variables] -> [indices] }

private:
    isl::pw_aff constant(std::int64_t value) const;

    std::vector<std::string> parameters_;
    std::vector<std::string> variables_;
    isl::space space_;
    isl::multi_aff identity_;  // { [variables] -> [variables] }
};

}  // namespace haruspex::sare
