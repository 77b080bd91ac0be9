#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "generators/base/result.h"
#include "oracle/smt/claim.h"
#include "oracle/smt/terms.h"

// The question whether an implementation's term refines a specification's, put to Z3.
namespace haruspex::smt {

struct CellValue {
    std::string tensor;
    int component = 0;
    std::vector<std::int64_t> coordinates;
    value::Value value;  // defined, or Undef
    bool operator==(const CellValue&) const = default;
};
struct AtomValue {
    Atom atom;
    value::Value value;
    bool operator==(const AtomValue&) const = default;
};

// An assignment under which the query fails, as far as its abstraction tells. Covers every variable of the domain and
// of the two terms, and each cell and atom in the terms (cells with the same coordinates once); sorted.
struct Model {
    affine::Assignment variables;
    std::vector<CellValue> cells;
    std::vector<AtomValue> atoms;
    // Both terms evaluated by generators/value under this model.
    value::Value specification = value::Value::undef(value::Type::i32);
    value::Value implementation = value::Value::undef(value::Type::i32);
    // Whether these two actually violate the refinement. Always true for integers at Abstraction::arithmetic and for
    // ieee floats; otherwise the model may be an artefact of the abstraction (reals that no float represents are
    // rounded).
    bool confirmed = false;
};

struct Holds {};
struct Fails {
    std::optional<Model> model;  // nullopt if none was read from the solver
};
// The reason names the spent resource or quotes the solver: "the rlimit of 1000 is spent", "Z3: incomplete", ….
struct Unknown {
    std::string reason;
};

struct Outcome {
    std::variant<Holds, Fails, Unknown> answer;
    std::uint64_t rlimit_spent = 0;  // Z3's own unit of work

    bool holds() const { return std::holds_alternative<Holds>(answer); }
    bool is_unknown() const { return std::holds_alternative<Unknown>(answer); }
    const Model* counterexample() const {
        const auto* fails = std::get_if<Fails>(&answer);
        return fails == nullptr || !fails->model ? nullptr : &*fails->model;
    }
};

// Asks Z3 whether the claim holds. Z3 may spend `rlimit` of its units of work (at most 2^32 - 1) and 2 GB of memory. It
// does not count all of its work, so as a last resort a query is stopped after a minute; it then counts as having spent
// its rlimit. Each query has its own context, so that the outcome depends on the query and Z3's version alone, except
// for the clock.
Outcome refines(const Terms& terms, const Query& query, std::uint64_t rlimit);

// Returns the query as SMT-LIB 2.6 text that Z3 and cvc5 accept: "unsat" means that the refinement holds. Its models
// are those of the question that `refines` asks. An Error if the query cannot be expressed (Floats::real).
[[nodiscard]] Result<std::string> to_smtlib(const Terms& terms, const Query& query);

// Whether two concrete values violate the refinement.
bool violates(const value::Value& specification, const value::Value& implementation, Equality equality);

// "4.8.12"
std::string z3_version();

}  // namespace haruspex::smt
