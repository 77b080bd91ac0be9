#pragma once

#include "harness/compiler/fork_server.h"
#include "oracle/pipeline/judged.h"
#include "reports/campaign/case_file.h"
#include "reports/campaign/options.h"
#include "reports/store/record.h"

// A campaign adds the results for a case to its features (reports/triage/features.h):
//
//   lowered:agrees  lowered:wrong  lowered:unsupported  lowered:not run  lowered:nothing
//   validator:validated  validator:refuted: value …   with --validate: the outcome at the case's sizes, and the reason
//   all sizes:validated  all sizes:undecided: …       the same for all sizes
//   indices:fit 32 bits for sizes up to 4096 …        for a validated program
//   proof:for all sizes: 2 or more …                  with --validate: the case's row in the table of proofs.h
//   second solver:agreed 3  :undecided 1 …            with --validate: the queries that cvc5 was asked as well
//   prophecies:transplanted  prophecies:structure …   with --prophecies: transplanted, or the kind of failure
//   prophecy values:right  :wrong  :not run           the values of transplanted prophecies, if the program is right
//   stores:beyond extents  :within extents  :not known    of programs of whole tensors: what the lowered program stores
//                                                         in the interpreter (oracle/pipeline/overshoot.h)
//   whole tensors:agree  :differ  :not evaluated      of the same: the rules of their language, exactly and with padding,
//                                                     beside the reference (oracle/pipeline/whole_tensors.h)
namespace haruspex::campaign {

inline constexpr const char* stores_beyond = "stores:beyond extents";
inline constexpr const char* stores_within = "stores:within extents";
inline constexpr const char* stores_unknown = "stores:not known";

// Judges a case and describes it in the record of case `index`. The caller adds how the case was generated.
store::Record examine(std::uint64_t index, const cases::Case& c, compiler::ForkServer& server,
                      const compiler::Identity& identity, const pipeline::Options& options = {});

// Does a worker's whole task for one case: draws the case, or takes it from `file` if that is not null; judges and
// describes it.
store::Record examine(std::uint64_t index, const Options& options, const CaseFile* file, compiler::ForkServer& server,
                      const compiler::Identity& identity);

}  // namespace haruspex::campaign
