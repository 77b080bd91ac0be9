#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "generators/tensor/fault.h"

// Why a SARE is no program of whole tensors (from_sare.h).
namespace haruspex::tensor {

struct NoProgram {
    enum class Reason : std::uint8_t {
        name,            // of a tensor, a parameter or the system: the language has no such name
        staged,          // the image of an update definition
        several_values,  // a tensor has several components
        several_equations,
        condition,       // an equation has a domain
        operation,       // an expression that is no access, sum, +, -, * or /
        index,           // an access by something other than variables
        sum,             // other than over one variable s with 0 <= s < extent, the extent over parameters
        occurrences,     // variables do not occur as often as the forms ask
        ambiguous,       // too many ways to read a product
        recurrence,      // tensors depend on each other in a cycle
        output_box,      // does not begin at 0
        extents_differ,  // two accesses, or an access and a box, ask for different extents
        extent_unknown,  // nothing says an extent
        ill_formed,      // the program that was read: `fault` says why
    };
    Reason reason = Reason::operation;
    std::string tensor = {};  // the tensor, input or parameter; empty: the system
    std::optional<Fault> fault = std::nullopt;
    bool operator==(const NoProgram&) const = default;
};
std::string to_string(const NoProgram& what);

}  // namespace haruspex::tensor
