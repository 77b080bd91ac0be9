#include "reports/bugs/filing.h"

#include "generators/base/sizes.h"
#include "oracle/pipeline/judge_case.h"
#include "oracle/pipeline/prophecies.h"
#include "oracle/pipeline/validation.h"
#include "reports/bugs/concrete.h"
#include "reports/session/compilers.h"
#include "reports/session/judging.h"

namespace haruspex::bugs {
namespace {

// The case's sizes at which the validator refutes it, if any.
std::optional<Sizes> refuted_sizes(const cases::Case& c, compiler::ForkServer& server,
                                   const compiler::Identity& identity) {
    const auto prophesied = pipeline::lower_with_prophecies(c, server);
    if (!prophesied) { return std::nullopt; }
    const auto verdict = pipeline::validate_for_all_sizes(c, prophesied->program, identity);
    if (!verdict.counterexample) { return std::nullopt; }
    Sizes sizes;
    for (const auto& [name, size] : c.sizes) { sizes[name] = verdict.counterexample->sizes.at(name); }
    return sizes;
}

// A case of the same bug that goes wrong when it runs, if one is found. Looked for only if the validator alone found
// the bug.
std::optional<cases::Case> running_case(const cases::Case& c, const verdict::Verdict& verdict,
                                        compiler::ForkServer& server, const compiler::Identity& identity) {
    if (verdict.cls != verdict::Class::refuted_lowering) { return std::nullopt; }
    const auto judging = [&](bool native) {
        return [&, native](const cases::Case& candidate) {
            pipeline::Options options;
            options.native = native;
            options.localise = false;
            return pipeline::judge_case(candidate, server, identity, options).verdict;
        };
    };
    const bool at_other_sizes = has_outcome(verdict.all_sizes, verdict::Outcome::refuted);
    return shown_by_running(c, at_other_sizes ? refuted_sizes(c, server, identity) : std::nullopt, judging(false),
                            judging(true));
}

}  // namespace

Result<render::Report> report_on(const cases::Case& c, const std::string& name, const pipeline::Options& judging) {
    const auto verdict = session::judge(c, name, judging);
    if (!verdict) { return fail(verdict.error()); }
    const auto compiler = session::compiler_named(c.compiler);
    if (!compiler) { return fail(compiler.error()); }
    const render::Installation installation{(*compiler)->identity(), (*compiler)->package(),
                                            (*compiler)->build_flags()};
    if (!verdict::is_finding(verdict->cls)) {
        return fail(name + ": nothing to file: with " + installation.compiler.name + " " +
                    installation.compiler.version + " the verdict is " + std::string(verdict::name(verdict->cls)));
    }
    compiler::ForkServer server(**compiler, {});
    if (const auto running = running_case(c, *verdict, server, installation.compiler)) {
        return report_on(*running, name, pipeline::Options{});
    }
    return render::report(c, *verdict, render::gather(c, *verdict, server), installation);
}

}  // namespace haruspex::bugs
