#pragma once

#include <cstdint>
#include <string>

#include "harness/compiler/compiler.h"
#include "reports/campaign/options.h"
#include "reports/campaign/proofs.h"
#include "reports/store/database.h"

namespace haruspex::campaign {

// Covers all cases done in the folder, by any run.
struct Summary : store::Figures {
    Options options;
    compiler::Identity compiler;
    std::string cases_digest;  // of Options::cases_from; empty if cases are drawn
    bool interrupted = false;  // ended before everything that was requested was done
    // The rows of the validator's table (proofs.h), each with its cases in order.
    Rows proofs;
};

// Returns the median: half of the cases have at most that many directives.
std::uint64_t median_directives(const Summary& summary);

// {"campaign": options and versions, "results": the same for any number of jobs, "timing"}
std::string to_json(const Summary& summary);
// The table printed at the end.
std::string to_table(const Summary& summary);

}  // namespace haruspex::campaign
