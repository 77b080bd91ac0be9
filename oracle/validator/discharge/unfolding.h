#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "oracle/validator/discharge/translation.h"
#include "oracle/validator/specification/specification.h"

// Unfolds questions for a solver: replaces cells of tensors by their definitions.
namespace haruspex::validator {

// Visits the cells of tensors in the term; shared operators are traversed once.
void for_each_cell(const Term& t, const std::function<void(const Term&)>& visit);

// Returns the term with each of the subterms `old` replaced by `by`.
Term replaced(const Term& t, const std::vector<Term>& old, const Term& by);

// A question, split by a cell's definition: one for each case of the definition, and one for the environments in which
// no equation applies.
struct Split {
    std::vector<Question> cases;
    std::optional<Question> undefined;
};

// Splits the question by the definition of the specification's term if that is a cell of a defined tensor.
Split with_unfolded_head(const Question& question, const Specification& specification);

// Unfolds tensors that only one side of the question mentions, and tensors that are computed from indices alone, and
// adds the question for each case of their definitions. Stops when that becomes too much work.
void unfold(const Question& question, const Specification& specification, std::vector<Question>& questions);
// The same for tensors that only the specification's side mentions, until there are `cases` cases.
void unfold_specification(const Question& question, const Specification& specification, std::size_t cases,
                          std::vector<Question>& questions);

}  // namespace haruspex::validator
