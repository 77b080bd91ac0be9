#include "oracle/validator/discharge/discharge.h"

#include <algorithm>
#include <span>
#include <utility>

#include "generators/affine/coalesce.h"
#include "generators/affine/convex.h"
#include "generators/affine/emptiness.h"
#include "generators/affine/gist.h"
#include "generators/base/ensure.h"
#include "oracle/refinement/prover.h"
#include "oracle/validator/discharge/alignment.h"
#include "oracle/validator/discharge/common_cells.h"
#include "oracle/validator/discharge/simplify.h"
#include "oracle/validator/discharge/solver_rungs.h"
#include "oracle/validator/discharge/translation.h"
#include "oracle/validator/discharge/unfolding.h"

namespace haruspex::validator {
namespace {

constexpr std::size_t few_cases = 4;
constexpr std::uint64_t many_unfoldings = 150, fewest_unfoldings = 4;

// Whether the specification's side has a known value; a value-let that is read beyond its lanes has none.
bool is_prophesied(const Question& question) {
    return !question.specification->mentions_unknown && !question.specification->mentions_uninit;
}

// Proves an equation, from cheap to expensive, by pieces of both sides: first with little work, on a convex set around
// the environments if these have many parts; then by alignment of the pieces as they are; then by cases of the cells'
// definitions, one by one, and at last by a solver (solver_rungs.h). Each step leaves less to the next, and none undoes
// another.
class EquationProver {
public:
    // `equality`: stored values are computed with, where the sign of a zero matters; in requested cells at the end it
    // does not if zeros are one.
    EquationProver(const Specification& specification, const heap::Templates& templates, const Ladder& ladder,
                   smt::SolverSession& solvers, Sampling* sampling, smt::Equality equality = smt::Equality::same_result)
        : specification_(specification),
          templates_(templates),
          ladder_(ladder),
          solvers_(solvers),
          sampling_(sampling),
          equality_(equality),
          alignment_(alignment(many_unfoldings)),
          common_(specification, compared(ladder.floats), sampling) {
        result_.rung = Rung::alignment;
    }

    Discharge prove(const Equation& equation) {
        const bool checks_all = ladder_.checks_sides || equation.environments.is_empty();
        const isl::set somewhere = checks_all ? equation.environments : isl::set(equation.environments.sample_point());
        const auto pieces_of = [&](const heap::Value& side) {
            std::vector<heap::Piece> pieces = heap::pieces(side.intersect_params(equation.environments));
            isl::set all = affine::nowhere(side.ctx());
            for (const heap::Piece& piece : pieces) { all = all.unite(piece.environments); }
            // For one point the two tests are the same, and isl looks for no divisions.
            ENSURE(checks_all ? somewhere.is_subset(all) : !somewhere.is_disjoint(all),
                   "environments in which an equation has no sides");
            return pieces;
        };
        const std::vector<heap::Piece> is = pieces_of(equation.implementation);
        for (const heap::Piece& s : pieces_of(equation.specification)) {
            for (const heap::Piece& i : is) {
                const isl::set met = s.environments.intersect(i.environments).intersect(equation.environments);
                if (!affine::is_empty(met)) { prove_pieces(s, i, affine::coalesced(met)); }
            }
        }
        return std::move(result_);
    }

    // Tries alignment and rewriting only; returns the rung that shows the equation.
    std::optional<Rung> prove(const OutlinedEquation& equation) {
        const std::optional<Term> implementation = equation.implementation();
        if (!implementation || !equation.environments.is_subset(heap::environments(equation.specification))) {
            return std::nullopt;
        }
        // An outline that is not shown costs little.
        static constexpr Step steps[] = {
            {Rung::alignment, &EquationProver::aligned<fewest_unfoldings>},
            {Rung::rewriting, &EquationProver::rewritten_as_outlined},
            {Rung::alignment, &EquationProver::aligned_wholly},
        };
        for (const heap::Piece& piece : heap::pieces(equation.specification.intersect_params(equation.environments))) {
            const isl::set here = piece.environments.intersect(equation.environments);
            const Term term = term_of(piece, here);
            if (differ(term, *implementation, here) || climb(steps, {here, term, *implementation})) {
                return std::nullopt;
            }
        }
        return result_.rung;
    }

private:
    // An attempt at a question: returns what it leaves of the question, nullopt if it shows all of it.
    using Attempt = std::optional<Question> (EquationProver::*)(const Question&) const;
    struct Step {
        Rung rung;
        Attempt attempt;
    };

    std::optional<Question> climb(std::span<const Step> steps, Question question) {
        for (const Step& step : steps) {
            if (step.rung > ladder_.highest) { continue; }
            std::optional<Question> left = (this->*step.attempt)(question);
            if (!left) {
                result_.rung = std::max(result_.rung, step.rung);
                return std::nullopt;
            }
            question = std::move(*left);
        }
        return question;
    }

    void prove_pieces(const heap::Piece& s, const heap::Piece& i, const isl::set& here) {
        if (may_be_undef_and_uninit(s, i, here)) { return; }
        const std::optional<isl::set> rest = left_by_little_work(s, i, here);
        if (!rest) { return; }
        const Question question{*rest, term_of(s, *rest), term_of(i, *rest)};
        // A caller that asks for arithmetic wants to know what is wrong.
        if (ladder_.highest <= Rung::uninterpreted && differ(question.specification, question.implementation, *rest)) {
            return leave(question, "not equal");
        }
        const isl::set left = alignment_.unproved(question.specification, question.implementation, *rest);
        if (!left.is_empty()) {
            prove_by_cases({affine::coalesced(left), question.specification, question.implementation});
        }
    }

    // Where the specification is Undef, any value is right that is computed from memory that was written.
    bool may_be_undef_and_uninit(const heap::Piece& s, const heap::Piece& i, const isl::set& here) {
        if (!templates_.mentions_uninit(i.expr)) { return false; }
        const Term mine = term_of(s, here);
        if (specification_.is_total(mine)) { return false; }
        const Term theirs = term_of(i, here);
        if (theirs->mentions_uninit) { leave({here, mine, theirs}, "memory not written"); }
        return theirs->mentions_uninit;
    }

    // The environments that little work does not settle; nullopt if there are none. If they have many parts, the work is
    // done for a convex set around them, and with indices in as few pieces: an equation that holds there holds in them.
    std::optional<isl::set> left_by_little_work(const heap::Piece& s, const heap::Piece& i,
                                                const isl::set& environments) {
        // Before tensors are unfolded again and again, the algebra of the definition's operators may be enough.
        static constexpr Step steps[] = {
            {Rung::alignment, &EquationProver::aligned<fewest_unfoldings>},
            {Rung::rewriting, &EquationProver::rewritten_by_definition},
        };
        const bool is_one = environments.n_basic_set() == 1;
        const isl::set around = is_one ? environments : affine::surrounding(environments);
        isl::set have_values = around;
        // The reads of an array share indices.
        std::vector<std::pair<isl::pw_aff, isl::pw_aff>> known;
        const auto extended = [&](const isl::pw_aff& hole) {
            const auto before = std::ranges::find_if(
                known, [&](const auto& pair) { return static_cast<bool>(pair.first.plain_is_equal(hole)); });
            if (before != known.end()) { return before->second; }
            const isl::pw_aff made = affine::extended(hole, environments, around);
            have_values = have_values.intersect(made.domain());
            known.emplace_back(hole, made);
            return made;
        };
        const auto instance = [&](const heap::Piece& piece) {
            if (is_one) { return instantiate(templates_, piece.expr, simplified_holes(piece.holes, environments)); }
            std::vector<isl::pw_aff> holes;
            for (const isl::pw_aff& hole : piece.holes) { holes.push_back(extended(hole)); }
            return instantiate(templates_, piece.expr, holes);
        };
        const Term mine = instance(s), theirs = instance(i);
        const auto rest = climb(steps, {have_values, simplified(mine, have_values), simplified(theirs, have_values)});
        if (!rest) { return std::nullopt; }
        const isl::set left =
            is_one ? rest->environments : affine::coalesced(rest->environments.intersect(environments));
        return left.is_empty() ? std::nullopt : std::optional(left);
    }

    void prove_by_cases(const Question& question) {
        static constexpr Step steps[] = {
            {Rung::alignment, &EquationProver::aligned<many_unfoldings>},
            {Rung::alignment, &EquationProver::in_common_cells},
            {Rung::rewriting, &EquationProver::rewritten},
        };
        if (question.implementation->mentions_unknown || !is_prophesied(question)) {
            return leave(question, "no prophecy");
        }
        if (question.implementation->mentions_uninit) { return leave(question, "memory not written"); }
        std::vector<Question> questions;
        const Split heads = with_unfolded_head(question, specification_);
        if (heads.undefined) { questions.push_back(*heads.undefined); }
        for (const Question& q : heads.cases) { unfold(common_.in_cells(q), specification_, questions); }
        for (const Question& q : questions) {
            const auto left = climb(steps, {q.environments, simplified(q.specification, q.environments),
                                            simplified(q.implementation, q.environments)});
            if (!left) { continue; }
            if (auto unshown = ask_solver(*left, specification_, ladder_, equality_, solvers_, result_)) {
                leave(*left, std::move(unshown->reason), std::move(unshown->model));
            }
        }
    }

    void leave(const Question& question, std::string reason, std::optional<smt::Model> model = {}) {
        result_.remainders.push_back({question.environments, question.specification, question.implementation,
                                      std::move(reason), std::move(model)});
    }

    template <std::uint64_t most_unfoldings>
    std::optional<Question> aligned(const Question& question) const {
        const isl::set left = affine::coalesced(unaligned(question, most_unfoldings));
        if (left.is_empty()) { return std::nullopt; }
        return Question{left, question.specification, question.implementation};
    }

    std::optional<Question> aligned_wholly(const Question& question) const {
        if (unaligned(question, many_unfoldings).is_empty()) { return std::nullopt; }
        return question;
    }

    std::optional<Question> in_common_cells(const Question& question) const { return common_.in_cells(question); }

    std::optional<Question> rewritten(const Question& question) const {
        if (is_rewritten(question)) { return std::nullopt; }
        return question;
    }

    std::optional<Question> rewritten_by_definition(const Question& question) const {
        const bool may_be = !question.implementation->mentions_unknown && !question.implementation->mentions_uninit &&
                            is_prophesied(question);
        if (!may_be) { return question; }
        const Split heads = with_unfolded_head(question, specification_);
        const bool is_shown = !heads.undefined && std::ranges::all_of(heads.cases, [&](const Question& q) {
            const Question now{q.environments, simplified(q.specification, q.environments), q.implementation};
            if (is_rewritten(now)) { return true; }
            const Question common = common_.in_cells(now);
            const bool is_another =
                common.specification != now.specification || common.implementation != now.implementation;
            return is_another && is_rewritten(common);
        });
        if (is_shown) { return std::nullopt; }
        return question;
    }

    std::optional<Question> rewritten_as_outlined(const Question& question) const {
        if (!is_prophesied(question)) { return question; }
        const Split heads = with_unfolded_head(question, specification_);
        if (heads.undefined) { return question; }
        std::vector<Question> questions;
        for (const Question& head : heads.cases) { unfold_specification(head, specification_, few_cases, questions); }
        // With many cases, an outline keeps the reads apart, and alignment finds them one by one.
        if (questions.size() > few_cases) { return question; }
        const bool is_shown = std::ranges::all_of(questions, [&](const Question& q) {
            const auto common =
                common_.in_reads({q.environments, simplified(q.specification, q.environments), q.implementation});
            return common && (is_rewritten(*common) || is_rewritten(common_.in_cells(*common)));
        });
        if (is_shown) { return std::nullopt; }
        return question;
    }

    bool is_rewritten(const Question& question) const {
        constexpr std::size_t most_terms = 100'000;
        const refinement::Effort without_solver{.most_queries = 0};
        const Translation asked = without_indices(question, specification_, Embedded::numbers);
        refinement::Values values(most_terms, ladder_.floats == Floats::real, ladder_.floats == Floats::abstract);
        try {
            const auto sides = refinement::copied(asked.terms, {asked.specification, asked.implementation}, values);
            refinement::Prover prover(values, without_solver);
            return prover.shows(sides[0], sides[1], equality_);
        } catch (const refinement::TooManyTerms&) { return false; }
    }

    Alignment alignment(std::uint64_t most_unfoldings) const {
        return {specification_, compared(ladder_.floats), most_unfoldings, sampling_};
    }
    isl::set unaligned(const Question& question, std::uint64_t most_unfoldings) const {
        return alignment(most_unfoldings)
            .unproved(question.specification, question.implementation, question.environments);
    }
    bool differ(const Term& s, const Term& i, const isl::set& environments) const {
        return sampling_ != nullptr && sampling_->differ(s, i, environments);
    }

    Term simplified(const Term& t, const isl::set& environments) const {
        return validator::simplified(t, environments, specification_);
    }
    // The piece's term in these environments, on which it is defined.
    Term term_of(const heap::Piece& piece, const isl::set& environments) const {
        return simplified(instantiate(templates_, piece.expr, simplified_holes(piece.holes, environments)),
                          environments);
    }

    // Drops conditions of the indices that the environments imply.
    static std::vector<isl::pw_aff> simplified_holes(std::vector<isl::pw_aff> holes, const isl::set& environments) {
        for (isl::pw_aff& hole : holes) {
            ENSURE(environments.is_subset(hole.domain()), "a template's hole has a value wherever the template is");
            hole = affine::narrowed(hole, environments);
            if (!hole.isa_aff()) { hole = affine::coalesced(affine::gist(hole, environments)); }
        }
        return holes;
    }

    const Specification& specification_;
    const heap::Templates& templates_;
    const Ladder& ladder_;
    smt::SolverSession& solvers_;
    Sampling* sampling_;
    smt::Equality equality_;
    Alignment alignment_;  // of pieces as they are; it remembers what was asked
    CommonCells common_;
    Discharge result_;
};

}  // namespace

std::optional<Rung> shows_outline(const Obligation& obligation, const Specification& specification,
                                  const heap::Templates& templates, const Ladder& ladder, smt::SolverSession& solvers,
                                  Sampling* sampling) {
    if (!obligation.outline) { return std::nullopt; }
    return EquationProver(specification, templates, ladder, solvers, sampling).prove(*obligation.outline);
}

Discharge discharge(const Obligation& obligation, const Specification& specification, const heap::Templates& templates,
                    const Ladder& ladder, smt::SolverSession& solvers, Sampling* sampling) {
    if (obligation.equation) {
        const bool ignores_sign_of_zero = ladder.ignores_sign_of_zero && obligation.kind == Kind::coverage;
        const auto equality = ignores_sign_of_zero ? smt::Equality::same_number : smt::Equality::same_result;
        return EquationProver(specification, templates, ladder, solvers, sampling, equality)
            .prove((*obligation.equation)());
    }
    Discharge result;
    const isl::set violations = (*obligation.violations)();
    if (!violations.is_empty()) { result.violations = violations; }
    return result;
}

}  // namespace haruspex::validator
