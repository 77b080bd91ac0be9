#include "oracle/validator/garbage_search.h"

#include <algorithm>
#include <string>
#include <utility>

#include "generators/affine/coalesce.h"
#include "generators/affine/parameters.h"
#include "generators/affine/sets.h"
#include "oracle/validator/flow/undefined_writes.h"

namespace haruspex::validator {
namespace {

constexpr int rounds_before_widening = 3;

}  // namespace

bool GarbageSearch::mark(const sched::Write& write, const std::vector<Remainder>& remainders, int round) {
    bool found = false;
    for (const Remainder& rest : remainders) {
        // A write that reads garbage that may be Undef is garbage as well.
        const bool is_garbage =
            rest.implementation->mentions_uninit || (has_unknown_ && rest.implementation->mentions_unknown);
        if (!is_garbage) { continue; }
        found = true;
        marked_.insert(write.array);
        const auto known = found_.find(&write);
        if (known == found_.end()) {
            if (!undefined_) { undefined_ = writes_that_may_be_undef(program_); }
            const bool may_be_undef = undefined_->contains(&write);
            has_unknown_ = has_unknown_ || may_be_undef;
            found_.emplace(&write, GarbageWrite{rest.environments, may_be_undef});
            continue;
        }
        isl::set& environments = known->second.environments;
        const isl::set grown = affine::coalesced(environments.unite(rest.environments));
        environments = round < rounds_before_widening ? grown : widened(environments, grown, round);
    }
    return found;
}

std::set<std::string> GarbageSearch::take_marked() { return std::exchange(marked_, {}); }

// Garbage that spreads from iteration to iteration of a loop, or of two loops, is taken to spread to all iterations:
// otherwise an accumulation of garbage would have no end.
isl::set GarbageSearch::widened(const isl::set& before, const isl::set& grown, int round) const {
    std::vector<std::string> loops;
    for (const std::string& variable : affine::parameters(grown)) {
        const bool is_size = std::ranges::find(program_.parameters, variable) != program_.parameters.end();
        if (!is_size) { loops.push_back(variable); }
    }
    for (std::size_t i = 0; i < loops.size(); ++i) {
        const isl::set all = affine::project_out(grown, loops[i]);
        const isl::set old = affine::project_out(before, loops[i]);
        if (all.is_equal(old)) { return affine::coalesced(grown.unite(all)); }
        for (std::size_t j = 0; j < i && round > rounds_before_widening; ++j) {
            const isl::set both = affine::project_out(all, loops[j]);
            if (both.is_equal(affine::project_out(old, loops[j]))) { return affine::coalesced(grown.unite(both)); }
        }
    }
    return grown;
}

}  // namespace haruspex::validator
