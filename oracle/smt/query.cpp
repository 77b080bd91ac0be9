#include "oracle/smt/query.h"

#include <optional>
#include <string_view>

#include "generators/base/ensure.h"
#include "oracle/smt/encoder.h"
#include "oracle/smt/smtlib.h"

namespace haruspex::smt {
namespace {

// Terms share subterms, and written out one may be exponentially longer than its definition.
constexpr std::size_t longest_comment = 4000;

std::string described(const Terms& terms, Term term) {
    const std::optional<std::string> text = to_string(terms, term, longest_comment);
    return text ? *text : "t" + std::to_string(term.value) + " below";
}

std::string_view name(Abstraction a) {
    return a == Abstraction::uninterpreted ? "operations on numbers are uninterpreted functions"
                                           : "integers are machine integers";
}

std::string_view name(Floats f) {
    switch (f) {
        case Floats::uninterpreted: return "operations on floats are uninterpreted functions";
        case Floats::real: return "floats are real numbers";
        case Floats::ieee: return "floats are IEEE 754";
        case Floats::abstract: return "operations on floats are exact on special values only";
    }
    ENSURE(false, "a choice of floats without a name");
    return {};
}

}  // namespace

bool violates(const value::Value& specification, const value::Value& implementation, Equality equality) {
    if (specification.is_undef()) { return false; }
    if (!specification.is_defined() || !implementation.is_defined()) { return true; }
    return !(equality == Equality::same_result ? value::same_result(specification, implementation)
                                               : value::same_number(specification, implementation));
}

Result<std::string> to_smtlib(const Terms& terms, const Query& query) {
    std::string text =
        "; Does the implementation refine the specification, wherever\n;   " + affine::to_string(query.domain) + "?\n";
    text += "; specification:  " + described(terms, query.specification) + "\n";
    text += "; implementation: " + described(terms, query.implementation) + "\n";
    text += "; unsat: it does. sat: it does not, and a model is a violation; " + std::string(name(query.abstraction));
    if (query.abstraction == Abstraction::arithmetic) { text += ", " + std::string(name(query.floats)); }
    text += ".\n(set-logic ALL)\n";
    try {
        text += commands(Encoder(terms, query).encode());
    } catch (const Inexpressible& reason) { return fail(reason.reason); }
    return text + "(check-sat)\n";
}

}  // namespace haruspex::smt
