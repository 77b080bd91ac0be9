#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>

#include "generators/base/result.h"

// What makes a program ill-formed, and where. The parser turns the place into a position of the text.
namespace haruspex::tensor {

// The first five are the ways in which the formation of a program can fail (Rink, 3.2.1), in his order.
enum class Flaw : std::uint8_t {
    redeclared,              // a premise of s-var
    assigns_undeclared,      // of ok-stmt
    assigns_other_type,      // of ok-stmt
    reads_undeclared,        // of t-var
    operands_do_not_fit,     // of t-contr, t-trans, t-elem, t-smul or t-sdiv
    not_a_name,              // a name that the text form cannot have
    extent_not_positive,     // for some parameters (Definition 2)
    malformed_extent,        // an unknown parameter, or an index that no SARE may have
    malformed_assumptions,   // likewise, or no parameters satisfy them
    element_has_no_algebra,  // bool
    too_large,               // the rank or the depth
};

struct Subject {
    enum class Kind : std::uint8_t { program, assumptions, declaration, extent, statement, expression };
    Kind kind = Kind::program;
    std::size_t number = 0;  // of the declaration or the statement, from 0
    std::size_t part = 0;    // the dimension of an extent, from 0; the node of an expression (for_each_node)
    auto operator<=>(const Subject&) const = default;
};

struct Fault {
    Flaw flaw = Flaw::redeclared;
    Subject subject;
    std::string message;
    bool operator==(const Fault&) const = default;
};

using Checked = std::expected<void, Fault>;

// Returns place and message as an Error without a location: "statement 2: …"; they count from 1.
Error to_error(const Fault& fault);

}  // namespace haruspex::tensor
