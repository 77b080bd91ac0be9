#include "oracle/validator/equation_cache.h"

#include <algorithm>
#include <utility>

#include "generators/base/ensure.h"
#include "oracle/validator/flow/write_dependences.h"

namespace haruspex::validator {

const Discharge* EquationCache::find(const sched::Write* write) const {
    const auto found = shown_.find(write);
    return found == shown_.end() ? nullptr : &found->second;
}

void EquationCache::insert(const sched::Write& write, Discharge discharge) {
    discharge.queries = 0;
    discharge.rlimit = 0;
    const bool is_new = shown_.emplace(&write, std::move(discharge)).second;
    ENSURE(is_new, "a write has one equation");
}

void EquationCache::forget(const std::set<std::string>& arrays) {
    if (arrays.empty()) { return; }
    if (dependences_.empty()) { dependences_ = write_dependences(program_); }
    std::erase_if(shown_, [&](const auto& shown) {
        return std::ranges::any_of(dependences_.at(shown.first),
                                   [&](const std::string& array) { return arrays.contains(array); });
    });
}

}  // namespace haruspex::validator
