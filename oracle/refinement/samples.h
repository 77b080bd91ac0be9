#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "oracle/refinement/values.h"
#include "oracle/smt/query.h"

// What terms are on some inputs. Two that differ there are not worth a proof, and inputs on which they do are a
// counterexample.
namespace haruspex::refinement {

// Of floats as real numbers only that counts which no rounding has a part in.
class Samples {
public:
    using Inputs = std::map<Term, value::Value>;  // by the input's cell (an atom)

    // So many operators are evaluated; after them nothing differs any more.
    Samples(const Values& values, std::uint64_t most_evaluations)
        : values_(values), evaluations_left_(most_evaluations) {}

    // Whether the implementation does not refine the specification on one of a few inputs, the same for all terms; of
    // real numbers, or is so far off that it seems so.
    bool differ(Term specification, Term implementation, smt::Equality equality);

    // Inputs on which it does not, of so many that are tried; nothing when none is found. Those that are given stay as
    // they are; most of the others are small, some at the ends of ranges.
    std::optional<Inputs> difference(Term specification, Term implementation, smt::Equality equality,
                                     std::uint64_t rounds, const Inputs& given);

private:
    struct Result {
        value::Value value;
        bool is_rounded = false;
        // Whether it is defined might be another matter without rounding.
        bool is_doubtful = false;
    };

    bool violates(const Result& specification, const Result& implementation, smt::Equality equality) const;
    bool are_far(const Result& a, const Result& b) const;
    // Of a term whose operands' results are known.
    template <typename Known>
    Result evaluate(Term t, const value::Value* input, const Known& known) const;
    // Nothing when the evaluations are spent.
    const std::vector<Result>* results(Term t);

    const Values& values_;
    std::uint64_t evaluations_left_;
    std::unordered_map<Term, std::vector<Result>> results_;  // on each of the few inputs
};

}  // namespace haruspex::refinement
