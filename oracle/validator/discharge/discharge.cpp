#include "oracle/validator/discharge/discharge.h"

#include <algorithm>
#include <unordered_set>

#include "generators/affine/coalesce.h"
#include "generators/affine/convex.h"
#include "generators/affine/emptiness.h"
#include "generators/affine/gist.h"
#include "generators/base/ensure.h"
#include "oracle/refinement/prover.h"
#include "oracle/smt/cvc5.h"
#include "oracle/smt/gates.h"
#include "oracle/validator/discharge/simplify.h"
#include "oracle/validator/discharge/translation.h"
#include "oracle/validator/discharge/unfolding.h"

namespace haruspex::validator {
namespace {

constexpr std::uint64_t cheap_rlimit = 200'000;
constexpr std::size_t few_cases = 4;
constexpr std::uint64_t many_unfoldings = 150, few_unfoldings = 10, fewest_unfoldings = 4;

// Proves an equation, from cheap to expensive. By pieces of both sides: alignment with few unfoldings, on a convex set
// around the environments if these have many parts (left_soon), then with many unfoldings. For the rest: the cells'
// definitions are unfolded one by one, and each case is aligned once more (ask), put to the simplifier of
// oracle/refinement without indices, and then to a solver without indices and with them (solve). Each step leaves less
// to the next, and none undoes another.
class EquationProver {
public:
    EquationProver(const Specification& specification, const heap::Templates& templates, const Ladder& ladder,
                   Sampling* sampling)
        : specification_(specification), templates_(templates), ladder_(ladder), sampling_(sampling) {}

    // `equality`: stored values are computed with, where the sign of a zero matters; in requested cells at the end it
    // does not if zeros are one.
    Discharge prove(const Equation& equation, smt::Equality equality) {
        equality_ = equality;
        result_.rung = Rung::alignment;
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
        Alignment alignment = this->alignment();
        const std::vector<heap::Piece> is = pieces_of(equation.implementation);
        for (const heap::Piece& s : pieces_of(equation.specification)) {
            for (const heap::Piece& i : is) {
                const isl::set met = s.environments.intersect(i.environments).intersect(equation.environments);
                if (affine::is_empty(met)) { continue; }
                const isl::set here = affine::coalesced(met);
                if (may_be_undef_and_uninit(s, i, here)) { continue; }
                const isl::set soon = left_soon(s, i, here);
                if (soon.is_empty()) { continue; }
                const Term mine = simplified(instantiate(templates_, s.expr, simplified(s.holes, soon)), soon);
                const Term theirs = simplified(instantiate(templates_, i.expr, simplified(i.holes, soon)), soon);
                // A caller that asks for arithmetic wants to know what is wrong.
                if (ladder_.highest <= Rung::uninterpreted && differ(mine, theirs, soon)) {
                    leave({soon, mine, theirs}, "not equal");
                    continue;
                }
                const isl::set left = alignment.unproved(mine, theirs, soon);
                if (!left.is_empty()) { ask({affine::coalesced(left), mine, theirs}); }
            }
        }
        return std::move(result_);
    }

    // Tries alignment and rewriting only; returns the rung that shows the equation.
    std::optional<Rung> prove(const OutlinedEquation& equation) const {
        const std::optional<Term> implementation = equation.implementation();
        if (!implementation || !equation.environments.is_subset(heap::environments(equation.specification))) {
            return std::nullopt;
        }
        Rung highest = Rung::alignment;
        for (const heap::Piece& piece : heap::pieces(equation.specification.intersect_params(equation.environments))) {
            const isl::set here = piece.environments.intersect(equation.environments);
            const Term term = simplified(instantiate(templates_, piece.expr, simplified(piece.holes, here)), here);
            if (differ(term, *implementation, here)) { return std::nullopt; }
            const isl::set left = affine::coalesced(unaligned({here, term, *implementation}, fewest_unfoldings));
            if (left.is_empty()) { continue; }
            const Question question{left, term, *implementation};
            if (is_rewritten_as_outlined(question)) {
                highest = Rung::rewriting;
            } else if (!unaligned(question, many_unfoldings).is_empty()) {
                return std::nullopt;
            }
        }
        return highest;
    }

private:
    // Drops conditions of the indices that the environments imply.
    static std::vector<isl::pw_aff> simplified(std::vector<isl::pw_aff> holes, const isl::set& environments) {
        for (isl::pw_aff& hole : holes) {
            ENSURE(environments.is_subset(hole.domain()), "a template's hole has a value wherever the template is");
            hole = affine::narrowed(hole, environments);
            if (!hole.isa_aff()) { hole = affine::coalesced(affine::gist(hole, environments)); }
        }
        return holes;
    }

    Alignment alignment(std::uint64_t most_unfoldings = many_unfoldings) const {
        return {specification_, ladder_.floats, most_unfoldings, sampling_};
    }

    bool differ(const Term& s, const Term& i, const isl::set& environments) const {
        return sampling_ != nullptr && sampling_->differ(s, i, environments);
    }

    isl::set unaligned(const Question& question, std::uint64_t most_unfoldings) const {
        return alignment(most_unfoldings)
            .unproved(question.specification, question.implementation, question.environments);
    }

    // Where the specification is Undef, any value is right that is computed from memory that was written.
    bool may_be_undef_and_uninit(const heap::Piece& s, const heap::Piece& i, const isl::set& here) {
        if (!templates_.mentions_uninit(i.expr)) { return false; }
        const Term mine = simplified(instantiate(templates_, s.expr, simplified(s.holes, here)), here);
        if (specification_.is_total(mine)) { return false; }
        const Term theirs = simplified(instantiate(templates_, i.expr, simplified(i.holes, here)), here);
        if (theirs->mentions_uninit) { leave({here, mine, theirs}, "memory not written"); }
        return theirs->mentions_uninit;
    }

    Term simplified(const Term& t, const isl::set& environments) const {
        return validator::simplified(t, environments, specification_);
    }

    void leave(const Question& question, std::string reason, std::optional<smt::Model> model = {}) {
        result_.remainders.push_back({question.environments, question.specification, question.implementation,
                                      std::move(reason), std::move(model)});
    }

    // Whether the specification's side has a known value; a value-let that is read beyond its lanes has none.
    static bool is_foretold(const Question& question) {
        return !question.specification->mentions_unknown && !question.specification->mentions_uninit;
    }

    void ask(const Question& question) {
        if (question.implementation->mentions_unknown || !is_foretold(question)) {
            return leave(question, "no prophecy");
        }
        if (question.implementation->mentions_uninit) { return leave(question, "memory not written"); }
        std::vector<Question> questions;
        const Split heads = with_unfolded_head(question, specification_);
        if (heads.undefined) { questions.push_back(*heads.undefined); }
        for (const Question& q : heads.cases) { unfold(with_common_cells(q), specification_, questions); }
        for (const Question& q : questions) {
            // The unfolded terms may align as they are.
            Question left{q.environments, simplified(q.specification, q.environments),
                          simplified(q.implementation, q.environments)};
            left.environments =
                affine::coalesced(alignment().unproved(left.specification, left.implementation, q.environments));
            if (!left.environments.is_empty()) { solve(with_common_cells(left)); }
        }
    }

    // The question with each cell that refines one of the specification, in all the environments, replaced by that one.
    // Where the specification's cell is Undef, so is everything computed from it, and nothing has to be shown.
    Question with_common_cells(Question question) const {
        std::vector<Term> all, mine, theirs;
        for_each_cell(question.specification, [&](const Term& cell) { all.push_back(cell); });
        for_each_cell(question.implementation, [&](const Term& cell) { theirs.push_back(cell); });
        for (const Term& s : all) {
            if (std::ranges::any_of(mine, [&](const Term& m) { return is_one_cell(s, m); })) { continue; }
            const auto other = std::ranges::find_if(mine, [&](const Term& m) {
                return refines(s, m, question.environments) && refines(m, s, question.environments);
            });
            if (other == mine.end()) {
                mine.push_back(s);
            } else {
                question.specification = replaced(question.specification, {s}, *other);
            }
        }
        for (const Term& i : theirs) {
            if (std::ranges::any_of(mine, [&](const Term& m) { return is_one_cell(i, m); })) { continue; }
            const auto common =
                std::ranges::find_if(mine, [&](const Term& s) { return refines(s, i, question.environments); });
            if (common != mine.end()) { question.implementation = replaced(question.implementation, {i}, *common); }
        }
        return question;
    }

    static bool is_one_cell(const Term& s, const Term& i) {
        return is_written_alike(*as<term::Cell>(s), *as<term::Cell>(i));
    }

    // Whether one cell refines another, with few unfoldings. False for cells of inputs: translation sees whether they
    // are equal, and cells that copy them are unfolded.
    bool refines(const Term& s, const Term& i, const isl::set& environments) const {
        const std::string &from = as<term::Cell>(s)->tensor, &to = as<term::Cell>(i)->tensor;
        const bool may_be_same = specification_.depends(from, to) || specification_.depends(to, from);
        const bool is_input = specification_.is_input(from) || specification_.is_input(to);
        if (s->type != i->type || !may_be_same || is_input) { return false; }
        return !differ(s, i, environments) && unaligned({environments, s, i}, few_unfoldings).is_empty();
    }

    // The question of an outline with each read that may find several expressions replaced by a cell of the
    // specification's term that it refines. nullopt if one refines none.
    std::optional<Question> with_common_reads(Question question) const {
        std::vector<Term> cells, reads;
        for_each_cell(question.specification, [&](const Term& cell) { cells.push_back(cell); });
        collect_choices(question.implementation, reads);
        for (const Term& read : reads) {
            const auto found = std::ranges::find_if(cells, [&](const Term& cell) {
                return cell->type == read->type && !differ(cell, read, question.environments) &&
                       unaligned({question.environments, cell, read}, few_unfoldings).is_empty();
            });
            if (found == cells.end()) { return std::nullopt; }
            question.implementation = replaced(question.implementation, {read}, *found);
        }
        return question;
    }

    static void collect_choices(const Term& t, std::vector<Term>& choices) {
        std::unordered_set<const TermNode*> seen;
        const auto look = [&](const auto& self, const Term& part) -> void {
            if (!seen.insert(part.get()).second) { return; }
            if (as<term::Choice>(part) != nullptr) { return choices.push_back(part); }
            for (const Term& operand : operands(part)) { self(self, operand); }
        };
        look(look, t);
    }

    bool is_rewritten_as_outlined(const Question& question) const {
        if (ladder_.highest < Rung::rewriting || !is_foretold(question)) { return false; }
        const Split heads = with_unfolded_head(question, specification_);
        if (heads.undefined) { return false; }
        std::vector<Question> questions;
        for (const Question& head : heads.cases) { unfold_specification(head, specification_, few_cases, questions); }
        // With many cases, an outline keeps the reads apart, and alignment finds them one by one.
        if (questions.size() > few_cases) { return false; }
        return std::ranges::all_of(questions, [&](const Question& q) {
            const auto common =
                with_common_reads({q.environments, simplified(q.specification, q.environments), q.implementation});
            return common && (is_rewritten(*common) || is_rewritten(with_common_cells(*common)));
        });
    }

    // Asks without indices first: with them, easy equations about bit-vectors are beyond a solver.
    void solve(const Question& question) {
        if (ladder_.highest >= Rung::rewriting && is_rewritten(question)) {
            result_.rung = std::max(result_.rung, Rung::rewriting);
            return;
        }
        if (ladder_.highest < Rung::uninterpreted) { return leave(question, "not equal without a solver"); }
        const bool has_arithmetic = ladder_.highest >= Rung::arithmetic;
        const std::uint64_t cheap = std::min(cheap_rlimit, ladder_.smt_rlimit);
        const Translation opaque = without_indices(question, specification_, Embedded::opaque);
        if (put(opaque, Rung::uninterpreted, cheap).holds()) { return; }
        if (has_arithmetic) {
            const Translation numbers = without_indices(question, specification_, Embedded::numbers);
            // An equation of integers may need no more of floats than that the same operations give the same results.
            if (has_floats(numbers.terms, {numbers.specification, numbers.implementation}) &&
                put(numbers, Rung::arithmetic, ladder_.smt_rlimit, smt::Floats::uninterpreted).holds()) {
                return;
            }
            if (put(numbers, Rung::arithmetic, ladder_.smt_rlimit).holds()) { return; }
        }
        const Translation exact = with_indices(question, specification_);
        if (put(exact, Rung::uninterpreted, cheap).holds()) { return; }
        if (!has_arithmetic) { return leave(question, "not equal without arithmetic"); }
        const smt::Outcome outcome = put(exact, Rung::arithmetic, ladder_.smt_rlimit);
        if (outcome.holds()) { return; }
        if (const smt::Model* model = outcome.counterexample()) { return leave(question, "not equal", *model); }
        leave(question, std::get<smt::Unknown>(outcome.answer).reason);
    }

    // The environments that little work does not settle. If they have many parts, the work is done for a convex set
    // around them, and with indices in as few pieces: an equation that holds there holds in them.
    isl::set left_soon(const heap::Piece& s, const heap::Piece& i, const isl::set& environments) {
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
            if (is_one) { return instantiate(templates_, piece.expr, simplified(piece.holes, environments)); }
            std::vector<isl::pw_aff> holes;
            for (const isl::pw_aff& hole : piece.holes) { holes.push_back(extended(hole)); }
            return instantiate(templates_, piece.expr, holes);
        };
        const Term mine = instance(s), theirs = instance(i);
        const Question question{have_values, simplified(mine, have_values), simplified(theirs, have_values)};
        const isl::set left = left_after_little(question);
        return is_one ? left : affine::coalesced(left.intersect(environments));
    }

    isl::set left_after_little(const Question& question) {
        const auto& [environments, s, i] = question;
        const isl::set left = affine::coalesced(unaligned(question, fewest_unfoldings));
        if (left.is_empty() || !is_soon_rewritten({left, s, i})) { return left; }
        result_.rung = std::max(result_.rung, Rung::rewriting);
        return left.subtract(left);
    }

    // Tried before tensors are unfolded again and again: the algebra of the definition's operators may be enough.
    bool is_soon_rewritten(const Question& question) const {
        const bool may_be = ladder_.highest >= Rung::rewriting && !question.implementation->mentions_unknown &&
                            !question.implementation->mentions_uninit && is_foretold(question);
        if (!may_be) { return false; }
        const Split heads = with_unfolded_head(question, specification_);
        return !heads.undefined && std::ranges::all_of(heads.cases, [&](const Question& q) {
            const Question now{q.environments, simplified(q.specification, q.environments), q.implementation};
            if (is_rewritten(now)) { return true; }
            const Question common = with_common_cells(now);
            const bool is_another =
                common.specification != now.specification || common.implementation != now.implementation;
            return is_another && is_rewritten(common);
        });
    }

    bool is_rewritten(const Question& question) const {
        constexpr std::size_t most_terms = 100'000;
        constexpr refinement::Effort without_solver{.most_queries = 0};
        const Translation asked = without_indices(question, specification_, Embedded::numbers);
        refinement::Values values(most_terms, ladder_.floats == Floats::real);
        try {
            const auto sides = refinement::copied(asked.terms, {asked.specification, asked.implementation}, values);
            refinement::Prover prover(values, without_solver);
            if (!prover.shows(sides[0], sides[1], equality_)) { return false; }
        } catch (const refinement::TooManyTerms&) { return false; }
        return true;
    }

    // Whether the floats of a query are real numbers: of values known up to rounding nothing is asked as if they were
    // IEEE's.
    bool are_real(const Translation& asked) const {
        return ladder_.floats == Floats::real && has_floats(asked.terms, {asked.specification, asked.implementation});
    }

    static bool has_floats(const smt::Terms& terms, const std::vector<smt::Term>& roots) {
        return std::ranges::any_of(smt::reachable(terms, roots),
                                   [&](smt::Term t) { return value::is_float(terms.type(t)); });
    }

    smt::Outcome put(const Translation& asked, Rung rung, std::uint64_t rlimit) {
        return put(asked, rung, rlimit, are_real(asked) ? smt::Floats::real : smt::Floats::ieee);
    }

    smt::Outcome put(const Translation& asked, Rung rung, std::uint64_t rlimit, smt::Floats floats) {
        smt::Query query;
        query.domain = asked.domain;
        query.specification = asked.specification;
        query.implementation = asked.implementation;
        query.abstraction = rung == Rung::arithmetic ? smt::Abstraction::arithmetic : smt::Abstraction::uninterpreted;
        query.floats = floats;
        query.equality = equality_;
        if (const std::uint64_t gates = smt::gates(asked.terms, query); gates > ladder_.most_gates) {
            return {smt::Unknown{"a query of " + std::to_string(gates) + " gates is not put"}};
        }
        smt::Outcome outcome = smt::refines(asked.terms, query, rlimit);
        if (outcome.holds()) { result_.rung = std::max(result_.rung, rung); }
        ++result_.queries;
        result_.rlimit += outcome.rlimit_spent;
        if (!ladder_.keep_queries && !ladder_.check_with_cvc5) { return outcome; }
        const auto text = smt::to_smtlib(asked.terms, query);
        if (!text) { return outcome; }
        if (ladder_.keep_queries) { result_.smt.push_back(*text); }
        if (!ladder_.check_with_cvc5 || outcome.is_unknown()) { return outcome; }
        const auto second = smt::check_with_cvc5(*text);
        if (!second) {
            result_.unchecked.push_back(second.error().message);
        } else if (second->answer == smt::Satisfiability::unknown) {
            result_.unchecked.push_back("cvc5: " + second->reason);
        } else if ((second->answer == smt::Satisfiability::unsat) != outcome.holds()) {
            result_.disagreements.push_back(std::string("z3 says ") + (outcome.holds() ? "unsat" : "sat") +
                                            ", cvc5 the opposite");
        }
        return outcome;
    }

    const Specification& specification_;
    const heap::Templates& templates_;
    const Ladder& ladder_;
    smt::Equality equality_ = smt::Equality::same_result;
    Sampling* sampling_;
    Discharge result_;
};

}  // namespace

std::string_view name(Rung rung) {
    switch (rung) {
        case Rung::presburger: return "isl";
        case Rung::alignment: return "alignment";
        case Rung::rewriting: return "rewriting";
        case Rung::uninterpreted: return "SMT, uninterpreted operations";
        case Rung::arithmetic: return "SMT, arithmetic";
    }
    raise_internal_error(__FILE__, __LINE__, "no such rung");
}

std::optional<Rung> shows_outline(const Obligation& obligation, const Specification& specification,
                                  const heap::Templates& templates, const Ladder& ladder, Sampling* sampling) {
    if (!obligation.outline) { return std::nullopt; }
    return EquationProver(specification, templates, ladder, sampling).prove(*obligation.outline);
}

Discharge discharge(const Obligation& obligation, const Specification& specification, const heap::Templates& templates,
                    const Ladder& ladder, Sampling* sampling) {
    if (obligation.equation) {
        const bool ignores_sign_of_zero = ladder.ignores_sign_of_zero && obligation.kind == Kind::coverage;
        const auto equality = ignores_sign_of_zero ? smt::Equality::same_number : smt::Equality::same_result;
        return EquationProver(specification, templates, ladder, sampling).prove((*obligation.equation)(), equality);
    }
    Discharge result;
    const isl::set violations = (*obligation.violations)();
    if (!violations.is_empty()) { result.violations = violations; }
    return result;
}

}  // namespace haruspex::validator
