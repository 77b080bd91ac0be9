#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "generators/base/numbers.h"
#include "oracle/pipeline/judge_case.h"
#include "oracle/pipeline/localise.h"
#include "oracle/pipeline/reference.h"
#include "reports/cli/command.h"
#include "reports/cli/compilers.h"
#include "reports/store/version.h"

namespace haruspex::cli {
namespace {

int lost_with = 0;  // errno of the first failed write to standard output

}  // namespace

std::string versions() {
    std::string text = "haruspex " + store::haruspex_version();
    for (const std::string_view name : compiler::names()) {
        text += "\n" + std::string(name) + " " + compiler::make_compiler(name)->identity().version;
    }
    return text;
}

Result<std::unique_ptr<compiler::Compiler>> compiler_for(const cases::Case& c, const Origin& origin) {
    auto compiler = compiler_named(c.compiler);
    if (!compiler) { return compiler; }
    if (auto error = refusal(c, origin, **compiler)) { return fail(std::move(*error)); }
    return compiler;
}

Result<pipeline::Judged> judge_with_passes(const cases::Case& c, const Origin& origin,
                                           const pipeline::Options& options) {
    const auto compiler = compiler_for(c, origin);
    if (!compiler) { return fail(compiler.error()); }
    const auto identity = (*compiler)->identity();
    compiler::ForkServer server(**compiler, {});
    return pipeline::judge_case(c, server, identity, options);
}

Result<verdict::Verdict> judge(const cases::Case& c, const Origin& origin, const pipeline::Options& options) {
    auto judged = judge_with_passes(c, origin, options);
    if (!judged) { return fail(judged.error()); }
    return std::move(judged->verdict);
}

pipeline::Options judging_again(const verdict::Verdict& verdict) {
    pipeline::Options options;
    options.validate =
        verdict.cls == verdict::Class::refuted_lowering || verdict.cls == verdict::Class::unsound_validator;
    return options;
}

pipeline::Options judging_smaller(const verdict::Verdict& verdict) {
    pipeline::Options options = judging_again(verdict);
    const bool is_long = verdict.lowered && verdict.lowered->not_run == verdict::NotRun::steps;
    if (is_long) { options.most_steps /= 30; }
    return options;
}

std::optional<compiler::Limits> limits_of_glance(const verdict::Verdict& verdict) {
    if (!verdict::is_hang(verdict.cls)) { return std::nullopt; }
    // About forty times the compile time of a random case.
    compiler::Limits limits;
    limits.cpu = std::chrono::milliseconds(2000);
    limits.wall = std::chrono::milliseconds(10000);
    return limits;
}

triage::PassOrder pass_order(compiler::ForkServer& server) {
    const auto passes = pipeline::common_passes(server);
    return passes ? triage::PassOrder(*passes) : triage::PassOrder::drawn_by_cases();
}

Result<std::vector<pipeline::PassResult>> trace(const cases::Case& c, const Origin& origin) {
    const auto compiler = compiler_for(c, origin);
    if (!compiler) { return fail(compiler.error()); }
    const auto reference = pipeline::evaluate_reference(c);
    if (!reference) { return fail(origin.name + ": the reference fails: " + reference.error().message); }
    compiler::ForkServer server(**compiler, {});
    const auto regions = server.observe(c).input_regions;
    return pipeline::trace_passes(c, *reference, regions, server, pipeline::Options{}.most_steps);
}

Result<std::vector<compiler::Lowered>> lower(const cases::Case& c, const Origin& origin,
                                             const compiler::Request& request) {
    const auto compiler = compiler_for(c, origin);
    if (!compiler) { return fail(compiler.error()); }
    compiler::ForkServer server(**compiler, {});
    auto observation = server.observe(c, request);
    if (observation.lowered.empty()) {
        return fail(origin.name + ": the compiler lowers nothing: " + observation.message);
    }
    return std::move(observation.lowered);
}

std::string describe(const verdict::Verdict& verdict) {
    std::string text = "class     " + std::string(verdict::name(verdict.cls)) + "\n";
    if (!verdict.message.empty()) { text += "message   " + verdict.message + "\n"; }
    if (!verdict.phase.empty()) { text += "phase     " + verdict.phase + "\n"; }
    if (verdict.signal != 0) { text += "signal    " + std::to_string(verdict.signal) + "\n"; }
    if (verdict.lowered) { text += "lowered   " + to_string(*verdict.lowered) + "\n"; }
    if (verdict.own_sizes) { text += "validator " + to_string(*verdict.own_sizes) + "\n"; }
    if (verdict.all_sizes) { text += "all sizes " + to_string(*verdict.all_sizes) + "\n"; }
    if (verdict.indices) { text += "indices   " + to_string(*verdict.indices) + "\n"; }
    if (verdict.pass) { text += "pass      " + to_string(*verdict.pass) + "\n"; }
    for (const verdict::Warning& warning : verdict.warnings) { text += "warning   " + to_string(warning) + "\n"; }
    if (const auto& difference = verdict.difference) {
        std::string cell;
        for (const std::int64_t coordinate : difference->cell) {
            cell += (cell.empty() ? "" : ", ") + std::to_string(coordinate);
        }
        text += "tensor    " + difference->tensor + "\n";
        if (difference->component != 0) { text += "component " + std::to_string(difference->component) + "\n"; }
        text += "cell      (" + cell + ")\n";
        text += "expected  " + value::to_string(difference->expected) + "\n";
        text += "actual    " + value::to_string(difference->actual) + "\n";
        text += "differ    " + std::to_string(difference->differing_cells) + " of " +
                std::to_string(difference->compared_cells) + " cells\n";
    }
    return text;
}

ExitCode exit_code_of(verdict::Class cls) {
    // A case written by hand may well be bad.
    if (cls == verdict::Class::bad_case) { return bad_input; }
    if (verdict::is_own_fault(cls)) { return own_fault; }
    return verdict::is_finding(cls) ? findings : nothing_found;
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
    const auto check = [least, most](std::string& text) {
        const auto value = parse_number<std::uint64_t>(text);
        if (value && *value >= least && *value <= most) { return std::string(); }
        const bool unlimited = most == std::numeric_limits<std::uint64_t>::max();
        return "expected a whole number from " + std::to_string(least) + " to " +
               (unlimited ? "2^64 - 1" : std::to_string(most)) + ", found " + text;
    };
    return CLI::Validator(check, "");
}

bool print(const std::string& text) {
    errno = 0;
    const bool is_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (!is_written && lost_with == 0) { lost_with = errno; }
    return is_written;
}

std::optional<Error> lost_output() {
    if (lost_with == 0 || lost_with == EPIPE) { return std::nullopt; }
    return Error{std::string("cannot write to standard output: ") + std::strerror(lost_with), {}, {}};
}

int refuse(const Error& error) {
    std::fprintf(stderr, "haruspex: %s\n", to_string(error).c_str());
    return bad_input;
}

}  // namespace haruspex::cli
