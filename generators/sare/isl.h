#pragma once

#include <isl/cpp.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "generators/sare/syntax.h"

// Converts indices to isl's piecewise quasi-affine functions, and conditions to isl's sets. isl's exceptions pass
// through: call this inside affine::guarded or affine::within.
namespace haruspex::sare {

// A space, and the meaning in it of the variables that indices and conditions mention.
class AffineSpace {
public:
    using Environment = std::map<std::string, isl::pw_aff>;

    // The space [parameters] -> { [variables] }. The names are distinct, and each means the dimension of its name.
    AffineSpace(isl::ctx ctx, const std::vector<std::string>& parameters, const std::vector<std::string>& variables);
    // A space of sets, with names that stand for functions on that space.
    AffineSpace(isl::space space, Environment names) : space_(std::move(space)), names_(std::move(names)) {}

    const isl::space& space() const { return space_; }
    const Environment& names() const { return names_; }
    // Every free variable must have a meaning (ENSURE).
    isl::pw_aff convert(const Index& index) const;                       // { [variables] -> [index] }
    isl::set convert(const Condition& condition) const;                  // { [variables] : condition }
    isl::multi_pw_aff convert(const std::vector<Index>& indices) const;  // { [variables] -> [indices] }

private:
    isl::space space_;
    Environment names_;
};

}  // namespace haruspex::sare
