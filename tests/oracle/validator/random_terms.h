#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "generators/base/choice.h"
#include "generators/base/sizes.h"
#include "generators/sare/build.h"
#include "generators/sare/syntax.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/validator/specification.h"
#include "oracle/validator/term.h"

// Random systems and expressions over their tensors: as terms, which are compared, and as values, which say what a
// comparison may say. The expressions are over the parameters N and i.
namespace haruspex::validator {

// What numbers there are: all types and every special value; f64s so few and small that no operation rounds; or f64s
// whose sums and products do round, none of them a NaN or infinite.
enum class Arithmetic : std::uint8_t { machine, exact, rounded };

// Inputs of every type; tensors that recur, that choose by conditions, that have two components; and random ones.
sare::Sare random_system(Choices& choices, Arithmetic arithmetic);

class RandomExprs {
public:
    RandomExprs(Choices& choices, const sare::Sare& sare, Arithmetic arithmetic)
        : choices_(choices), sare_(sare), arithmetic_(arithmetic) {}

    value::Type type();
    sare::Expr expr(value::Type type, int depth);
    // Mostly the same value, written otherwise: operands exchanged and regrouped, tensors unfolded, indices rewritten,
    // selects put around. Sometimes where that is not the same; with `changed` more is.
    sare::Expr rewritten(const sare::Expr& expr, bool changed);
    // Over these variables as well; for the right-hand sides of tensors.
    void set_scope(std::vector<std::string> scope) { scope_ = std::move(scope); }

private:
    sare::Index index(int depth);
    sare::Condition condition();
    sare::Expr leaf(value::Type type);
    sare::Expr access(value::Type type);
    sare::Expr literal(value::Type type);
    sare::Index rewritten(const sare::Index& index);
    sare::Expr rewritten_binary(const sare::Binary& binary, bool changed);
    sare::Expr unfolded(const sare::Access& access);

    Choices& choices_;
    const sare::Sare& sare_;
    Arithmetic arithmetic_;
    std::vector<std::string> scope_{"N", "i"};
};

// An access to this input stands for memory that was not written: "uninit u8", of rank 0.
std::string uninit_name(value::Type type);

// The term of an expression.
Term term_of(const sare::Expr& expr, const Specification& specification);

// The values of expressions at sizes N and i, on the inputs that a seed says.
class Values {
public:
    Values(const sare::Sare& sare, Arithmetic arithmetic, std::int64_t n, std::int64_t i, std::uint64_t seed);

    // Undef where the system says nothing.
    value::Value operator()(const sare::Expr& expr);
    // Whether a float was met that is too large to be exact, or on its way to infinity.
    bool was_too_large() const { return was_too_large_; }

private:
    value::Value evaluate(const sare::Expr& expr);

    Sizes sizes_;
    std::set<std::string> inputs_;
    interp::InputFunction input_;
    interp::SareInterpreter interpreter_;
    bool was_too_large_ = false;
};

}  // namespace haruspex::validator
