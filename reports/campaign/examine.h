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
//   proof:for all sizes: 2 or more …                  the row in the validator's table (proofs.h)
//   prophecies:transplanted  prophecies:structure …   with --prophecies: transplanted, or where the programs differ
//   prophecy values:right  :wrong  :not run           for a transplanted program that is right otherwise
namespace haruspex::campaign {

// Judges and describes a case; `index` names it. The caller adds how the case was generated.
store::Record examine(std::uint64_t index, const cases::Case& c, compiler::ForkServer& server,
                      const compiler::Identity& identity, const pipeline::Options& options = {});

// Does a worker's whole task for one case: draws it, or takes it from the file of cases if there is one, then judges
// and describes it.
store::Record examine(std::uint64_t index, const Options& options, const CaseFile* file, compiler::ForkServer& server,
                      const compiler::Identity& identity);

}  // namespace haruspex::campaign
