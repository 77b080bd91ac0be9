#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "harness/compiler/compiler.h"
#include "harness/compiler/fork_server.h"
#include "oracle/pipeline/judged.h"
#include "oracle/verdict/verdict.h"
#include "reports/session/answer.h"
#include "reports/session/judge.h"
#include "reports/session/origin.h"
#include "reports/store/journal.h"
#include "reports/triage/pass_order.h"

// Judges a case with the compiler that it names, and judges a finding, or smaller cases of it, again.
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
// Returns the verdict of a case, or why it cannot be put to the compiler of the server: it is for another compiler, or
// refused (refusal.h).
Answer answer(const cases::Case& c, const Origin& origin, compiler::ForkServer& server,
              const pipeline::Options& options = {});
// Returns the programs after all observed passes, the final one last, each with the interpreter's result. Compiles the
// case to native code first: this tells which regions of the inputs the program reads.
[[nodiscard]] Result<std::vector<pipeline::PassResult>> trace(const cases::Case& c, const Origin& origin);
// Returns the programs to which the compiler lowers the case, as requested. An Error if there are none.
[[nodiscard]] Result<std::vector<compiler::Lowered>> lower(const cases::Case& c, const Origin& origin,
                                                           const compiler::Request& request);

// Returns options for judging a finding again: with the validator only if the validator found it.
pipeline::Options judging_again(const verdict::Verdict& verdict);
// Returns options for comparing the verdict with a new one: the same, and with the validator if it was asked before.
pipeline::Options judging_to_compare(const verdict::Verdict& verdict);
// Returns the options with which `minimize` and `known add` judge smaller cases of a finding. If the original program
// is too long to interpret, smaller cases are interpreted for fewer steps, too, since a case that can be interpreted to
// its end cannot show the same finding.
pipeline::Options judging_smaller(const verdict::Verdict& verdict);
// Returns the limits for judging a finding and smaller cases of it again: those of a campaign without its patience. What
// comes to one of them is a hang for sure only if a patient look says so (SmallerJudges::patient).
compiler::Limits limits_without_patience();

// Judge a finding and smaller cases of it.
struct SmallerJudges {
    Judge judge;    // with the limits of the server
    Judge patient;  // with the limits of a campaign, which are far longer: what comes to them hangs for sure
    // A first look at smaller cases of a hang, with tight limits, since a smaller case hangs sooner
    // (minimize::Options::glance). Empty if the finding is not a hang.
    Judge at_a_glance;
};
// Borrows the server's compiler.
SmallerJudges smaller_judges(const verdict::Verdict& finding, const compiler::ForkServer& server,
                             const pipeline::Options& options);
// Returns a function that keeps the verdicts in the journal, which it borrows. Empty if `judge` is.
Judge journaled(const store::Journal& journal, Judge judge);

// Returns the order of the compiler's passes. Compiles a small program.
triage::PassOrder pass_order(compiler::ForkServer& server);

}  // namespace haruspex::session
