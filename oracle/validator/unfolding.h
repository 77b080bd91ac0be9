#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "oracle/validator/specification.h"
#include "oracle/validator/translation.h"

// Questions for a solver, in which tensors give way to what defines them.
namespace haruspex::validator {

// Each cell of a tensor in the term; what the term shares is looked at once.
void for_each_cell(const Term& t, const std::function<void(const Term&)>& visit);

// The term with another in the place of some of its parts.
Term replaced(const Term& t, const std::vector<Term>& old, const Term& by);

// The question in each case of a cell's definition, and where it has none.
struct Split {
    std::vector<Question> cases;
    std::optional<Question> undefined;
};

// By the definition of the specification's term, if that is a cell of a tensor that has one.
Split with_unfolded_head(const Question& question, const Specification& specification);

// Adds the question in all cases of the definitions of those tensors that one of its sides alone mentions, as far as
// that is little work.
void unfold(const Question& question, const Specification& specification, std::vector<Question>& questions);
// The same, of those that the specification's side alone mentions, until there are so many cases.
void unfold_specification(const Question& question, const Specification& specification, std::size_t cases,
                          std::vector<Question>& questions);

}  // namespace haruspex::validator
