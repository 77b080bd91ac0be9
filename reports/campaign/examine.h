#pragma once

#include "harness/compiler/fork_server.h"
#include "oracle/pipeline/judged.h"
#include "reports/campaign/campaign.h"
#include "reports/campaign/case_file.h"
#include "reports/store/record.h"

// Beside its features (reports/triage/features.h) a case of a campaign has names for what became of it:
//
//   lowered:agrees  lowered:wrong  lowered:unsupported  lowered:not run  lowered:nothing
//   validator:validated  all sizes:refuted: value …   the summary of each answer of the validator
//   indices:fit 32 bits for sizes up to 4096 …        of a validated program
//   proof:for all sizes: 2 or more …                  its row in the validator's table (proofs.h)
//   prophecies:transplanted  prophecies:structure …   with --prophecies: or where the programs part
//   prophecy values:right  :wrong  :not run           of a transplanted program that is right otherwise
namespace haruspex::campaign {

// Judges and describes a case; `index` names it. What is told of its making is the caller's to add.
store::Record examine(std::uint64_t index, const cases::Case& c, compiler::ForkServer& server,
                      const compiler::Identity& identity, const pipeline::Options& options = {});

// Draws one case of the campaign, or takes it from the file of its cases where there is one, judges and describes it: a
// worker's whole task.
store::Record examine(std::uint64_t index, const Options& options, const CaseFile* file, compiler::ForkServer& server,
                      const compiler::Identity& identity);

}  // namespace haruspex::campaign
