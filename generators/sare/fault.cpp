#include "generators/sare/fault.h"

#include <utility>

#include "generators/base/ensure.h"

namespace haruspex::sare {

using Kind = Subject::Kind;

std::string describe(const Subject& subject) {
    switch (subject.kind) {
        case Kind::system: return "";
        case Kind::assumptions: return "assumptions";
        case Kind::input: return "input " + subject.tensor;
        case Kind::equation: return subject.tensor;
        case Kind::update: return "update " + std::to_string(subject.number) + " of " + subject.tensor;
        case Kind::output: return "output " + subject.tensor;
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
