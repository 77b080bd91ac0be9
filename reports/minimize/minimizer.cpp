#include "reports/minimize/minimizer.h"

#include <map>
#include <span>
#include <unordered_set>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/case/json.h"
#include "reports/minimize/candidates.h"
#include "reports/minimize/reducer.h"
#include "reports/minimize/trial.h"

namespace haruspex::minimize {
namespace {

// Whether the compiler or its code was stopped by a limit of time.
bool is_limit(const verdict::Verdict& verdict) {
    return verdict::is_hang(verdict.cls) && !verdict::is_deadlock(verdict);
}

class Minimizer {
public:
    // `runs`: those that were made before.
    Minimizer(Found start, std::uint64_t runs, Requirements requirements, const session::Judge& judge,
              const Options& options, const Listener& listener)
        : passes_(reducer(start.c.compiler).passes()),
          requirements_(requirements),
          judge_(judge),
          options_(options),
          listener_(listener) {
        sought_ = start.symptom;
        result_.best = std::move(start);
        result_.runs = runs;
        result_.figures.resize(passes_.size());
    }

    Result<Minimised> run() {
        if (auto told = listener_.better(result_.best); !told) { return fail(told.error()); }
        // The number of passes in a row that could not shrink the present case.
        std::size_t quiet = 0;
        for (std::size_t i = 0; quiet < passes_.size(); i = (i + 1) % passes_.size()) {
            const auto turn = take_turn(i);
            if (!turn) { return fail(turn.error()); }
            ++result_.figures[i].turns[static_cast<std::size_t>(*turn)];
            if (*turn == Turn::exhausted) {
                result_.ending = Ending::budget_spent;
                break;
            }
            // A pass that took a case has not had a turn at the new case.
            quiet = *turn == Turn::shrunk ? 0 : quiet + 1;
        }
        for (auto& [symptom, other] : others_) { result_.others.push_back(std::move(other.found)); }
        return std::move(result_);
    }

private:
    struct Other {
        Size size;
        Found found;
    };

    Result<Turn> take_turn(std::size_t index) {
        const Pass& pass = passes_[index];
        PassFigures& figures = result_.figures[index];
        const std::uint64_t runs_before = figures.runs;
        bool shrunk = false;
        // Proposals before the one that was taken are not tried again in this turn, but in the next.
        for (std::size_t from = 0;;) {
            std::vector<cases::Case> cases;
            std::vector<std::size_t> numbers;
            for (Candidate& candidate : candidates(result_.best.c, pass, *options_.language)) {
                if (candidate.number < from || known_.contains(cases::to_json(candidate.c))) { continue; }
                numbers.push_back(candidate.number);
                cases.push_back(std::move(candidate.c));
            }
            std::optional<std::size_t> taken;
            Result<void> told;
            const auto surplus =
                judge_in_order(cases, requirements_, judge_, options_.jobs, [&](std::size_t i, const auto& verdict) {
                    if (verdict && result_.runs >= options_.most_runs) {
                        exhausted_ = true;
                        return false;
                    }
                    known_.insert(cases::to_json(cases[i]));
                    if (!verdict) { return true; }
                    ++figures.runs;
                    ++result_.runs;
                    listener_.progress({result_.runs, pass.name});
                    if (!take_if_it_shows({cases[i], *verdict, {}})) { return true; }
                    taken = i;
                    told = listener_.better(result_.best);
                    return false;
                });
            if (!surplus) { return fail(surplus.error()); }
            if (!told) { return fail(told.error()); }
            result_.surplus_runs += *surplus;
            if (exhausted_) { return Turn::exhausted; }
            if (!taken) { break; }
            shrunk = true;
            ++figures.taken;
            from = numbers[*taken];
        }
        if (shrunk) { return Turn::shrunk; }
        return figures.runs > runs_before ? Turn::no_change : Turn::invalid;
    }

    // Takes the case if it shows the finding; otherwise returns false and keeps it if it is the smallest of its
    // symptom.
    bool take_if_it_shows(Found found) {
        auto symptom = triage::symptom(found.c, found.verdict);
        if (!symptom) { return false; }
        found.symptom = std::move(*symptom);
        const bool is_located = triage::locates(found.verdict, result_.best.verdict);
        if (is_located || options_.shows(found.symptom, sought_)) {
            if (is_located) { sought_.cls = found.symptom.cls; }
            sought_.pass = found.symptom.pass;
            sought_.sign = found.symptom.sign;
            result_.best = std::move(found);
            return true;
        }
        // The case may only be slow.
        if (options_.patient && is_limit(found.verdict)) { return false; }
        Size size = size_of(found.c);
        const auto [other, is_new] = others_.try_emplace(found.symptom);
        if (is_new || size < other->second.size) { other->second = {std::move(size), std::move(found)}; }
        return false;
    }

    std::span<const Pass> passes_;
    Requirements requirements_;
    const session::Judge& judge_;
    const Options& options_;
    const Listener& listener_;
    triage::Symptom sought_;
    Minimised result_;
    std::unordered_set<std::string> known_;  // texts of cases that were examined, or are not worth a run
    std::map<triage::Symptom, Other> others_;
    bool exhausted_ = false;
};

// Runs the case as it is. nullopt if it has no finding.
Result<std::optional<Found>> look_at(const cases::Case& c, const session::Judge& judge) {
    verdict::Verdict verdict;
    const auto examined = judge_in_order({c}, Requirements{}, judge, 1, [&](std::size_t, const auto& answer) {
        if (answer) { verdict = *answer; }
        return false;
    });
    if (!examined) { return fail(examined.error()); }
    ENSURE(verdict.cls != verdict::Class::harness_failure, verdict.message);
    auto symptom = triage::symptom(c, verdict);
    if (!symptom) { return std::optional<Found>(); }
    return Found{c, std::move(verdict), std::move(*symptom)};
}

// Looks at a case by `patient`.
Result<std::optional<Found>> look_longer(const Found& found, const LookLonger& patient) {
    return look_at(found.c, [&](const cases::Case&) { return patient(found); });
}

// Looks at the case itself. What takes too long for `judge` is decided by the patient one.
Result<std::optional<Found>> look_at_start(const cases::Case& c, const session::Judge& judge, const Options& options) {
    auto start = look_at(c, judge);
    if (!start || !*start || !options.patient || !is_limit((*start)->verdict)) { return start; }
    if (!options.waited_for) { return look_longer(**start, options.patient); }
    auto symptom = triage::symptom(c, *options.waited_for);
    ENSURE(symptom.has_value(), "a hang that was waited for is a finding");
    return Found{c, *options.waited_for, std::move(*symptom)};
}

bool shows_same(const Found& found, const Found& start, const Options& options) {
    return options.shows(found.symptom, start.symptom) || triage::locates(found.verdict, start.verdict);
}

}  // namespace

Result<std::optional<Minimised>> minimize(const cases::Case& c, const session::Judge& judge, const Options& options,
                                          const Listener& listener) {
    if (const auto draft = take_apart(c); !draft) { return fail(draft.error()); }
    const auto start = look_at_start(c, judge, options);
    if (!start) { return fail(start.error()); }
    if (!*start) { return std::optional<Minimised>(); }
    Requirements requirements = requirements_of(c, *options.language);
    requirements.has_whole_tensors = requirements.has_whole_tensors && options.keeps_whole_tensors;
    std::uint64_t runs = 1;
    // Replaces the result by what a longer look sees, if that is still the finding.
    const auto confirm = [&](Minimised& minimised, const std::optional<Found>& seen) -> Result<bool> {
        if (!seen || !shows_same(*seen, **start, options)) { return false; }
        minimised.best = *seen;
        if (auto told = listener.better(minimised.best); !told) { return fail(told.error()); }
        return true;
    };
    if (options.glance) {
        auto glanced = Minimizer(**start, runs, requirements, options.glance, options, listener).run();
        if (!glanced) { return fail(glanced.error()); }
        // Nothing smaller was found.
        if (options.patient && glanced->best.c == c) { return std::optional(std::move(*glanced)); }
        const auto seen =
            options.patient ? look_longer(glanced->best, options.patient) : look_at(glanced->best.c, judge);
        if (!seen) { return fail(seen.error()); }
        runs = ++glanced->runs;
        const auto is_confirmed = confirm(*glanced, *seen);
        if (!is_confirmed) { return fail(is_confirmed.error()); }
        if (*is_confirmed) { return std::optional(std::move(*glanced)); }
    }
    auto result = Minimizer(**start, runs, requirements, judge, options, listener).run();
    if (!result) { return fail(result.error()); }
    if (options.patient && is_limit(result->best.verdict) && result->best.c != c) {
        const auto seen = look_longer(result->best, options.patient);
        if (!seen) { return fail(seen.error()); }
        ++result->runs;
        const auto is_confirmed = confirm(*result, *seen);
        if (!is_confirmed) { return fail(is_confirmed.error()); }
        // The smaller cases were only slow.
        if (!*is_confirmed) {
            result->best = **start;
            result->ending = Ending::budget_spent;
            if (auto told = listener.better(result->best); !told) { return fail(told.error()); }
        }
    }
    return std::optional(std::move(*result));
}

}  // namespace haruspex::minimize
