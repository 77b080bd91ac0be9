#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "oracle/refinement/prover.h"
#include "oracle/validator/validator.h"

// The validator for given sizes: thesis chapter 5 with every loop unrolled. It proves the same claim, for one value of
// each parameter and all inputs. It does not need isl, affine indices, or a prophecy for each write.
namespace haruspex::unrolled {

struct Options {
    validator::Floats floats = validator::Floats::ieee;
    refinement::Effort effort;
    std::uint64_t most_steps = 12'000'000;  // of each run, of the whole search for inputs, and of the unrolled program
    std::size_t most_values = 2'000'000;    // terms, and cells of the specification
    std::function<void(std::string_view part)> on_part;  // as in validator::Options
};

// Validates the program at these sizes. First runs it once in the interpreters, on small inputs. Its use of memory must
// not depend on the inputs; otherwise it is unsupported. Each requested cell is an obligation (Kind::coverage). The
// program is undecided if a limit is reached (of steps: Verdict::is_exhausted), or if a cell is not shown and no inputs
// are found on which it is wrong.
//
// Every parameter of the specification and the program has a size (ENSURE), and the program is well-typed and fits the
// specification (validator::check_interface).
validator::Verdict validate(const sare::Sare& sare, const sched::Program& program, const Sizes& sizes,
                            const Options& options = {});

}  // namespace haruspex::unrolled
