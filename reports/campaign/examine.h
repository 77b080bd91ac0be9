#pragma once

#include "harness/compiler/fork_server.h"
#include "reports/campaign/campaign.h"
#include "reports/campaign/record.h"

namespace haruspex::campaign {

// Draws, judges and describes one case of the campaign: a worker's whole task.
Record examine(std::uint64_t index, const Options& options, compiler::ForkServer& server,
               const compiler::Identity& identity);

}  // namespace haruspex::campaign
