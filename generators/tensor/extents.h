#pragma once

#include <memory>
#include <string>
#include <vector>

#include "generators/sare/syntax.h"

// Comparison of extents that depend on parameters.
namespace haruspex::tensor {

// What holds for all parameters that satisfy the assumptions. Most questions are answered by the form of the indices;
// isl answers the others, within a budget. An answer that is not found is no.
class Extents {
public:
    // The free variables of the assumptions, and of every index that is asked about, are parameters (ENSURE).
    Extents(std::vector<std::string> parameters, sare::Condition assumptions);
    ~Extents();
    Extents(Extents&&) noexcept;
    Extents& operator=(Extents&&) noexcept;

    // Whether some parameters satisfy the assumptions. Not found out: yes.
    bool has_any() const;
    bool are_equal(const sare::Index& a, const sare::Index& b) const;
    bool are_equal(const std::vector<sare::Index>& a, const std::vector<sare::Index>& b) const;
    bool is_positive(const sare::Index& extent) const;

private:
    struct Sets;
    // Whether the condition holds for all parameters that satisfy the assumptions.
    bool holds(const sare::Condition& condition) const;

    std::vector<std::string> parameters_;
    sare::Condition assumptions_;
    std::unique_ptr<Sets> sets_;
};

}  // namespace haruspex::tensor
