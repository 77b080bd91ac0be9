#pragma once

#include <memory>
#include <vector>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "harness/compiler/compiler.h"
#include "oracle/pipeline/judged.h"
#include "oracle/verdict/verdict.h"
#include "reports/session/origin.h"

// One case, put to the compiler that it names.
namespace haruspex::session {

// Returns the compiler of the case. An Error if this build has none, or the case cannot be put to it (refusal.h).
[[nodiscard]] Result<std::unique_ptr<compiler::Compiler>> compiler_for(const cases::Case& c, const Origin& origin);
// Returns the verdict of one case, compiled in a limited child process. An Error if the case cannot be put to the
// compiler (refusal.h).
[[nodiscard]] Result<verdict::Verdict> judge(const cases::Case& c, const Origin& origin,
                                             const pipeline::Options& options = {});
// Judges the case like judge(). The result also has the passes that were examined to find where the program goes wrong.
[[nodiscard]] Result<pipeline::Judged> judge_with_passes(const cases::Case& c, const Origin& origin,
                                                         const pipeline::Options& options);
// Returns the programs after all observed passes, the final one last, each with the interpreter's result. Compiles the
// case to native code first: this tells which regions of the inputs the program reads.
[[nodiscard]] Result<std::vector<pipeline::PassResult>> trace(const cases::Case& c, const Origin& origin);
// Returns the programs to which the compiler lowers the case, as requested. An Error if there are none.
[[nodiscard]] Result<std::vector<compiler::Lowered>> lower(const cases::Case& c, const Origin& origin,
                                                           const compiler::Request& request);

}  // namespace haruspex::session
