#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "oracle/smt/query.h"
#include "oracle/validator/validator.h"

namespace haruspex::validator {

// Looks for sizes and inputs at which the interpreters show that a program is wrong. Borrows all that it is made of.
class Search {
public:
    // Where nothing says that there is anything to be found, a few runs are enough.
    enum class Effort : std::uint8_t { brief, thorough };

    Search(const sare::Sare& sare, const sched::Program& program, const Options& options);

    // At the sizes and inputs of a model, or else at some of the sizes at which these environments exist, small ones
    // first, with inputs of all styles. Sizes that were tried in vain are not tried again.
    std::optional<Counterexample> in(const isl::set& environments, const std::optional<smt::Model>& model,
                                     Effort effort = Effort::thorough);
    // At which sizes there were runs, a few of them: "at N = 1; N = 3".
    std::string looked_at() const;
    // Small sizes of these environments at which the specification has no value, or none that is found in a million
    // steps, and why; nothing when it has one, or when all sizes are given.
    std::optional<std::string> endless_in(const isl::set& environments) const;

private:
    std::optional<Counterexample> at(Sizes sizes, const Inputs& inputs);

    const sare::Sare& sare_;
    const sched::Program& program_;
    const Options& options_;
    std::set<std::string> names_;  // of the parameters without a size
    std::set<Sizes> tried_;        // with inputs of all styles, in vain
    std::set<Sizes> runs_;         // at which the program ran
    bool is_endless_ = false;      // what the specification asks for at some sizes
};

}  // namespace haruspex::validator
