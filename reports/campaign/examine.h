#pragma once

#include "harness/compiler/fork_server.h"
#include "oracle/pipeline/judged.h"
#include "reports/campaign/campaign.h"
#include "reports/campaign/case_file.h"
#include "reports/store/record.h"

namespace haruspex::campaign {

// Judges and describes a case; `index` names it. The caller adds how the case was generated.
store::Record examine(std::uint64_t index, const cases::Case& c, compiler::ForkServer& server,
                      const compiler::Identity& identity, const pipeline::Options& options = {});

// Does a worker's whole task for one case: draws it, or takes it from the file of cases if there is one, then judges
// and describes it.
store::Record examine(std::uint64_t index, const Options& options, const CaseFile* file, compiler::ForkServer& server,
                      const compiler::Identity& identity);

}  // namespace haruspex::campaign
