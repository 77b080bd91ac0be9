#include "reports/render/effect.h"

#include "generators/base/ensure.h"
#include "oracle/judge/outputs.h"

namespace haruspex::render {
namespace {

// The effect of a latent bug on memory may still show, with luck and the right neighbours.
Effect of_latent_bug(const std::optional<verdict::LoweredOutcome>& lowered) {
    const bool is_beyond = lowered && lowered->trouble && verdict::is_out_of_bounds(*lowered->trouble);
    return is_beyond ? Effect::program_crash : Effect::unstable;
}

// If only the lowered program was run, a cell may also be Undef or Uninit.
bool has_values(const verdict::Verdict& verdict) {
    const auto& difference = verdict.difference;
    return difference && difference->expected.is_defined() && difference->actual.is_defined();
}

Effect effect_of_class(const verdict::Verdict& verdict) {
    using verdict::Class;
    switch (verdict.cls) {
        case Class::wrong_result:
        case Class::wrong_lowering:
        case Class::wrong_code:
        case Class::introduced_overflow: return has_values(verdict) ? Effect::value : Effect::none;
        case Class::nondeterminism: return verdict.difference ? Effect::garbage : Effect::unstable;
        case Class::latent_bug: return of_latent_bug(verdict.lowered);
        case Class::stray_write: return verdict.is_heap_write ? Effect::heap_write : Effect::stray_write;
        case Class::over_rejection: return Effect::run_time_error;
        case Class::compiler_internal_error: return Effect::internal_error;
        case Class::compiler_crash: return Effect::compiler_crash;
        case Class::compiler_hang: return Effect::compiler_hang;
        case Class::compiler_out_of_memory: return Effect::compiler_out_of_memory;
        case Class::program_crash: return Effect::program_crash;
        case Class::program_hang: return Effect::program_hang;
        case Class::program_out_of_memory: return Effect::program_out_of_memory;
        case Class::agrees:
        case Class::rejected:
        case Class::refuted_lowering:
        case Class::bad_case:
        case Class::outside_context:
        case Class::not_compared:
        case Class::too_large:
        case Class::translation_fault:
        case Class::unsound_validator:
        case Class::solver_contradiction:
        case Class::harness_failure: break;
    }
    return Effect::none;
}

}  // namespace

Effect effect_of(const std::optional<verdict::Verdict>& verdict, const std::string& statement) {
    if (!verdict) { return Effect::none; }
    const Effect effect = effect_of_class(*verdict);
    // The run gave the right result, also between guard pages.
    const bool is_latent = verdict->cls == verdict::Class::latent_bug || effect == Effect::none;
    return is_latent && verdict::is_finding(verdict->cls) && !statement.empty() ? Effect::lowering : effect;
}

bool is_of_compiler(Effect effect) {
    return effect == Effect::internal_error || effect == Effect::compiler_crash || effect == Effect::compiler_hang ||
           effect == Effect::compiler_out_of_memory;
}

std::string exit_codes(Effect effect, const std::optional<verdict::Verdict>& verdict, const sare::Sare& sare) {
    switch (effect) {
        case Effect::none:
            return !verdict || !verdict::is_finding(verdict->cls) ? "Prints a checksum of the outputs."
                                                                  : "Prints a checksum of the outputs: they happen to "
                                                                    "be right, and the bug shows only in what the "
                                                                    "pipeline is lowered to.";
        case Effect::value:
            return "Exits with 1 while " + judge::cell_name(sare, *verdict->difference) +
                   " is wrong, with 0 otherwise.";
        case Effect::garbage:
            return "Exits with 1 while " + judge::cell_name(sare, *verdict->difference) +
                   " depends on what the memory held before, with 0 otherwise.";
        case Effect::unstable:
            return "Exits with 1 when two runs differ. The bug need not show in every run: 0 says little.";
        case Effect::stray_write: return "Exits with 1 while cells beside an output are written, with 0 otherwise.";
        case Effect::heap_write:
            return "Exits with 1 while memory beside what the pipeline allocates is written, with 0 otherwise.";
        case Effect::run_time_error: return "Exits with 1 while the compiled pipeline fails, with 0 when it runs.";
        case Effect::internal_error: return "Exits with 1 while the compiler fails, with 0 when it compiles.";
        case Effect::compiler_crash: return "Exits with 1 while the compiler crashes, with 0 when it compiles.";
        case Effect::compiler_hang: return "Exits with 1 while the compiler takes a minute, with 0 when it compiles.";
        case Effect::compiler_out_of_memory:
            return "Exits with 1 while the compiler needs more than 2 GB, with 0 when it compiles.";
        case Effect::program_crash:
            return "Exits with 1 while the compiled pipeline crashes, with 0 when it runs or refuses to. Its buffers "
                   "lie between pages that may not be touched.";
        case Effect::program_hang:
            return "Exits with 1 while the compiled pipeline takes a minute or crashes, with 0 otherwise.";
        case Effect::program_out_of_memory:
            return "Exits with 1 while the compiled pipeline needs more than 2 GB, with 0 when it runs.";
        case Effect::lowering:
            return "Prints the statement from which code is generated. Exits with 1 while that is the wrong one, with "
                   "0 "
                   "when it is another. The result of a run happens to be right.";
    }
    ENSURE(false, "unknown effect");
}

}  // namespace haruspex::render
