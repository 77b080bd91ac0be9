#include "oracle/validator/validator.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "generators/affine/context.h"
#include "generators/affine/sets.h"
#include "generators/base/ensure.h"
#include "generators/sare/floats.h"
#include "oracle/validator/counterexamples/search.h"
#include "oracle/validator/discharge/discharger.h"
#include "oracle/validator/evaluation/coverage.h"
#include "oracle/validator/flow/real_numbers.h"
#include "oracle/validator/flow/write_dependences.h"
#include "oracle/validator/garbage_search.h"

namespace haruspex::validator {
namespace {

constexpr int most_rounds = 10;
constexpr std::uint64_t blame_rlimit = 200'000;
constexpr std::size_t most_unshown = 2;  // obligations that arithmetic may fail to show
constexpr std::size_t most_characters = 600;

std::string shortened(std::string text) {
    return text.size() <= most_characters ? text : text.substr(0, most_characters) + " …";
}

std::string shortened(const Term& t) { return shortened(to_string(t, most_characters)); }

// Prints in isl's notation; of many disjuncts only the first, because isl sorts and joins all that it prints.
std::string shortened(const isl::set& environments) {
    constexpr int most = 8;
    if (environments.n_basic_set() <= most) { return shortened(affine::to_string(environments)); }
    isl::set first = isl::set::empty(environments.space());
    int count = 0;
    environments.foreach_basic_set([&](const isl::basic_set& part) {
        if (count++ < most) { first = first.unite(isl::set(part)); }
    });
    const std::string text = affine::to_string(first);
    const std::string shorter = shortened(text);
    return shorter == text ? text + " …" : shorter;
}

// --- The validator ------------------------------------------------------------------------------------------------

class OutOfBudget : public std::runtime_error {
public:
    OutOfBudget(const std::string& work, const std::string& how) : runtime_error(work + ": " + how), what_{work, how} {}
    verdict::Validation said() const { return verdict::obstructed(Outcome::undecided, verdict::Cause::budget, what_); }

private:
    Feature what_;
};

// An obligation that is not shown.
struct Failure {
    std::size_t judgement = 0;
    Obligation obligation;
    std::vector<std::pair<isl::set, std::optional<smt::Model>>> places;
    bool is_exhausted = false;
    bool is_searched = false;  // for a counterexample, in vain
};

// An obligation that is a set, with its discharge.
struct JudgedSet {
    Kind kind = Kind::bounds_read;
    std::string statement, rule;
    Discharge discharge;

    bool is_of(const Obligation& o) const { return kind == o.kind && statement == o.statement && rule == o.rule; }
};

class Validator {
public:
    Validator(const sare::Sare& sare, const sched::Program& program, const Options& options)
        : sare_(sare),
          program_(program),
          options_(options),
          ladder_(ladder_of(sare, program, options)),
          specification_(specified()),
          search_(sare, program, options.sizes, runner(), options.ladder.floats == Floats::real),
          garbage_(program),
          operations_left_(options.operations),
          search_operations_(options.obligation_operations) {}

    Verdict run() {
        try {
            while (!round()) { ++verdict_.rounds; }
            conclude();
        } catch (const Unsupported& e) {
            verdict_.say(verdict::unsupported(e.feature()));
        } catch (const OutOfBudget& e) {
            verdict_.is_exhausted = true;
            verdict_.say(e.said());
            refute();
        }
        if (options_.explain) { derive(); }
        verdict_.operations = options_.operations - operations_left_;
        return std::move(verdict_);
    }

private:
    static Ladder ladder_of(const sare::Sare& sare, const sched::Program& program, const Options& options) {
        Ladder ladder = options.ladder;
        // A caller that did not request IEEE's floats also ignores the sign of zero, even if the proof falls back to
        // them.
        ladder.zeros_are_one = ladder.floats == Floats::real;
        if (ladder.floats == Floats::real && !are_real_numbers(sare, program)) { ladder.floats = Floats::ieee; }
        return ladder;
    }

    Runner runner() const {
        if (options_.original) { return options_.original; }
        return [this](const Sizes& sizes, const Inputs& inputs) {
            return replay(sare_, program_, sizes, inputs, options_.most_steps, options_.ladder.floats == Floats::real);
        };
    }

    // Whether proofs are about floats that round although the caller requested real numbers: the program may round as
    // it likes.
    bool may_round() const { return options_.ladder.floats == Floats::real && ladder_.floats != Floats::real; }

    bool are_numbers() const { return ladder_.floats != Floats::ieee; }

    Specification specified() const {
        options_.begin("specification");
        auto built = affine::within(context_, options_.operations,
                                    [&] { return Specification(context_.ctx(), sare_, options_.sizes); });
        if (!built) { throw OutOfBudget("specification", built.error().message); }
        return std::move(*built);
    }

    template <typename Work>
    void within(std::uint64_t& left, const std::string& phase, Work work) {
        const auto done = affine::within(context_, options_.evaluation_operations, left, work);
        if (!done) { throw OutOfBudget(phase, done.error().message); }
    }

    // Runs a round. Ends with a counterexample, or with all obligations judged. Returns false if writes turned out to
    // be garbage, and everything has to be done again.
    bool round() {
        verdict_.judgements.clear();
        verdict_.by_rung.clear();
        verdict_.disagreements.clear();
        verdict_.unchecked.clear();
        failures_.clear();
        exhausted_ = 0;
        options_.begin("evaluation");
        Evaluation evaluation(context_.ctx(), templates_, specification_.signatures(), garbage_.found(), are_numbers());
        std::vector<Obligation> obligations;
        within(operations_left_, "evaluation", [&] {
            evaluation.enter(program_, specification_.assumptions(), options_.sizes);
            is_vacuous_ = is_vacuous(specification_, evaluation.scope().context());
            heap::Memory final_memory(context_.ctx());
            final_memory.leave(evaluation.prophetic(program_.body));
            obligations = evaluation.symbolic(program_.body);
            for (Obligation& o : coverage(program_, specification_, evaluation, final_memory, templates_)) {
                obligations.push_back(std::move(o));
            }
        });
        if (verdict_.rounds == 1) {
            refuse_endless(evaluation.scope().context());
            probe(evaluation.scope().context());
            choose_floats(evaluation);
        }
        // Arithmetic is the last resort: a wrong program is refuted sooner by running it.
        Ladder ladder = ladder_;
        if (probed_) {
            // A counterexample is known already. The first obligation that is not shown gets the blame; this is not
            // worth much work.
            ladder.smt_rlimit = std::min(ladder.smt_rlimit, blame_rlimit);
        } else {
            ladder.highest = std::min(ladder.highest, Rung::uninterpreted);
        }
        for (const Obligation& o : obligations) { verdict_.judgements.push_back({o.kind, o.statement, o.rule}); }
        options_.begin("sets");
        // Sets first: they are cheap, and a program that violates one is run before anything is compared.
        const bool goes_on = judge_sets(obligations, ladder);
        if (refute() || !goes_on) { return true; }
        bool is_final = true;
        forget_unsettled();
        for (std::size_t k = 0; k < obligations.size(); ++k) {
            const Obligation& obligation = obligations[k];
            if (is_of_cells(obligation)) { continue; }
            if (const auto settled = settled_.find(obligation.write); settled != settled_.end()) {
                record(obligation, settled->second, k);
                continue;
            }
            options_.begin("equations");
            const Discharge discharge = judge(obligation, ladder, k);
            if (discharge.holds() && obligation.write != nullptr) { settle(*obligation.write, discharge); }
            const bool may_mark = obligation.kind == Kind::value && verdict_.rounds < most_rounds;
            if (may_mark && garbage_.mark(*obligation.write, discharge.remainders, verdict_.rounds)) {
                is_final = false;
            } else if (probed_ && !discharge.holds() && refute()) {
                return true;
            }
        }
        return is_final;
    }

    // Values that are equal up to rounding are not the same: where several iterations or lanes write a cell, it would
    // depend on the last writer.
    void choose_floats(const Evaluation& evaluation) {
        if (ladder_.floats == Floats::real) {
            const auto is_shared = affine::within(context_, options_.evaluation_operations, operations_left_,
                                                  [&] { return evaluation.shares_cells(); });
            if (!is_shared || *is_shared) { ladder_.floats = Floats::numbers; }
        }
        discharger_.emplace(context_, specification_, templates_, ladder_.floats == Floats::real,
                            options_.obligation_operations, operations_left_);
    }

    // Most wrong programs are wrong at small sizes; then only the first obligation that fails is needed.
    void probe(const isl::set& context) {
        if (!options_.probes) { return; }
        options_.begin("small sizes");
        const auto searched = affine::within(context_, options_.obligation_operations, operations_left_,
                                             [&] { probed_ = search_.in(context, std::nullopt); });
        if (!searched) { probed_.reset(); }
    }

    static bool is_of_cells(const Obligation& obligation) { return !obligation.equation && !obligation.is_of_values; }

    // A recurrence that does not end has no values that a program could compute.
    void refuse_endless(const isl::set& context) {
        const auto searched = affine::within(context_, options_.obligation_operations, operations_left_,
                                             [&] { return search_.endless_in(context); });
        if (searched && *searched) { throw Unsupported("a specification without values", **searched); }
    }

    // Judges the sets of cells that are read and written. They do not depend on the values that are written, so the
    // first round's judgements hold for all rounds. Returns false if the validation ends with them.
    bool judge_sets(const std::vector<Obligation>& obligations, const Ladder& ladder) {
        std::size_t count = 0;
        for (std::size_t k = 0; k < obligations.size(); ++k) {
            const Obligation& obligation = obligations[k];
            if (!is_of_cells(obligation)) { continue; }
            if (verdict_.rounds == 1) {
                sets_.push_back({obligation.kind, obligation.statement, obligation.rule, judge(obligation, ladder, k)});
            } else {
                ENSURE(count < sets_.size() && sets_[count].is_of(obligation), "each round has the same sets to judge");
                exhausted_ += sets_[count].discharge.exhausted ? 1 : 0;
                record(obligation, sets_[count].discharge, k);
            }
            if (options_.ends_at_bounds && is_of_bounds(obligation.kind) && sets_[count].discharge.violations) {
                return false;
            }
            ++count;
        }
        ENSURE(count == sets_.size(), "each round has the same sets to judge");
        return true;
    }

    void settle(const sched::Write& write, Discharge discharge) {
        // The solver's work is counted already.
        discharge.queries = 0;
        discharge.rlimit = 0;
        const bool is_new = settled_.emplace(&write, std::move(discharge)).second;
        ENSURE(is_new, "a write has one equation");
    }

    // An array holds what its own writes prophesy. If a write turned out to be garbage since, only equations that
    // depend on the contents of its array change.
    void forget_unsettled() {
        const std::set<std::string> marked = garbage_.take_marked();
        if (marked.empty()) { return; }
        if (behind_.empty()) { behind_ = write_dependences(program_); }
        std::erase_if(settled_, [&](const auto& settled) {
            return std::ranges::any_of(behind_.at(settled.first),
                                       [&](const std::string& array) { return marked.contains(array); });
        });
    }

    Discharge judge(const Obligation& obligation, const Ladder& ladder, std::size_t position) {
        if (exhausted_ > 0 && exhausted_ == options_.most_exhausted) {
            const Failure& spent = *std::ranges::find_if(failures_, &Failure::is_exhausted);
            throw OutOfBudget("discharge", "isl's budget of operations is spent on " +
                                               std::string(name(spent.obligation.kind)) + ": " +
                                               shortened(spent.obligation.statement));
        }
        if (operations_left_ == 0) { throw OutOfBudget("discharge", "isl's budget of operations is spent"); }
        Discharge result = discharger_->discharge(obligation, ladder, exhausted_ > 0);
        exhausted_ += result.exhausted ? 1 : 0;
        record(obligation, result, position);
        return result;
    }

    void record(const Obligation& obligation, const Discharge& discharge, std::size_t position) {
        Judgement judgement{obligation.kind, obligation.statement, obligation.rule};
        judgement.state = discharge.holds() ? Judgement::State::holds : Judgement::State::not_shown;
        judgement.smt = discharge.smt;
        verdict_.queries += discharge.queries;
        verdict_.rlimit += discharge.rlimit;
        for (const std::string& d : discharge.disagreements) { verdict_.disagreements.push_back(d); }
        for (const std::string& u : discharge.unchecked) { verdict_.unchecked.push_back(u); }
        if (discharge.holds()) {
            judgement.rung = discharge.rung;
            ++verdict_.by_rung[discharge.rung];
        } else {
            Failure failure{position, obligation, {}, discharge.exhausted};
            if (discharge.exhausted) {
                judgement.reason = "isl's budget of operations is spent";
                if (obligation.outline) { failure.places.emplace_back(obligation.outline->environments, std::nullopt); }
            }
            if (discharge.violations) {
                judgement.reason = "violated";
                judgement.environments = shortened(*discharge.violations);
                failure.places.emplace_back(*discharge.violations, std::nullopt);
            }
            for (const Remainder& rest : discharge.remainders) {
                if (judgement.reason.empty()) {
                    judgement.reason = rest.reason;
                    judgement.environments = shortened(rest.environments) + ": " + shortened(rest.specification) +
                                             " = " + shortened(rest.implementation);
                    // The output's cell was written, but its value depends on memory that was not.
                    if (obligation.kind == Kind::coverage && rest.implementation->mentions_uninit &&
                        verdict_.rounds > 1) {
                        judgement.kind = Kind::uninit;
                    }
                }
                failure.places.emplace_back(rest.environments, rest.model);
            }
            failures_.push_back(std::move(failure));
        }
        verdict_.judgements[position] = std::move(judgement);
    }

    void conclude() {
        if (verdict_.counterexample || refute()) { return; }
        if (ladder_.highest > Rung::uninterpreted) {
            std::vector<Failure> failures;
            failures.swap(failures_);
            exhausted_ = 0;
            for (Failure& failure : failures) {
                // isl's work would be the same again; and once some obligations are not shown, little more is to be
                // found.
                if (failure.is_exhausted || failures_.size() >= most_unshown) {
                    failures_.push_back(std::move(failure));
                } else {
                    options_.begin("arithmetic");
                    judge(failure.obligation, ladder_, failure.judgement);
                }
            }
            if (refute()) { return; }
        }
        if (failures_.empty()) {
            if (is_vacuous_) {
                verdict_.say(
                    verdict::obstructed(Outcome::undecided, Kind::vacuous, "no size allows a requested output cell"));
                return;
            }
            if (probed_ && !may_be_rounding(*probed_)) {
                verdict_.say(
                    verdict::obstructed(Outcome::undecided, verdict::Cause::contradiction,
                                        {{}, "every obligation holds, but the interpreters say: " + probed_->message}));
                verdict_.contradiction = probed_->message;
                return;
            }
            if (program_.has_loose_floats && ladder_.floats != Floats::real) {
                throw Unsupported(verdict::loose_floats());
            }
            verdict_.say(verdict::proved(options_.sizes.empty()));
            verdict_.floats = sare::has_floats(sare_) ? ladder_.floats : Floats::ieee;
            verdict_.needs_proper_boxes = specification_.has_negative_boxes();
            return;
        }
        verdict_.is_exhausted = operations_left_ == 0;
        verdict_.deciding = failures_.front().judgement;
        const Judgement& first = verdict_.judgements[*verdict_.deciding];
        const std::string looked = search_.looked_at();
        verdict_.say(verdict::obstructed(Outcome::undecided, first.kind,
                                         first.statement + ": " + first.reason + ", and no counterexample was found" +
                                             (looked.empty() ? "" : " " + looked)));
    }

    // Whether a counterexample may be due to rounding: the proof is about real numbers, but interpreters compute with
    // floats.
    bool may_be_rounding(const Counterexample& seen) const {
        return ladder_.floats == Floats::real && !seen.trouble && sare::has_floats(sare_);
    }

    bool refute() {
        if (!failures_.empty()) { options_.begin("counterexamples"); }
        for (Failure& failure : failures_) {
            if (std::exchange(failure.is_searched, true)) { continue; }
            for (const auto& [environments, model] : failure.places) {
                // Models tend to have sizes that take long to run, and with `probed_` a counterexample is known.
                const auto hint = probed_ || may_round() ? std::nullopt : model;
                const auto effort = failure.is_exhausted ? Search::Effort::brief : Search::Effort::thorough;
                const auto searched = affine::within(context_, search_operations_, search_operations_, [&] {
                    verdict_.counterexample = search_.in(environments, hint, effort);
                });
                if (!searched) { return refuted_as_probed(); }
                if (!verdict_.counterexample) { continue; }
                decide_against(failure.judgement);
                return true;
            }
        }
        return refuted_as_probed();
    }

    bool refuted_as_probed() {
        if (!probed_ || failures_.empty()) { return false; }
        verdict_.counterexample = probed_;
        decide_against(failures_.front().judgement);
        return true;
    }

    void decide_against(std::size_t deciding) {
        const Judgement& judgement = verdict_.judgements[deciding];
        verdict_.deciding = deciding;
        verdict_.say(verdict::obstructed(Outcome::refuted, judgement.kind, judgement.statement));
    }

    // Derives under a budget of its own, so that asking for a derivation does not change a verdict.
    void derive() {
        Evaluation evaluation(context_.ctx(), templates_, specification_.signatures(), garbage_.found(), are_numbers(),
                              &verdict_.steps);
        std::uint64_t left = options_.evaluation_operations;
        try {
            within(left, "derivation", [&] {
                evaluation.enter(program_, specification_.assumptions(), options_.sizes);
                evaluation.prophetic(program_.body);
                evaluation.symbolic(program_.body);
            });
        } catch (const Unsupported&) {
            // The verdict says why the derivation ends here.
        } catch (const OutOfBudget& e) { verdict_.steps.push_back({0, {}, {e.what()}}); }
    }

    const sare::Sare& sare_;
    const sched::Program& program_;
    const Options& options_;
    Ladder ladder_;
    affine::Context context_;
    Specification specification_;
    heap::Templates templates_;
    Search search_;
    Verdict verdict_;
    GarbageSearch garbage_;
    std::vector<Failure> failures_;
    std::vector<JudgedSet> sets_;                       // judged in the first round, in their order
    std::map<const sched::Write*, Discharge> settled_;  // of equations that hold, until a round unsettles them
    std::map<const sched::Write*, std::set<std::string>> behind_;
    std::optional<Counterexample> probed_;  // to the program, at small sizes
    std::uint64_t operations_left_;         // isl's operations that are left
    std::uint64_t search_operations_;       // the same for counterexamples
    std::optional<Discharger> discharger_;  // set once the kind of floats is chosen
    int exhausted_ = 0;                     // obligations, in this round and on these rungs
    bool is_vacuous_ = false;
};

}  // namespace

std::string_view name(Judgement::State state) {
    switch (state) {
        case Judgement::State::holds: return "holds";
        case Judgement::State::not_shown: return "not_shown";
        case Judgement::State::not_looked_at: return "not_looked_at";
    }
    raise_internal_error(__FILE__, __LINE__, "no such state of a judgement");
}

Verdict validate(const sare::Sare& sare, const sched::Program& program, const Options& options) {
    Options chosen = options;
    if (!sare::has_floats(sare)) { chosen.ladder.floats = Floats::ieee; }
    try {
        return Validator(sare, program, chosen).run();
    } catch (const OutOfBudget& e) {
        Verdict verdict(e.said());
        verdict.is_exhausted = true;
        verdict.operations = options.operations;
        return verdict;
    }
}

}  // namespace haruspex::validator
