#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/smt/abstract_floats.h"
#include "oracle/smt/bit_vectors.h"
#include "oracle/smt/claim.h"
#include "oracle/smt/smtlib.h"
#include "oracle/smt/terms.h"

// Encodes a query as SMT-LIB text. Every term becomes definitions of its value and definedness:
//
//   t7    its value, if it is defined         sorts: bool is Bool, integers are bit-vectors, floats as the query says
//   i7    an integer with that value          instead of t7, for values computed from indices (below)
//   u7    whether it is Undef                 omitted if it never is
//   n7    whether it is Uninit
//
// Sums, products with literals, quotients by literals, comparisons and conversions of embedded indices stay in linear
// integer arithmetic: the bit-vector of an embedded integer is the integer modulo 2^width, which sums and products
// respect. At i32 and i64 the integer of a defined term is exactly its value. The bit-vector is related to the integer,
// bit by bit, only if another operation needs it.
//
// Names from outside are quoted and start with their kind ("|int x|"), so that they cannot clash with others.
namespace haruspex::smt {

// Whether swapping the operands changes nothing that an operation on the result could tell apart: a quotient depends on
// the sign of a zero.
bool commutes(value::BinaryOp op, value::Type type, Floats floats);

class Encoder {
public:
    Encoder(const Terms& terms, const Query& query);

    // Returns a script whose models are the violations of the refinement. Throws Inexpressible.
    Script encode();

    // The symbols whose values must be read from a model, after encode().
    const std::set<std::string, std::less<>>& variables() const { return variables_; }
    const std::vector<Term>& cells() const { return cells_; }
    const std::vector<Term>& atoms() const { return atoms_; }
    // The sort of the constants "c7" and "atom 3 i32", from which a value's bits are read.
    std::string carrier(value::Type type) const;
    int carrier_bits(value::Type type) const;  // of a bit-vector
    // With Floats::abstract at Abstraction::arithmetic; otherwise nullptr.
    const AbstractFloats* floats() const { return floats_ ? &*floats_ : nullptr; }

private:
    struct Image {
        std::string integer;
        // Whether a defined value equals the integer; otherwise it is the integer modulo 2^width.
        bool exact = true;
    };
    struct Encoded {
        value::Type type = value::Type::i32;
        std::string number;  // of the term; the names of its definitions end in it
        std::string value;   // if there is an image: empty until it is needed
        std::string undef = "false";
        std::vector<std::string> undef_disjuncts;  // `undef` is their disjunction; empty if they are not known
        std::string uninit = "false";
        std::optional<Image> image;
        std::optional<value::Value> literal;  // defined
        std::optional<AbstractFloats::Sum> sum;
    };

    Encoded encode_node(Term term);
    Encoded encode_literal(const Literal& n);
    Encoded encode_cell(Term term, const Cell& n);
    Encoded encode_atom(const Atom& n);
    Encoded encode_embed(Term term, const Embed& n);
    Encoded encode_unary(const Unary& n);
    Encoded encode_binary(const Binary& n);
    Encoded encode_select(const Select& n);
    Encoded encode_cast(const Cast& n);
    void define(Term term, Encoded& e);
    static void inherit(Encoded& result, const std::vector<const Encoded*>& operands);
    static std::string bool_binary(value::BinaryOp op, const std::string& a, const std::string& b);

    // --- Values
    std::string sort(value::Type type) const;
    std::string of_carrier(value::Type type, const std::string& text) const;
    std::string literal_text(const value::Value& v);
    bool is_ieee(value::Type type) const;
    bool is_real(value::Type type) const;
    bool is_abstract_float(value::Type type) const;
    AbstractFloats::Operand abstract_operand(Encoded& e);
    Encoded abstract_float_unary(value::UnaryOp op, Encoded& a);
    Encoded abstract_float_binary(value::BinaryOp op, Encoded& a, Encoded& b);
    Encoded abstract_float_cast(value::Type to, Encoded& a);
    // Whether operations on the type are uninterpreted functions.
    bool is_abstract(value::Type type) const;
    const std::string& value_of(Encoded& e);
    std::string same(Encoded& a, Encoded& b);

    // --- Operations on integers that were computed from indices; nullopt for others
    static bool has_image(const Encoded& e) { return e.image || e.literal; }
    static Image image_of(const Encoded& e);
    // The integer that a defined value denotes.
    std::string integer_of(Encoded& e);
    std::optional<Encoded> image_unary(value::UnaryOp op, Encoded& a);
    std::optional<Encoded> image_binary(value::BinaryOp op, Encoded& a, Encoded& b);
    // The value of the type that equals the integer; Undef or wrapped if the integer does not fit.
    static Encoded of_integer(value::Type type, const std::string& integer);
    static std::string fits(value::Type type, const std::string& integer);

    // --- Uninterpreted functions
    std::string uninterpreted(const std::string& name, const std::string& result_sort,
                              const std::vector<Encoded*>& operands, bool commutes);
    Encoded abstract_unary(value::UnaryOp op, Encoded& a);
    Encoded abstract_binary(value::BinaryOp op, Encoded& a, Encoded& b);
    Encoded abstract_cast(value::Type to, Encoded& a);

    // --- Indices
    std::string affine_text(const affine::Affine& a);
    std::string condition_text(const affine::Disjunction& d);
    std::string variable_text(const std::string& name);

    void declare(const std::string& name, const std::string& signature);
    void define(const std::string& name, const std::string& sort, const std::string& text);
    void assert_that(const std::string& condition);
    // Asserts that a term is not Undef.
    void assert_defined(const Encoded& e);
    Encoded& operand(Term term) { return encoded_.at(term.value); }

    const Terms& terms_;
    const Query& query_;
    Script script_;
    std::set<std::string, std::less<>> declared_;
    std::set<std::string, std::less<>> variables_;
    std::vector<Term> cells_;
    std::vector<Term> atoms_;
    std::map<std::uint32_t, Encoded> encoded_;
    std::string number_;  // of the term that is encoded
    std::optional<AbstractFloats> floats_;
    std::map<std::string, std::vector<std::string>> disjuncts_;  // of named texts, if they are known
};

}  // namespace haruspex::smt
