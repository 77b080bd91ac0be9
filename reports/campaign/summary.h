#pragma once

#include <cstdint>
#include <string>

#include "harness/compiler/compiler.h"
#include "reports/campaign/options.h"
#include "reports/campaign/proofs.h"
#include "reports/store/database.h"

namespace haruspex::campaign {

// The figures of all cases done in the folder, by any run.
struct Summary : store::Figures {
    Options options;
    compiler::Identity compiler;
    std::string cases_digest;  // of Options::cases_from; empty if cases are drawn
    bool interrupted = false;  // ended before everything requested was done, or not ended yet
    // The rows of the validator's table (proofs.h), each with its cases in ascending order.
    Rows proofs;
};

// Returns the median number of directives of a case.
std::uint64_t median_directives(const Summary& summary);

// Returns the number of cases that show a fault of haruspex itself.
std::uint64_t own_faults(const Summary& summary);

// Returns {"campaign": options and versions, "results", "timing"}. The results are the same for any number of jobs.
std::string to_json(const Summary& summary);
// Returns the table that is printed at the end.
std::string to_table(const Summary& summary);

}  // namespace haruspex::campaign
