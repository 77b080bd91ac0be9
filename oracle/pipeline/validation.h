#pragma once

#include "generators/case/case.h"
#include "oracle/pipeline/prophecies.h"
#include "oracle/unrolled/unrolled.h"

// The validator on what a compiler lowered.
namespace haruspex::pipeline {

// The verdict for the case's own sizes: with the minima, extents and strides that bind_parameters gives its buffers,
// and for all inputs. Unsupported where the program or its prophecies do not fit the case's SARE, in which every inline
// reduction has become a tensor (generators/sare/outline.h).
validator::Verdict validate_at_sizes(const cases::Case& c, const Foretold& foretold,
                                     const unrolled::Options& options = {});
// The same of what the compiler lowers, without prophecies where they could not be transplanted; Unsupported where
// there is no program.
validator::Verdict validate_at_sizes(const cases::Case& c, compiler::ForkServer& server,
                                     const unrolled::Options& options = {});

}  // namespace haruspex::pipeline
