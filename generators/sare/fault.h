#pragma once

#include <expected>
#include <string>

#include "generators/base/result.h"

// The faults that the well-formedness checks find. Each names the item of the SARE in which it is, so that the parser
// can locate it in the text.
namespace haruspex::sare {

struct Subject {
    enum class Kind { system, assumptions, input, equation, update, output } kind = Kind::system;
    std::string tensor = {};  // the tensor of an input, equation, update or output
    std::size_t number = 0;   // the number of an equation (from 0) or update (from 1) among those of its tensor
    auto operator<=>(const Subject&) const = default;
};

struct Fault {
    std::string message;
    Subject subject;
};

using Checked = std::expected<void, Fault>;

// Returns subject and message as an Error without a location: "update 1 of D: …".
Error to_error(const Fault& fault);
std::string describe(const Subject& subject);

std::unexpected<Fault> fault(const Subject& subject, std::string message);

}  // namespace haruspex::sare
