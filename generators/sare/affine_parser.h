#pragma once

#include <variant>
#include <vector>

#include "generators/sare/syntax.h"
#include "generators/sare/tokens.h"

// Reads indices and conditions (grammar in syntax.h). Whether a bracket holds an index or a condition shows only at its
// end. So one set of rules reads both, and the caller says which of them it expects.
namespace haruspex::sare {

// An occurrence of a variable. The names in scope may be known only later, when the recurrence variables have been
// read.
struct VariableUse {
    std::string name;
    std::size_t offset = 0;
};

class AffineParser {
public:
    explicit AffineParser(Tokens& tokens) : tokens_(tokens) {}

    Index index();
    Condition condition();
    // The occurrences of variables read so far. A caller that closes a scope removes those of the scope's variables.
    std::vector<VariableUse>& uses() { return uses_; }

private:
    struct Term {
        std::variant<Index, Condition> value;
        std::size_t offset = 0;
        int depth = 1;
    };

    Term disjunction();
    Term conjunction();
    Term negation();
    Term comparison();
    Term sum();
    Term product();
    Term prefix();
    Term primary();
    Term call();

    // Return the index or condition that the term is; report an error if it is a term of the other kind.
    Index to_index(Term term);
    Condition to_condition(Term term);
    Term make(std::variant<Index, Condition> value, std::size_t offset, int depth);
    std::int64_t integer(bool negative);
    Term scaled(Term a, Term b);
    std::int64_t divisor(const Term& term);

    Tokens& tokens_;
    std::vector<VariableUse> uses_;
};

}  // namespace haruspex::sare
