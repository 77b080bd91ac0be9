#include "reports/cli/filing.h"

#include "harness/halide/halide_compiler.h"
#include "reports/cli/command.h"

namespace haruspex::cli {

Result<render::Report> report_on(const cases::Case& c, const std::string& name, const pipeline::Options& judging) {
    const auto verdict = judge(c, name, judging);
    if (!verdict) { return fail(verdict.error()); }
    const auto compiler = halide::make_halide();
    const render::Installation installation{compiler->identity(), halide::installed_package(), halide::build_flags()};
    if (!verdict::is_finding(verdict->cls)) {
        return fail(name + ": nothing to file: with " + installation.compiler.name + " " +
                    installation.compiler.version + " the verdict is " + std::string(verdict::name(verdict->cls)));
    }
    compiler::ForkServer server(*compiler, {});
    return render::report(c, *verdict, render::gather(c, *verdict, server), installation);
}

}  // namespace haruspex::cli
