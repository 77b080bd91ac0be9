#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "generators/affine/constraints.h"
#include "generators/base/ids.h"
#include "generators/value/operators.h"

// Terms: the computations of cells' values, over integer variables and unknown tensors.
//
//   term ::= literal | op term | term op term | select(term, term, term) | cast<type>(term)
//          | tensor(affine, …)[component]             the value of an unknown tensor at a cell
//          | atom                                     an arbitrary defined value, the same wherever it occurs
//          | embed<type>(affine)                      the value of an integer at a type
//          | guard(disjunction)                       bool: whether the integer variables lie in a set
//          | uninit<type>                             unwritten memory
//
// Their semantics is that of generators/value (evaluate, below): Undef propagates through every operator and both arms
// of a select. So does Uninit, with three exceptions: in an arm that is not chosen, in the condition between two equal
// arms, and beside an operand that alone decides && or ||.
namespace haruspex::smt {

using Term = Id<struct TermTag>;

struct Literal {
    value::Value value;  // in any state
    bool operator==(const Literal&) const = default;
};
struct Unary {
    value::UnaryOp op;
    Term a;
    bool operator==(const Unary&) const = default;
};
struct Binary {
    value::BinaryOp op;
    Term a, b;
    bool operator==(const Binary&) const = default;
};
struct Select {
    Term condition, if_true, if_false;
    bool operator==(const Select&) const = default;
};
struct Cast {
    value::Type to;
    Term a;
    bool operator==(const Cast&) const = default;
};

// Whether the cells of an unknown tensor are all defined (inputs), or each may be Undef (computed tensors that are not
// unfolded).
enum class Definedness : std::uint8_t { always_defined, may_be_undef };

struct Cell {
    std::string tensor;
    int component = 0;
    value::Type type = value::Type::i32;  // like the rank, the same at all cells of a component
    Definedness definedness = Definedness::always_defined;
    std::vector<affine::Affine> indices;
    bool operator==(const Cell&) const = default;
};
struct Atom {
    value::Type type;
    std::uint32_t number = 0;  // atoms of one type and number are one value
    bool operator==(const Atom&) const = default;
};
// Undef if the integer does not fit i32 or i64; other integer types wrap; floats round to nearest even. Not bool.
struct Embed {
    value::Type type;
    affine::Affine index;
    bool operator==(const Embed&) const = default;
};
struct Guard {
    affine::Disjunction condition;
    bool operator==(const Guard&) const = default;
};

using Node = std::variant<Literal, Unary, Binary, Select, Cast, Cell, Atom, Embed, Guard>;

// The pool of all terms of a case, hash-consed: equal terms are the same Term. Terms refer only to earlier ones.
class Terms {
public:
    Term literal(const value::Value& value) { return intern(Literal{value}); }
    Term uninit(value::Type type) { return literal(value::Value::uninit(type)); }
    Term undef(value::Type type) { return literal(value::Value::undef(type)); }
    // The operands' types must fit the operator (ENSURE), here and below.
    Term apply(value::UnaryOp op, Term a) { return intern(Unary{op, a}); }
    Term apply(value::BinaryOp op, Term a, Term b) { return intern(Binary{op, a, b}); }
    Term select(Term condition, Term if_true, Term if_false) { return intern(Select{condition, if_true, if_false}); }
    Term cast(value::Type to, Term a) { return intern(Cast{to, a}); }
    Term cell(Cell cell) { return intern(std::move(cell)); }
    Term atom(value::Type type, std::uint32_t number) { return intern(Atom{type, number}); }
    Term embed(value::Type type, affine::Affine index) { return intern(Embed{type, std::move(index)}); }
    Term guard(affine::Disjunction condition) { return intern(Guard{std::move(condition)}); }
    Term intern(Node node);

    const Node& operator[](Term term) const { return nodes_.at(term.value); }
    value::Type type(Term term) const { return types_.at(term.value); }
    std::size_t size() const { return nodes_.size(); }

private:
    value::Type type_of(const Node& node) const;

    struct Shape {  // of the cells of one component of a tensor
        value::Type type;
        Definedness definedness;
        std::size_t rank;
        bool operator==(const Shape&) const = default;
    };

    std::vector<Node> nodes_;
    std::vector<value::Type> types_;
    std::unordered_multimap<std::size_t, Term> by_hash_;
    std::map<std::pair<std::string, int>, Shape> shapes_;  // by tensor and component
};

// The node's operands, in order.
std::vector<Term> operands(const Node& node);

// All subterms of `roots`, each once, operands before their users.
std::vector<Term> reachable(const Terms& terms, const std::vector<Term>& roots);

// "select((in(x + 1)[0] < 3i32), atom_0_i32, i32<x>)". nullopt if it is longer than `longest`: subterms are shared, and
// a term may be exponentially longer than its definition.
std::optional<std::string> to_string(const Terms& terms, Term term, std::size_t longest = 100'000);

// Values for the variables and unknowns of terms. Both functions must return a value of the requested type.
struct Interpretation {
    affine::Assignment variables;
    std::function<value::Value(const Cell&, const std::vector<std::int64_t>& coordinates)> cell;
    std::function<value::Value(const Atom&)> atom;
};

// The value of the term by value::apply, select and cast. An Error if an index does not fit 64 bits.
[[nodiscard]] Result<value::Value> evaluate(const Terms& terms, Term term, const Interpretation& interpretation);

}  // namespace haruspex::smt
