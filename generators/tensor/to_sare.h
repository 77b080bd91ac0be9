#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <string>

#include "generators/sare/syntax.h"
#include "generators/tensor/syntax.h"

// Translates programs to SAREs. The equations of a statement's tensor are Rink's equations (7) to (18) of Figure 12:
//
//   (x)(i)          = x(i)                               of the assignment of x that reaches the use
//   (a # b)(i j)    = a(i) * b(j)
//   (a ^ [k l])(i)  = a(i, with positions k and l exchanged)
//   (a . [k l])(i)  = sum over { [s] : 0 <= s < t_k } of (a(i, with s inserted as dimensions k and l))
//   (a op b)(i)     = a(i) op b(i); the index of a scalar is empty
//
// Indices count from 0. Each statement becomes one tensor, which is total. Each variable whose initial content is read
// becomes an input. The quotient is that of SAREs: it differs from the report's where the divisor is 0 (operators.h;
// Rink, Definitions 4 and 8).
namespace haruspex::tensor {

struct Translation {
    sare::Sare sare;
    // The tensor with the final content of each output, by the variable. An input has its variable's name.
    std::map<std::string, std::string> outputs;
};

struct Untranslatable {
    enum class Reason : std::uint8_t {
        uninitialised_read,    // a statement reads a variable that nothing has initialised
        uninitialised_output,  // an output that is not an input is never assigned
        no_output,             // a SARE has at least one
    };
    Reason reason = Reason::no_output;
    std::string variable = {};
    std::size_t statement = 0;  // from 0, of a read
    bool operator==(const Untranslatable&) const = default;
};
std::string to_string(const Untranslatable& what);

// Returns the SARE of a well-formed program (ENSURE). The last tensor assigned to a variable has the variable's
// name, unless the variable is also an input; all others have the name and a number, "x_1". An output that is an input
// and never assigned becomes a copy of it.
std::expected<Translation, Untranslatable> to_sare(const Program& program);

}  // namespace haruspex::tensor
