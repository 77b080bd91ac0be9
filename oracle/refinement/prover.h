#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "oracle/refinement/polynomials.h"
#include "oracle/refinement/samples.h"
#include "oracle/refinement/values.h"
#include "oracle/refinement/where_defined.h"
#include "oracle/smt/query.h"
#include "oracle/smt/solvers.h"

// Shows that one value refines another: for all inputs, if the specification's value is defined, the implementation's
// is defined and the same.
namespace haruspex::refinement {

struct Effort {
    std::uint64_t rlimit = 500'000;              // of Z3, for each query
    std::uint64_t most_rlimit = 3'000'000;       // for all queries; those about parts of values stop at half of it
    std::uint64_t most_queries = 200;            // likewise
    std::uint64_t most_gates = 8'000;            // of a query (smt/gates.h): Z3 makes them before it counts any work
    std::uint64_t most_evaluations = 2'000'000;  // of operators, on trial inputs
    smt::Solvers solvers = {};
};

class Prover {
public:
    // If `values` has exact reals, a pair in which either term contains floats is compared over real numbers.
    Prover(Values& values, const Effort& effort)
        : values_(values),
          effort_(effort),
          samples_(values, effort.most_evaluations),
          where_defined_(values),
          solvers_(effort.solvers) {}

    // Returns true only if the refinement is shown. The specification's value is not Uninit.
    bool shows(Term specification, Term implementation, smt::Equality equality = smt::Equality::same_result);

    std::uint64_t queries() const { return queries_; }
    std::uint64_t rlimit() const { return rlimit_; }
    const smt::CrossChecks& cross_checks() const { return solvers_.cross_checks(); }
    // After a pair was not shown: searches for inputs on which it differs.
    void refute(Term specification, Term implementation, smt::Equality equality);
    // Why a query about the last pair, or a part of it, was not put to the solver; empty if none was withheld.
    const std::string& beyond() const { return beyond_; }
    // Inputs on which the last refuted pair differs; may be none.
    const std::vector<smt::CellValue>& counterexample() const { return counterexample_; }

private:
    using Pair = std::pair<Term, Term>;
    // A pair of terms, copied into a pool of its own; parts that are cut off become unknowns.
    struct Question {
        smt::Terms terms;
        Term specification, implementation;
        std::vector<std::pair<Term, Term>> leaves;  // its atoms, each with the input cell that it stands for
        bool has_cuts = false;
    };

    // Compares the terms part by part. Asks the solver about parts that are not the same, but only if may_ask_.
    bool is_aligned(Term s, Term i);
    bool is_aligned_anew(Term s, Term i);
    bool is_same_operation(Term s, Term i);
    bool is_same_sum(Term s, Term i);
    bool is_reordered(Term s, Term i, value::BinaryOp op);
    // Whether each term of `s` has its own partner in `i`, and none is left over.
    bool are_paired(const std::vector<Term>& s, std::vector<Term> i);
    bool are_paired(const Polynomial& s, const Polynomial& i);
    bool are_same(const Polynomial& s, const Polynomial& i);
    bool is_same_number(Term s, Term i);
    bool is_same_comparison(smt::Binary s, smt::Binary i);
    // The operands of a chain of this operator; nullopt if there are too many.
    std::optional<std::vector<Term>> operands(Term t, value::BinaryOp op) const;
    // Copies the pair. Cuts off parts that both terms share, `depth_of_cuts` operators below the point where the
    // sharing begins; cuts nothing if that is nullopt. Returns nullopt if the terms are too large.
    std::optional<Question> question(Term s, Term i, std::optional<int> depth_of_cuts) const;
    bool ask(Term s, Term i, smt::Equality equality);
    bool differ(Term s, Term i, smt::Equality equality);
    std::optional<Samples::Inputs> difference(Term s, Term i, smt::Equality equality, std::uint64_t rounds,
                                              const Samples::Inputs& given);
    bool is_real(Term t) const { return values_.has_exact_reals() && values_.has_floats(t); }
    bool is_spent(std::uint64_t part) const {
        return queries_ >= effort_.most_queries / part || rlimit_ >= effort_.most_rlimit / part;
    }
    static std::string shape(const Question& question, bool is_real, smt::Equality equality);
    void note(Samples::Inputs inputs);
    void keep(const smt::Model& model, const Question& question, Term s, Term i, smt::Equality equality);
    smt::Outcome put(const Question& question, bool is_real, smt::Equality equality, std::uint64_t rlimit);

    Values& values_;
    Effort effort_;
    bool may_ask_ = false;
    int depth_ = 0;
    Samples samples_;
    WhereDefined where_defined_;
    smt::SolverSession solvers_;
    std::deque<Samples::Inputs> differences_;        // for parts of pairs that were not shown, latest first
    std::map<std::pair<Pair, bool>, bool> aligned_;  // by pair, and by may_ask_
    std::map<std::pair<Pair, smt::Equality>, bool> asked_;
    std::map<std::string, bool> shapes_;  // of questions: whether they hold
    std::vector<smt::CellValue> counterexample_;
    std::string beyond_;
    std::uint64_t queries_ = 0, rlimit_ = 0;
};

}  // namespace haruspex::refinement
