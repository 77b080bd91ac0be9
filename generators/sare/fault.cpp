#include "generators/sare/fault.h"

#include <fmt/core.h>

#include <utility>

#include "generators/base/ensure.h"

namespace haruspex::sare {

using Kind = Subject::Kind;

std::string describe(const Subject& subject) {
    switch (subject.kind) {
        case Kind::system: return "";
        case Kind::assumptions: return "assumptions";
        case Kind::input: return fmt::format("input \"{}\"", subject.tensor);
        case Kind::equation: return fmt::format("tensor \"{}\"", subject.tensor);
        case Kind::update: return fmt::format("update {} of \"{}\"", subject.number, subject.tensor);
        case Kind::output: return fmt::format("output \"{}\"", subject.tensor);
    }
    raise_internal_error(__FILE__, __LINE__, "no such subject");
}

Error to_error(const Fault& fault) {
    const std::string subject = describe(fault.subject);
    return {subject.empty() ? fault.message : subject + ": " + fault.message, {}, {}};
}

std::unexpected<Fault> fault(const Subject& subject, std::string message) {
    return std::unexpected(Fault{std::move(message), subject});
}

}  // namespace haruspex::sare
