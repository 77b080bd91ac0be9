#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generators/sare/tokens.h"
#include "harness/sched/rules.h"

// Reads expressions. Whether an operator is one of indices or of values depends on its operands' types. The typing
// rules (rules.h) are therefore applied while reading, and a fault is reported at its place in the text.
namespace haruspex::sched {

// An expression with the types that it may have, and its position.
struct Term {
    Expr expr{Integer{0}};
    Types types = Types::index();
    std::size_t offset = 0;
    int depth = 1;
};

class ExprParser {
public:
    ExprParser(sare::Tokens& tokens, Environment& environment) : tokens_(tokens), environment_(environment) {}

    // Sets the context of the expressions that are read next.
    void enter(Context context) { context_ = context; }

    Term expression();
    // Read the kind of expression that the place requires; report anything else.
    Term index();
    Term condition();
    Term value(value::Type type);
    // Reads indices after an opening bracket, up to and including the closing one.
    std::vector<Term> indices(std::string_view close);

    // "let" name [ lanes ] [ ":" type ] "=" expr, the beginning of a statement or an expression. After let_head() the
    // name is not in scope yet.
    struct LetHead {
        sare::Token at, name;
        std::optional<Lanes> lanes;
        std::optional<value::Type> type;  // for a value-let
        Term value;
        Binding binding() const;
    };
    LetHead let_head();
    // Reads name "<" integer and brings the variable into scope.
    Lanes lanes();
    // Reads the number of a component in brackets; 0 if there are none.
    int component();

    sare::Token name(std::string_view what);
    value::Type type();
    void need(std::size_t offset, const Sound& sound);

private:
    // The facts about an expression's parts that a rule needs.
    struct Premises {
        std::vector<Types> types;
        int depth = 0;
        void add(const Term& term);
    };

    Term binary(int least);
    Term infix(Term a, const sare::Token& op, Term b);
    Term operation(value::BinaryOp op, Term a, Term b, std::size_t offset);
    Term negation();
    Term prefix();
    Term prefixed(const sare::Token& op, Term a);
    Term primary();
    Term word();
    Term literal(const std::string& sign, std::size_t offset);
    Term call();
    Term tensor();
    Term named();
    Term value_variable(const sare::Token& name, bool has_lane);
    Term load(const sare::Token& name);
    Term lane_reduction(value::ReductionOp op);
    Term let_in();
    Term typed();
    // Reads "(" expr "," … ")".
    std::vector<Term> arguments(std::size_t count);

    Setting setting() const { return {Rules::extended, context_}; }
    // Returns the expression with the types that its typing rule gives it. Reports a fault at `at`.
    Term make(Expr expr, const Premises& premises, std::size_t offset, std::size_t at);
    Term make(Expr expr, const Premises& premises, std::size_t offset) {
        return make(std::move(expr), premises, offset, offset);
    }

    sare::Tokens& tokens_;
    Environment& environment_;
    Context context_ = Context::code;
};

// Returns the expressions of the terms.
std::vector<Expr> exprs_of(std::vector<Term> terms);

}  // namespace haruspex::sched
