#include "reports/bugs/triage.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>

#include "generators/base/ensure.h"
#include "harness/compiler/in_order.h"
#include "reports/bugs/examination.h"

namespace haruspex::bugs {
namespace {

BugState state_of(Status status) {
    switch (status) {
        case Status::open: return BugState::known;
        case Status::fixed: return BugState::regressed;
        case Status::documented: return BugState::documented;
    }
    raise_internal_error(__FILE__, __LINE__, "no such status of a bug");
}

triage::Symptom symptom_of(const Group& group) {
    return triage::symptom(group.smallest.c, group.smallest.verdict).value_or(triage::Symptom{});
}

std::uint64_t own_faults_of(const Group& group) {
    return verdict::is_own_fault(group.smallest.verdict.cls) ? group.cases : 0;
}

// Returns a bug with the group's smallest finding as it was filed.
Bug as_filed(Group& group, BugState state) {
    triage::Symptom symptom = symptom_of(group);
    store::Finding& finding = group.smallest;
    Bug bug{state, {std::move(finding.c), std::move(finding.verdict), std::move(symptom)}, group.name, 1, group.cases};
    bug.own_faults = own_faults_of(group);
    return bug;
}

// Puts the smallest group of each symptom first, then the second smallest of each, and so on; each round by size.
void order(std::vector<Group>& groups) {
    std::ranges::stable_sort(groups, {}, [](const Group& group) { return minimize::size_of(group.smallest.c); });
    std::map<triage::Symptom, std::size_t> seen;
    std::vector<std::pair<std::size_t, Group>> ranked;
    for (Group& group : groups) {
        const std::size_t rank = seen[symptom_of(group)]++;
        ranked.emplace_back(rank, std::move(group));
    }
    std::ranges::stable_sort(ranked, {}, &std::pair<std::size_t, Group>::first);
    std::ranges::transform(ranked, groups.begin(), [](auto& one) { return std::move(one.second); });
}

class Triage {
public:
    Triage(const std::vector<Known>& known, const Options& options) : known_(known), options_(options) {}

    std::uint64_t runs_left() const { return options_.most_runs - std::min(runs_, options_.most_runs); }

    // The examination must not have taken more runs than are left.
    void add(Group& group, Examination examination) {
        runs_ += examination.runs;
        if (!examination.best) {
            gone_.push_back(as_filed(group, BugState::gone));
        } else if (!add_known(group, examination)) {
            add_minimised(group, std::move(examination));
        }
    }

    void add_unexamined(Group& group) { unexamined_.push_back(as_filed(group, BugState::unexamined)); }

    void add_failure(Group& group, std::string failure) {
        failed_.push_back(as_filed(group, BugState::unexamined));
        failed_.back().failure = std::move(failure);
    }

    std::vector<Bug> take() {
        std::vector<Bug> bugs = distinct();
        count_unexamined(bugs);
        std::ranges::move(failed_, std::back_inserter(bugs));
        std::ranges::move(gone_, std::back_inserter(bugs));
        for (auto& [name, bug] : known_bugs_) { bugs.push_back(std::move(bug)); }
        std::ranges::stable_sort(
            bugs, {}, [](const Bug& bug) { return std::pair(bug.state, minimize::size_of(bug.smallest.c)); });
        return bugs;
    }

private:
    struct Minimised {
        minimize::Size size;
        Fingerprint print;
        minimize::Ending ending;
        bool is_cut;  // the budget of all groups ended it before it had its share
        std::vector<Fingerprint> beneath;
        Bug bug;
    };

    // Adds the minimised case to its known bug; false if it is not one of a known bug.
    bool add_known(const Group& group, const Examination& examination) {
        const minimize::Found& told = told_by(examination);
        const Fingerprint print = fingerprint(told.c, told.symptom);
        const Known* known = find(known_, print, options_.passes, examination.ending);
        if (known == nullptr) { return false; }
        Bug bug{state_of(known->status), *examination.best, group.name, 1, group.cases};
        bug.own_faults = own_faults_of(group);
        bug.known = known->name;
        const auto [place, is_new] = known_bugs_.try_emplace(known->name, bug);
        if (!is_new) { join(place->second, std::move(bug)); }
        return true;
    }

    void add_minimised(const Group& group, Examination examination) {
        const minimize::Found& told = told_by(examination);
        Fingerprint print = fingerprint(told.c, told.symptom);
        std::vector<Fingerprint> beneath;
        for (const minimize::Found& found : examination.beneath) {
            beneath.push_back(fingerprint(found.c, found.symptom));
        }
        Bug bug{BugState::confirmed, std::move(*examination.best), group.name, 1, group.cases};
        bug.own_faults = own_faults_of(group);
        if (const Known* similar = find_similar(known_, print, options_.passes)) { bug.resembles = similar->name; }
        minimize::Size size = minimize::size_of(bug.smallest.c);
        minimised_.push_back({std::move(size), std::move(print), examination.ending, examination.is_cut,
                              std::move(beneath), std::move(bug)});
    }

    // Adds the counts of `other` to `bug`, and keeps the smaller case of the two.
    static void join(Bug& bug, Bug other) {
        bug.groups += other.groups;
        bug.cases += other.cases;
        bug.own_faults += other.own_faults;
        if (minimize::size_of(other.smallest.c) < minimize::size_of(bug.smallest.c)) {
            bug.smallest = std::move(other.smallest);
            bug.group = std::move(other.group);
        }
    }

    // Returns the distinct bugs among the minimised cases that are not known.
    std::vector<Bug> distinct() {
        std::ranges::stable_sort(minimised_, {}, &Minimised::size);
        std::vector<Minimised> found;
        for (Minimised& one : minimised_) {
            const auto same = std::ranges::find_if(found, [&](const Minimised& smaller) {
                return is_another(one.print, smaller.print, options_.passes, one.ending);
            });
            const auto origin = std::ranges::find_if(found, [&](const Minimised& smaller) {
                return std::ranges::any_of(one.beneath, [&](const Fingerprint& beneath) {
                    return is_another(beneath, smaller.print, options_.passes, minimize::Ending::budget_spent);
                });
            });
            // A case that was cut short is still large and resembles no bug: only its pass is compared.
            const auto like = std::ranges::find_if(found, [&](const Minimised& smaller) {
                return one.is_cut && goes_wrong_alike(one.print.symptom, smaller.print.symptom, options_.passes);
            });
            if (same != found.end()) {
                join(same->bug, std::move(one.bug));
            } else if (origin != found.end()) {
                origin->bug.consequences.insert(one.print.symptom);
                join(origin->bug, std::move(one.bug));
            } else if (like != found.end()) {
                like->bug.unexamined += one.bug.cases;
            } else {
                found.push_back(std::move(one));
            }
        }
        std::vector<Bug> bugs;
        for (Minimised& one : found) { bugs.push_back(std::move(one.bug)); }
        return bugs;
    }

    void count_with(const Known& known, Bug filed) {
        filed.state = state_of(known.status);
        filed.known = known.name;
        filed.unexamined = std::exchange(filed.cases, 0);
        filed.own_faults = 0;  // not explained yet
        const auto [there, is_new] = known_bugs_.try_emplace(known.name, filed);
        if (is_new) { return; }
        there->second.unexamined += filed.unexamined;
        there->second.groups += filed.groups;
    }

    // A known bug counts only the cases that it covers: another case that goes wrong in the same pass may be a new bug.
    void count_unexamined(std::vector<Bug>& bugs) {
        for (Bug& filed : unexamined_) {
            const Fingerprint print = fingerprint(filed.smallest.c, filed.smallest.symptom);
            const Known* known = find_covering(known_, print, options_.passes);
            // Only a case that was examined can show a regression.
            if (known != nullptr && known->status != Status::fixed) {
                count_with(*known, std::move(filed));
                continue;
            }
            const auto like = std::ranges::find_if(bugs, [&](const Bug& bug) {
                return goes_wrong_alike(filed.smallest.symptom, bug.smallest.symptom, options_.passes);
            });
            if (like == bugs.end()) {
                bugs.push_back(std::move(filed));
            } else if (like->state == BugState::unexamined) {
                join(*like, std::move(filed));
            } else {
                like->unexamined += filed.cases;
            }
        }
    }

    const std::vector<Known>& known_;
    const Options& options_;
    std::uint64_t runs_ = 0;
    std::vector<Minimised> minimised_;
    std::map<std::string, Bug> known_bugs_;  // by name
    std::vector<Bug> unexamined_, gone_, failed_;
};

// Removes and returns the groups without a symptom that could be minimised: haruspex itself failed on them.
std::vector<Group> take_without_symptom(std::vector<Group>& groups) {
    const auto others = std::ranges::stable_partition(groups, [](const Group& group) {
        return triage::symptom(group.smallest.c, group.smallest.verdict).has_value();
    });
    std::vector<Group> taken(std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
    groups.erase(others.begin(), others.end());
    return taken;
}

// Examines each group in a worker, which does not know how much of the budget is left when it begins. Results are taken
// in order, so that the bugs are the same as with one job.
Result<void> examine_all(std::vector<Group>& groups, const std::vector<Known>& known, const JudgeFor& judge_for,
                         const Options& options, const Listener& listener, Triage& triage) {
    // Spare jobs help to minimise a group.
    const auto at_once = std::clamp<std::uint64_t>(groups.size(), 1, static_cast<std::uint64_t>(options.jobs));
    Options of_worker = options;
    of_worker.jobs = options.jobs / static_cast<int>(at_once);
    Result<void> outcome;
    std::size_t heard = 0;
    const auto add = [&](Group& group, Result<Examination> examination) -> Result<void> {
        if (examination && examination->runs > triage.runs_left()) {
            examination = examine_group(group, known, judge_for, options, triage.runs_left());
        }
        if (!examination) { return fail(examination.error()); }
        triage.add(group, std::move(*examination));
        return {};
    };
    compiler::WorkInOrder work;
    work.count = options.most_runs == 0 ? 0 : groups.size();
    work.work = [&](std::uint64_t g) {
        return to_json(examine_group(groups[g], known, judge_for, of_worker, options.most_runs));
    };
    work.jobs = static_cast<int>(at_once);
    // A slow group must not keep the others waiting.
    work.most_ahead = 4 * at_once;
    work.may_begin = [&](std::uint64_t unheard) {
        return triage.runs_left() / std::max<std::uint64_t>(options.runs_of_group, 1) > unheard;
    };
    work.on_done = [&](std::uint64_t g, const compiler::Done& done) {
        heard = g + 1;
        listener(heard, groups.size(), groups[g]);
        if (done.failed) {
            triage.add_failure(groups[g], done.text);
        } else {
            outcome = add(groups[g], parse_examination(done.text));
        }
        return outcome && triage.runs_left() > 0;
    };
    if (const auto surplus = compiler::work_in_order(work); !surplus) { return fail(surplus.error()); }
    for (std::size_t g = heard; g < groups.size(); ++g) { triage.add_unexamined(groups[g]); }
    return outcome;
}

}  // namespace

std::string_view name(BugState state) {
    constexpr std::array<std::string_view, bug_state_count> names{"regressed", "confirmed",  "new",
                                                                  "known",     "documented", "gone"};
    return names.at(static_cast<std::size_t>(state));
}

bool is_reported(BugState state) {
    return state == BugState::regressed || state == BugState::confirmed || state == BugState::unexamined;
}

Result<std::vector<Bug>> find_bugs(std::vector<Group> groups, const std::vector<Known>& known,
                                   const JudgeFor& judge_for, const Options& options, const Listener& listener) {
    Triage triage(known, options);
    for (Group& group : take_without_symptom(groups)) { triage.add_failure(group, group.smallest.verdict.message); }
    order(groups);
    if (auto examined = examine_all(groups, known, judge_for, options, listener, triage); !examined) {
        return fail(examined.error());
    }
    return triage.take();
}

}  // namespace haruspex::bugs
