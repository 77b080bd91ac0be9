#include "reports/bugs/issues.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "oracle/pipeline/judge_case.h"
#include "reports/bugs/concrete.h"
#include "reports/bugs/page.h"
#include "reports/render/view.h"
#include "reports/session/compilers.h"
#include "reports/session/judging.h"
#include "reports/store/files.h"

namespace haruspex::bugs {
namespace {

namespace fs = std::filesystem;

// The page of all bugs.
constexpr const char* index_file = "index.html";

// The compiler for a reader: name, version, package.
std::string title_of(const compiler::Compiler& compiler) {
    const auto identity = compiler.identity();
    return fmt::format("{} {}, {}", render::view(identity.name).title(), identity.version, compiler.package());
}

// Whether the folder holds exactly these files.
bool holds(const fs::path& folder, std::map<std::string, std::string> files) {
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (at->is_directory()) { continue; }
        const auto file = files.find(at->path().lexically_relative(folder).string());
        if (file == files.end()) { return false; }
        const auto content = store::read_file(at->path());
        if (!content || *content != file->second) { return false; }
        files.erase(file);
    }
    return !error && files.empty();
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
    const auto sizes = verdict.all_sizes ? verdict.all_sizes->refuted_at : std::nullopt;
    return shown_by_running(c, sizes, judging(false), judging(true));
}

// The bug shows in the installed version, too.
render::Versions in_words(std::vector<AtVersion> rows, const compiler::Identity& identity) {
    if (rows.empty()) { return {}; }
    put(rows, {identity.version, Presence::shows, {}, {}});
    return {bad_versions(rows), describe(rows)};
}

std::vector<AtVersion> versions_of(const std::string& name, const std::vector<Known>& known) {
    const auto at = std::ranges::find(known, name, &Known::name);
    return at == known.end() ? std::vector<AtVersion>() : at->versions;
}

}  // namespace

Result<render::Report> report_on(const cases::Case& c, const std::string& name, const pipeline::Options& judging,
                                 const std::vector<AtVersion>& versions,
                                 const std::optional<verdict::Verdict>& waited_for) {
    const auto verdict = waited_for ? Result<verdict::Verdict>(*waited_for) : session::judge(c, name, judging);
    if (!verdict) { return fail(verdict.error()); }
    const auto compiler = session::compiler_named(c.compiler);
    if (!compiler) { return fail(compiler.error()); }
    const render::Installation installation{(*compiler)->identity(), (*compiler)->package(),
                                            (*compiler)->build_flags()};
    if (!verdict::is_finding(verdict->cls)) {
        return fail(name + ": nothing to file: with " + installation.compiler.name + " " +
                    installation.compiler.version + " the verdict is " + std::string(verdict::name(verdict->cls)));
    }
    const bool hangs = verdict::is_hang(verdict->cls);
    compiler::ForkServer server(**compiler, hangs ? session::limits_without_patience() : compiler::Limits{});
    if (const auto running = running_case(c, *verdict, server, installation.compiler)) {
        return report_on(*running, name, pipeline::Options{}, versions);
    }
    return render::report(c, *verdict, render::gather(c, *verdict, server), installation,
                          in_words(versions, installation.compiler));
}

Issues issues_of(const std::vector<Bug>& found, const std::vector<Known>& known, const fs::path& folder,
                 const compiler::Compiler& compiler) {
    Issues issues;
    std::vector<Reported> reported;
    for (const Bug& bug : found) {
        if (!is_reported(bug.state)) { continue; }
        issues.list += entry(++issues.bugs, bug, known);
        // Faults of haruspex itself are not reported upstream.
        const bool is_ours = !bug.failure.empty() || verdict::is_own_fault(bug.smallest.verdict.cls);
        if (folder.empty() || is_ours) { continue; }
        const verdict::Verdict& verdict = bug.smallest.verdict;
        const auto waited_for = verdict::is_hang(verdict.cls) ? std::optional(verdict) : std::nullopt;
        const auto report = report_on(bug.smallest.c, bug.group, session::judging_again(verdict),
                                      versions_of(bug.known, known), waited_for);
        if (!report) {
            issues.list += fmt::format("    {}\n", to_string(report.error()));
            continue;
        }
        for (const auto& [name, content] : report->files) { issues.files[bug.group + "/" + name] = content; }
        reported.push_back({&bug, report->title, report->pipeline, bug.group + "/" + render::page_file});
        issues.list += fmt::format("    {}\n", (folder / bug.group).string());
    }
    issues.list += remainder(found, known);
    if (!reported.empty()) {
        issues.files[index_file] = to_html(reported, found, known, title_of(compiler));
        issues.list += fmt::format("in a browser: {}\n", (folder / index_file).string());
    }
    return issues;
}

Result<void> write_issues(const Issues& issues, const fs::path& asked, bool may_replace) {
    // "out/" and "out" name the same folder.
    const fs::path folder = asked.has_filename() ? asked : asked.parent_path();
    store::remove_leftovers_of(folder);
    std::error_code error;
    if (fs::exists(folder, error) && !may_replace) {
        return holds(folder, issues.files) ? Result<void>() : taken(asked);
    }
    if (!issues.files.empty()) { return store::write_folder(folder, issues.files); }
    fs::remove_all(folder, error);
    return error ? fail("cannot remove " + folder.string() + ": " + error.message()) : Result<void>();
}

std::unexpected<Error> taken(const fs::path& folder) {
    return fail(folder.string() + " exists already; expected a name that is free");
}

}  // namespace haruspex::bugs
