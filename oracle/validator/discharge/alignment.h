#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "oracle/validator/discharge/sampling.h"
#include "oracle/validator/specification/specification.h"
#include "oracle/validator/terms/term.h"
#include "oracle/verdict/validation.h"

// The second rung of discharge (discharge.h): shows that two terms are equal after unfolding tensors, aligning the
// indices of their cells with isl, and ordering the operands of commutative and associative operators.
namespace haruspex::validator {

class Alignment {
public:
    // If `floats` are real numbers, operations do not round, and zeros have no sign. At most `most_unfoldings` tensor
    // cells are unfolded for one question (and `allowance_` more); none if the sampling sees that the terms differ.
    Alignment(const Specification& specification, verdict::Floats floats, std::uint64_t most_unfoldings = 150,
              Sampling* sampling = nullptr)
        : specification_(specification), floats_(floats), most_unfoldings_(most_unfoldings), sampling_(sampling) {}

    // Returns the environments in which it is not shown that the implementation's term refines the specification's:
    // that it is defined and the same (value::same_result; value::same_number unless floats are IEEE's) wherever the
    // specification's is defined.
    isl::set unproved(const Term& specification, const Term& implementation, const isl::set& environments);

private:
    // The depth of a comparison, and the number of unfoldings that made no progress. Beyond the limits the comparison
    // is given up, and shows nothing.
    struct Depth {
        int operators = 0, stalled = 0;
        Depth below() const { return {operators + 1, 0}; }
        Depth unfolded(int cost) const { return {operators, stalled + cost}; }
        Depth below_stalled(int cost) const { return {operators + 1, stalled + cost}; }
        // Whether a comparison that fails at this depth also fails at the other one.
        bool covers(const Depth& other) const { return operators <= other.operators && stalled <= other.stalled; }
    };
    // A question and its answer. Keeps the terms alive, whose addresses are the keys of asked_.
    struct Asked {
        Term specification, implementation;
        isl::set environments;
        Depth depth;
        isl::set unproved;
    };
    using Operands = std::vector<Term>;

    isl::set prove(const Term& s, const Term& i, const isl::set& left, Depth depth);
    isl::set prove_anew(const Term& s, const Term& i, isl::set left, Depth depth);
    isl::set prove_operands(const Term& s, const Term& i, const isl::set& left, Depth depth);
    isl::set prove_neutral(const Term& s, const Term& i, const isl::set& left, Depth depth);
    isl::set prove_selection(const Term& s, const Term& i, const isl::set& left, Depth depth);
    bool cancels(value::BinaryOp op, const Term& s, const Term& i, const isl::set& left) const;
    std::size_t cancel(value::BinaryOp op, Operands& s, Operands& i, const isl::set& left) const;
    std::size_t cancel_multisets(Operands& s, Operands& i, const isl::set& left) const;
    std::size_t cancel_sets(Operands& s, Operands& i, const isl::set& left) const;
    isl::set prove_associative(value::BinaryOp op, Operands s, Operands i, const isl::set& left, Depth depth);
    isl::set prove_unfolded(const Term& s, const Term& i, const isl::set& left, Depth depth);
    // Calls `prove_case` for each case of the cell's definition, with the environments in which the case applies;
    // returns the environments that some call leaves unproved.
    isl::set unfold(const term::Cell& cell, const isl::set& left,
                    const std::function<isl::set(const Term& value, const isl::set& here)>& prove_case);
    std::set<value::BinaryOp> associative_operators(const Term& s, const Term& i) const;
    bool is_aligned(const Term& s, const Term& i, const isl::set& where) const;
    bool is_real() const { return floats_ == verdict::Floats::real; }
    // Minima and maxima of floats commute, too, unless floats are IEEE's, whose NaNs and signs of zero distinguish the
    // operands.
    bool commutes(const term::Binary& binary) const {
        return value::is_commutative(binary.op, binary.a->type, floats_ != verdict::Floats::ieee);
    }

    const Specification& specification_;
    verdict::Floats floats_;
    std::uint64_t most_unfoldings_;
    Sampling* sampling_;
    std::uint64_t unfoldings_ = 0;
    // Extra unfoldings: the largest number of operands of two chains that were compared, since each unfolding may
    // cancel one operand.
    std::uint64_t allowance_ = 0;
    std::map<std::pair<const TermNode*, const TermNode*>, std::vector<Asked>> asked_;
};

// Whether the two lists of indices are the same in all of these environments.
bool have_same_values(const std::vector<isl::pw_aff>& a, const std::vector<isl::pw_aff>& b, const isl::set& where);

}  // namespace haruspex::validator
