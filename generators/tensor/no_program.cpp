#include "generators/tensor/no_program.h"

#include <fmt/core.h>

#include <string_view>

#include "generators/base/ensure.h"

namespace haruspex::tensor {

using Reason = NoProgram::Reason;

std::string to_string(const NoProgram& what) {
    const auto of = [&](std::string_view why) {
        return what.tensor.empty() ? std::string(why) : fmt::format("\"{}\": {}", what.tensor, why);
    };
    switch (what.reason) {
        case Reason::name: return of("expected a name of the tensor language");
        case Reason::staged: return of("expected no update definitions");
        case Reason::several_values: return of("expected one component");
        case Reason::several_equations: return of("expected one equation");
        case Reason::condition: return of("expected an equation without a condition");
        case Reason::operation: return of("expected accesses, sums and the operators +, -, * and / only");
        case Reason::index: return of("expected variables of the tensor or of sums as indices");
        case Reason::sum: return of("expected sums over one variable from 0 to an extent over the parameters");
        case Reason::occurrences: return of("expected each variable once, and that of a sum twice in it");
        case Reason::ambiguous: return of("the product can be read in too many ways; expected fewer factors");
        case Reason::recurrence: return of("expected tensors that do not depend on themselves");
        case Reason::output_box: return of("expected an output that begins at 0");
        case Reason::extents_differ: return of("expected the same extent wherever a dimension is used");
        case Reason::extent_unknown: return of("expected a use that says the extent of each dimension");
        case Reason::ill_formed: return of(what.fault ? to_error(*what.fault).message : "");
    }
    raise_internal_error(__FILE__, __LINE__, "no such reason");
}

}  // namespace haruspex::tensor
