#include "generators/tensor/fault.h"

#include <fmt/core.h>

#include "generators/base/ensure.h"

namespace haruspex::tensor {

namespace {

std::string describe(const Subject& subject) {
    switch (subject.kind) {
        case Subject::Kind::program: return "";
        case Subject::Kind::assumptions: return "assumptions: ";
        case Subject::Kind::declaration: return fmt::format("declaration {}: ", subject.number + 1);
        case Subject::Kind::extent:
            return fmt::format("dimension {} of declaration {}: ", subject.part + 1, subject.number + 1);
        case Subject::Kind::statement:
        case Subject::Kind::expression: return fmt::format("statement {}: ", subject.number + 1);
    }
    raise_internal_error(__FILE__, __LINE__, "no such subject");
}

}  // namespace

Error to_error(const Fault& fault) { return {describe(fault.subject) + fault.message, {}, {}}; }

}  // namespace haruspex::tensor
