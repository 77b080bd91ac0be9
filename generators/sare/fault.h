#pragma once

#include <expected>
#include <string>

#include "generators/base/result.h"

// Faults that the checks find, each with the item of the SARE that contains it, so that the parser can locate that
// item.
namespace haruspex::sare {

struct Subject {
    enum class Kind { system, assumptions, input, equation, update, output } kind = Kind::system;
    std::string tensor = {};  // of an input, equation, update or output
    std::size_t number = 0;   // of the tensor's equation (from 0) or update (from 1)
    auto operator<=>(const Subject&) const = default;
};

struct Fault {
    std::string message;
    Subject subject;
};

using Checked = std::expected<void, Fault>;

// The subject and the message as an error without a location: "update 1 of D: …".
Error to_error(const Fault& fault);
std::string describe(const Subject& subject);

std::unexpected<Fault> fault(const Subject& subject, std::string message);

}  // namespace haruspex::sare
