#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "generators/value/operators.h"

// Expression templates: the expression contexts E with n holes of thesis 5.2 (and 6.2), over the cells of tensors. Each
// hole stands for an affine index. A template's holes are its operands' holes in order, so a template does not depend
// on where it is built. Templates are hash-consed: equal templates have equal ids.
//
//   E ::= T(□, …)                a cell of a tensor of the SARE, with a hole for each dimension
//       | τ<□>                   the value of an index at a type (Embed)
//       | literal | uninit       a defined value or Undef; memory that was not written
//       | unknown                a value without a prophecy
//       | operator(E, …)
namespace haruspex::heap {

struct Template {
    std::uint32_t id = 0;
    auto operator<=>(const Template&) const = default;
};

struct Literal {
    value::Value value;  // defined or Undef
    bool operator==(const Literal&) const = default;
};
// Arbitrary bits; harmless as long as no result depends on them.
struct Uninit {
    bool operator==(const Uninit&) const = default;
};
// A value about which the validator must not claim anything, such as that of a write without a prophecy.
struct Unknown {
    bool operator==(const Unknown&) const = default;
};
struct Cell {
    std::string tensor;
    int component = 0;
    std::size_t rank = 0;
    bool operator==(const Cell&) const = default;
};
struct Embed {
    bool operator==(const Embed&) const = default;
};
struct Unary {
    value::UnaryOp op;
    Template a;
    bool operator==(const Unary&) const = default;
};
struct Binary {
    value::BinaryOp op;
    Template a, b;
    bool operator==(const Binary&) const = default;
};
struct Cast {
    Template a;
    bool operator==(const Cast&) const = default;
};
struct Select {
    Template condition, if_true, if_false;
    bool operator==(const Select&) const = default;
};

struct Node {
    value::Type type = value::Type::i32;
    std::variant<Literal, Uninit, Unknown, Cell, Embed, Unary, Binary, Cast, Select> what;
    bool operator==(const Node&) const = default;
};

// All templates of one validation. Builders fold an operator over literals only, and only if the result is exact and
// defined (a select of three literals always); otherwise a template is what was written.
class Templates {
public:
    Template literal(const value::Value& value);  // not Uninit (ENSURE)
    Template uninit(value::Type type) { return intern({type, Uninit{}}); }
    Template unknown(value::Type type) { return intern({type, Unknown{}}); }
    Template cell(const std::string& tensor, int component, value::Type type, std::size_t rank);
    Template embed(value::Type type) { return intern({type, Embed{}}); }
    // Operand types must fit the operator (ENSURE).
    Template apply(value::UnaryOp op, Template a);
    Template apply(value::BinaryOp op, Template a, Template b);
    Template cast(value::Type to, Template a);
    Template select(Template condition, Template if_true, Template if_false);

    const Node& operator[](Template t) const { return entries_[t.id].node; }
    value::Type type(Template t) const { return entries_[t.id].node.type; }
    std::size_t holes(Template t) const { return entries_[t.id].holes; }
    // Whether the template or a subterm is Uninit; likewise Unknown.
    bool mentions_uninit(Template t) const { return entries_[t.id].mentions_uninit; }
    bool mentions_unknown(Template t) const { return entries_[t.id].mentions_unknown; }
    // The operands, in the order of their holes.
    std::vector<Template> operands(Template t) const;

    // The name of a template's isl tuples, "e17", and the template of such a name (ENSURE).
    static std::string tuple_name(Template t) { return "e" + std::to_string(t.id); }
    static Template of_tuple(const std::string& name);

    // Prints a template in the notation of SAREs, with these texts in its holes.
    std::string to_string(Template t, const std::vector<std::string>& holes) const;

private:
    struct Entry {
        Node node;
        std::size_t holes = 0;
        bool mentions_uninit = false, mentions_unknown = false;
    };
    Template intern(Node node);
    std::string print(Template t, int context, const std::vector<std::string>& holes, std::size_t& next) const;

    std::vector<Entry> entries_;
    std::multimap<std::size_t, std::uint32_t> by_hash_;
};

}  // namespace haruspex::heap
