#pragma once

#include <string>

#include "generators/base/result.h"
#include "harness/compiler/compiler.h"
#include "reports/campaign/options.h"
#include "reports/cli/output.h"

namespace haruspex::cli {

// Judges the cases of a campaign by this build and by another one (session::peer), and prints those on which they
// disagree. Files them below Options::out, unless it is empty. Exit code findings if something is worse under this
// build, own_fault if haruspex itself failed on a case and nothing is worse.
[[nodiscard]] Result<ExitCode> fuzz_against(const std::string& where, const campaign::Options& options,
                                            compiler::Compiler& compiler, Output& output);

}  // namespace haruspex::cli
