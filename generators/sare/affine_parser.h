#pragma once

#include <variant>
#include <vector>

#include "generators/sare/syntax.h"
#include "generators/sare/tokens.h"

// Reads indices and conditions (grammar in syntax.h). Which of the two a bracket holds shows only at its end, so both
// are read by one set of rules and the context says which it wants.
namespace haruspex::sare {

// A variable where it stands; its scope may be known only later, when the recurrence variables have been read.
struct VariableUse {
    std::string name;
    std::size_t offset = 0;
};

class AffineParser {
public:
    explicit AffineParser(Tokens& tokens) : tokens_(tokens) {}

    Index index();
    Condition condition();
    // All variables read so far; the caller takes out those whose scope it closes.
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

    // The term as what is wanted here; reports what was found instead.
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
