#pragma once

#include <isl/cpp.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "generators/sare/syntax.h"

// Indices and conditions as isl's piecewise quasi-affine functions and sets. isl's exceptions pass through: call inside
// affine::guarded or affine::within.
namespace haruspex::sare {

// The space of indices and conditions, and the meaning of each of their variables there.
class AffineSpace {
public:
    using Environment = std::map<std::string, isl::pw_aff>;

    // [parameters] -> { [variables] }; the names are distinct and each stands for itself.
    AffineSpace(isl::ctx ctx, const std::vector<std::string>& parameters, const std::vector<std::string>& variables);
    // Any set space, with functions on it as the meanings of the names.
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
