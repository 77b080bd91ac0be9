#include "oracle/validator/round.h"

#include "generators/affine/sets.h"
#include "oracle/validator/terms/term.h"

namespace haruspex::validator {
namespace {

constexpr std::size_t most_characters = 600;

std::string shortened(const Term& t) { return validator::shortened(to_string(t, most_characters)); }

// Prints in isl's notation; of many disjuncts only the first, because isl sorts and joins all that it prints.
std::string shortened(const isl::set& environments) {
    constexpr int most = 8;
    if (environments.n_basic_set() <= most) { return validator::shortened(affine::to_string(environments)); }
    isl::set first = isl::set::empty(environments.space());
    int count = 0;
    environments.foreach_basic_set([&](const isl::basic_set& part) {
        if (count++ < most) { first = first.unite(isl::set(part)); }
    });
    const std::string text = affine::to_string(first);
    const std::string shorter = validator::shortened(text);
    return shorter == text ? text + " …" : shorter;
}

}  // namespace

std::string shortened(std::string text) {
    return text.size() <= most_characters ? text : text.substr(0, most_characters) + " …";
}

Round Round::next() const {
    Round next;
    next.number = number + 1;
    next.queries = queries;
    next.rlimit = rlimit;
    return next;
}

void Round::list(const std::vector<Obligation>& obligations) {
    for (const Obligation& o : obligations) { judgements.push_back({o.kind, o.statement, o.rule}); }
}

void Round::record(const Obligation& obligation, const Discharge& discharge, std::size_t position) {
    Judgement& judgement = judgements[position] = {obligation.kind, obligation.statement, obligation.rule};
    judgement.smt = discharge.smt;
    queries += discharge.queries;
    rlimit += discharge.rlimit;
    if (discharge.holds()) {
        regroups_sums |= discharge.regroups_sums;
        judgement.state = Judgement::State::holds;
        judgement.rung = discharge.rung;
        ++by_rung[discharge.rung];
        return;
    }
    judgement.state = Judgement::State::not_shown;
    Failure failure{position, obligation, {}, discharge.exhausted};
    if (discharge.exhausted) {
        ++exhausted;
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
            judgement.environments = shortened(rest.environments) + ": " + shortened(rest.specification) + " = " +
                                     shortened(rest.implementation);
            // The output's cell was written, but its value depends on memory that was not.
            if (obligation.kind == Kind::coverage && rest.implementation->mentions_uninit && number > 1) {
                judgement.kind = Kind::uninit;
            }
        }
        failure.places.emplace_back(rest.environments, rest.model);
    }
    failures.push_back(std::move(failure));
}

}  // namespace haruspex::validator
