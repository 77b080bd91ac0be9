#pragma once

#include <map>
#include <set>
#include <string>

#include "harness/sched/syntax.h"
#include "oracle/validator/discharge/discharge.h"

namespace haruspex::validator {

// The equations of writes that are shown, kept from round to round.
class EquationCache {
public:
    // The program must outlive it.
    explicit EquationCache(const sched::Program& program) : program_(program) {}

    // How the write's equation was shown; null if that is not known.
    const Discharge* find(const sched::Write* write) const;
    // Keeps that the write's equation holds. The solver's work is not kept, so that it is counted once.
    void insert(const sched::Write& write, Discharge discharge);
    // Forgets the equations that depend on the contents of these arrays. An array holds what its own writes prophesy:
    // if a write turns out to be garbage, only equations that depend on its array change.
    void forget(const std::set<std::string>& arrays);

private:
    const sched::Program& program_;
    std::map<const sched::Write*, Discharge> shown_;
    std::map<const sched::Write*, std::set<std::string>> dependences_;  // computed when it is first needed
};

}  // namespace haruspex::validator
