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
#include "oracle/validator/specification/specification.h"
#include "oracle/validator/terms/term.h"

// Random systems, and expressions over their tensors: as terms, which are compared, and as values, which check the
// comparison. Expressions are over the parameters N and i.
namespace haruspex::validator {

// The numbers used: all types and every special value; or f64s so few and small that no operation rounds; or f64s whose
// sums and products round, without NaNs and infinities.
enum class Arithmetic : std::uint8_t { machine, exact, rounded };

// Draws a system with inputs of every type; tensors that are recurrent, defined by cases or have two components; and
// random tensors.
sare::Sare random_system(Choices& choices, Arithmetic arithmetic);

class RandomExprs {
public:
    RandomExprs(Choices& choices, const sare::Sare& sare, Arithmetic arithmetic)
        : choices_(choices), sare_(sare), arithmetic_(arithmetic) {}

    value::Type type();
    sare::Expr expr(value::Type type, int depth);
    // Rewrites an expression, mostly to an equal one: exchanges and regroups operands, unfolds tensors, rewrites
    // indices, wraps selects. Sometimes the value changes; with `changed` more often.
    sare::Expr rewritten(const sare::Expr& expr, bool changed);
    // Allows these variables; for the right-hand sides of tensors.
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

// The input of rank 0 whose accesses stand for memory that was not written: "uninit u8".
std::string uninit_name(value::Type type);

// Converts an expression to a term.
Term term_of(const sare::Expr& expr, const Specification& specification);

// Evaluates expressions at sizes N and i, on inputs drawn from the seed.
class Values {
public:
    Values(const sare::Sare& sare, Arithmetic arithmetic, std::int64_t n, std::int64_t i, std::uint64_t seed);

    // Undef where the system defines nothing.
    value::Value operator()(const sare::Expr& expr);
    // Whether a float was too large to be exact, or to stay finite.
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
