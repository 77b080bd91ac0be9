#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "oracle/refinement/values.h"
#include "oracle/smt/query.h"

// Evaluates terms on sample inputs. A pair that differs on one of them is not worth a proof attempt, and these inputs
// are a counterexample.
namespace haruspex::refinement {

// With exact reals, a sample counts only if no rounding took part in computing it.
class Samples {
public:
    using Inputs = std::map<Term, value::Value>;  // by the input's cell (an atom)

    // Evaluates at most `most_evaluations` operators; after that no difference is found any more.
    Samples(const Values& values, std::uint64_t most_evaluations)
        : values_(values), evaluations_left_(most_evaluations) {}

    // Whether the implementation violates the refinement on one of a few inputs, which are the same for all terms. With
    // exact reals, also true if the values are too far apart to differ by rounding alone.
    bool differ(Term specification, Term implementation, smt::Equality equality);

    // Returns inputs on which the refinement is violated, after at most `rounds` attempts; nullopt if none are found.
    // Given inputs stay fixed; most of the others are small, some at the ends of ranges.
    std::optional<Inputs> difference(Term specification, Term implementation, smt::Equality equality,
                                     std::uint64_t rounds, const Inputs& given);

private:
    struct Result {
        value::Value value;
        bool is_rounded = false;
        // Its definedness might differ without rounding.
        bool has_uncertain_definedness = false;
    };

    bool violates(const Result& specification, const Result& implementation, smt::Equality equality) const;
    bool are_far(const Result& a, const Result& b) const;
    // Evaluates a term, given the results of its operands.
    template <typename Known>
    Result evaluate(Term t, const value::Value* input, const Known& known) const;
    // nullptr if the evaluations are spent.
    const std::vector<Result>* results(Term t);

    const Values& values_;
    std::uint64_t evaluations_left_;
    std::unordered_map<Term, std::vector<Result>> results_;  // on each of the few inputs
};

}  // namespace haruspex::refinement
