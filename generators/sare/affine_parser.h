#pragma once

#include <variant>
#include <vector>

#include "generators/sare/syntax.h"
#include "generators/sare/tokens.h"

// Reads indices and conditions (grammar in syntax.h). Only the end of a bracket shows which of the two it holds, so one
// set of rules reads both and the context says which it wants.
namespace haruspex::sare {

// A variable with its position; its scope may be known only later, when the recurrence variables have been read.
struct VariableUse {
    std::string name;
    std::size_t offset = 0;
};

class AffineParser {
public:
    explicit AffineParser(Tokens& tokens) : tokens_(tokens) {}

    Index index();
    Condition condition();
    // All variables read so far; the caller removes those whose scope it closes.
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

    // Converts the term to the wanted kind; reports an error if it is of the other.
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
