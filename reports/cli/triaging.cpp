#include "reports/cli/triaging.h"

#include <cstdio>

#include "harness/halide/halide_compiler.h"
#include "reports/cli/command.h"

namespace haruspex::cli {

Result<std::vector<bugs::Known>> known_in(const std::string& folder) {
    if (folder.empty()) { return std::vector<bugs::Known>(); }
    return bugs::load_known(folder);
}

Result<std::vector<bugs::Bug>> bugs_of(const std::string& campaign, const std::vector<bugs::Known>& known,
                                       bugs::Options options) {
    auto groups = bugs::groups_in(campaign);
    if (!groups) { return fail(groups.error()); }
    const auto compiler = halide::make_halide();
    const auto identity = compiler->identity();
    compiler::ForkServer server(*compiler, {});
    const bugs::ExamineFor examine = [&](const store::Finding& finding) -> minimize::Examine {
        return [&, judging = judging_again(finding.verdict)](const cases::Case& c) {
            return pipeline::judge_case(c, server, identity, judging).verdict;
        };
    };
    options.vocabulary = {identity.major};
    const std::size_t count = groups->size();
    return bugs::find_bugs(std::move(*groups), known, examine, options,
                           [count](std::size_t number, const bugs::Group& group) {
                               std::fprintf(stderr, "%zu of %zu groups: %s\n", number, count, group.name.c_str());
                           });
}

}  // namespace haruspex::cli
