#pragma once

#include <isl/cpp.h>

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "generators/affine/sets.h"
#include "generators/value/operators.h"
#include "oracle/heap/heap.h"

// Values in the form in which they are compared: trees over cells of tensors, whose indices are isl expressions over
// the parameters.
namespace haruspex::validator {

struct TermNode;
using Term = std::shared_ptr<const TermNode>;

namespace term {
struct Literal {
    value::Value value;  // defined or Undef
};
struct Uninit {};
struct Unknown {};
// Whether the environment lies in a set; a bool.
struct Truth {
    isl::set condition;
};
struct Cell {
    std::string tensor;
    int component = 0;
    std::vector<isl::pw_aff> indices;
};
struct Embed {
    isl::pw_aff index;
};
struct Unary {
    value::UnaryOp op;
    Term a;
};
struct Binary {
    value::BinaryOp op;
    Term a, b;
};
struct Cast {
    Term a;
};
struct Select {
    Term condition, if_true, if_false;
};
// In the environments of a case, the value of that case; unknown elsewhere. Only outlines (outline.h) have choices.
struct Choice {
    struct Case {
        isl::set environments;  // those of two cases are disjoint
        Term value;
    };
    std::vector<Case> cases;
};
}  // namespace term

struct TermNode {
    value::Type type;
    std::variant<term::Literal, term::Uninit, term::Unknown, term::Truth, term::Cell, term::Embed, term::Unary,
                 term::Binary, term::Cast, term::Select, term::Choice>
        what;
    bool mentions_uninit = false;
    bool mentions_unknown = false;
};

// Builders. Operand types must fit (ENSURE). Operators on literals and truths are folded where nothing is rounded;
// other terms are put into canonical form.
Term make_literal(const value::Value& value);
Term make_truth(const isl::set& condition);
Term make_cell(const std::string& tensor, int component, value::Type type, std::vector<isl::pw_aff> indices);
Term make_embed(value::Type type, const isl::pw_aff& index);
Term make_unary(value::UnaryOp op, const Term& a);
Term make_binary(value::BinaryOp op, const Term& a, const Term& b);
Term make_cast(value::Type to, const Term& a);
Term make_select(const Term& condition, const Term& if_true, const Term& if_false);
Term make_choice(value::Type type, std::vector<term::Choice::Case> cases);

// Canonical forms of expressions that compilers write in several ways, by the rules of oracle/rewrite that term.cpp
// lists. Each rule is an equation that holds for all operands, Undef and Uninit included. nullopt: no rule applies.
std::optional<Term> canonical_unary(value::UnaryOp op, const Term& a);
std::optional<Term> canonical_binary(value::BinaryOp op, const Term& a, const Term& b);
std::optional<Term> canonical_cast(value::Type to, const Term& a);
std::optional<Term> canonical_select(const Term& condition, const Term& if_true, const Term& if_false);

// Fills the holes of a template with indices.
Term instantiate(const heap::Templates& templates, heap::Template expr, const std::vector<isl::pw_aff>& holes);

template <typename Kind>
const Kind* as(const Term& t) {
    return std::get_if<Kind>(&t->what);
}

// The range of an integer type; of u64, the part that fits an i64.
affine::Interval integers_of(value::Type type);

// Whether both are cells of one component, and isl writes all their indices alike.
bool is_written_alike(const term::Cell& a, const term::Cell& b);

// The operands, in order.
std::vector<Term> operands(const Term& t);

// Prints a term: "in(x + 1) + 2i32". A longer text is cut off after at least `most` characters.
std::string to_string(const Term& t, std::size_t most = std::string::npos);

}  // namespace haruspex::validator
