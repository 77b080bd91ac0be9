#include "reports/cli/triaging.h"
#include "oracle/pipeline/judge_case.h"

#include <cstdio>
#include <filesystem>
#include <map>

#include "reports/bugs/page.h"
#include "reports/campaign/settings.h"
#include "reports/cli/command.h"
#include "reports/cli/compilers.h"
#include "reports/cli/filing.h"
#include "reports/render/view.h"
#include "reports/store/files.h"
#include "reports/store/journal.h"

namespace haruspex::cli {
namespace {

namespace fs = std::filesystem;

// The compiler's answers: without the validator, with it, and from the first look at hangs.
struct Journals {
    store::Journal plain, validated, glanced;

    static fs::path plain_file(const std::string& campaign) { return fs::path(campaign) / "triage.journal"; }
    static fs::path validated_file(const std::string& campaign) {
        return fs::path(campaign) / "triage-validated.journal";
    }
    static fs::path glanced_file(const std::string& campaign) { return fs::path(campaign) / "triage-glanced.journal"; }
    // Whether a triage of the campaign was killed and left its journals.
    static bool are_in(const std::string& campaign) {
        std::error_code error;
        return fs::exists(plain_file(campaign), error) || fs::exists(validated_file(campaign), error) ||
               fs::exists(glanced_file(campaign), error);
    }
    static Result<Journals> open(const std::string& campaign, const compiler::Identity& identity) {
        const std::string question = store::versions_of(identity.name + " " + identity.version);
        auto plain = store::Journal::open(plain_file(campaign), question);
        if (!plain) { return fail(plain.error()); }
        auto validated = store::Journal::open(validated_file(campaign), question);
        if (!validated) { return fail(validated.error()); }
        auto glanced = store::Journal::open(glanced_file(campaign), question);
        if (!glanced) { return fail(glanced.error()); }
        return Journals{std::move(*plain), std::move(*validated), std::move(*glanced)};
    }
    void remove() const {
        plain.remove();
        validated.remove();
        glanced.remove();
    }
};

Result<std::vector<bugs::Bug>> bugs_of(std::vector<bugs::Group> groups, const std::vector<bugs::Known>& known,
                                       bugs::Options options, compiler::Compiler& compiler, const Journals& journals) {
    const auto identity = compiler.identity();
    compiler::ForkServer server(compiler, {});
    const bugs::ExamineFor examine = [&](const store::Finding& finding) -> minimize::Examine {
        return [&, judging = judging_again(finding.verdict)](const cases::Case& c) {
            const store::Journal& journal = judging.validate ? journals.validated : journals.plain;
            return journal.answer(c, [&] { return pipeline::judge_case(c, server, identity, judging).verdict; });
        };
    };
    options.glance_for = [&](const store::Finding& finding) -> minimize::Examine {
        const auto limits = limits_of_glance(finding.verdict);
        if (!limits) { return {}; }
        return [&, glancing = std::make_shared<compiler::ForkServer>(compiler, *limits),
                judging = judging_again(finding.verdict)](const cases::Case& c) {
            return journals.glanced.answer(
                c, [&] { return pipeline::judge_case(c, *glancing, identity, judging).verdict; });
        };
    };
    options.language = &compiler::language_of(identity);
    options.passes = pass_order(server);
    const std::size_t count = groups.size();
    return bugs::find_bugs(std::move(groups), known, examine, options,
                           [count](std::size_t number, const bugs::Group& group) {
                               std::fprintf(stderr, "%zu of %zu groups: %s\n", number, count, group.name.c_str());
                           });
}

// The page of all bugs, in the folder of issues.
constexpr const char* index_file = "index.html";

// The printed list, and the files for the folder of issues by relative path.
struct Page {
    std::size_t bugs = 0;
    std::string text;
    std::map<std::string, std::string> files;
};

// The compiler for a reader: name, version, package.
std::string title_of(const compiler::Compiler& compiler) {
    const auto identity = compiler.identity();
    return std::string(render::view(identity.name).title()) + " " + identity.version + ", " + compiler.package();
}

Page page_of(const std::vector<bugs::Bug>& found, const std::vector<bugs::Known>& known, const fs::path& issues,
             const compiler::Compiler& compiler) {
    Page page;
    std::vector<bugs::Reported> reported;
    for (const bugs::Bug& bug : found) {
        if (!bugs::is_reported(bug.state)) { continue; }
        page.text += bugs::entry(++page.bugs, bug);
        // Faults of haruspex itself are not reported upstream.
        const bool is_ours = !bug.failure.empty() || verdict::is_own_fault(bug.smallest.verdict.cls);
        if (issues.empty() || is_ours) { continue; }
        const auto report = report_on(bug.smallest.c, bug.group, judging_again(bug.smallest.verdict));
        if (!report) {
            page.text += "    " + to_string(report.error()) + "\n";
            continue;
        }
        for (const auto& [name, content] : report->files) { page.files[bug.group + "/" + name] = content; }
        reported.push_back({&bug, report->title, report->pipeline, bug.group + "/" + render::page_file});
        page.text += "    " + (issues / bug.group).string() + "\n";
    }
    page.text += bugs::remainder(found, known);
    if (!reported.empty()) {
        page.files[index_file] = bugs::to_html(reported, found, known, title_of(compiler));
        page.text += "in a browser: " + (issues / index_file).string() + "\n";
    }
    return page;
}

std::unexpected<Error> taken(const std::string& folder) {
    return fail(folder + " exists already; expected a name that is free");
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

Result<void> write_issues(const Triaging& triaging, const Page& page) {
    // "out/" and "out" name the same folder.
    fs::path folder = triaging.issues;
    if (!folder.has_filename()) { folder = folder.parent_path(); }
    store::remove_leftovers_of(folder);
    std::error_code error;
    const bool is_there = fs::exists(folder, error);
    if (is_there && !triaging.replaces_issues) {
        return holds(folder, page.files) ? Result<void>() : taken(triaging.issues);
    }
    if (!page.files.empty()) { return store::write_folder(folder, page.files); }
    fs::remove_all(folder, error);
    return error ? fail("cannot remove " + folder.string() + ": " + error.message()) : Result<void>();
}

}  // namespace

Result<std::vector<bugs::Known>> known_in(const std::string& folder) {
    if (folder.empty()) { return std::vector<bugs::Known>(); }
    return bugs::load_known(folder);
}

Result<Triaged> triage(const Triaging& triaging, const std::vector<bugs::Known>& known) {
    std::error_code error;
    const bool is_taken = !triaging.issues.empty() && !triaging.replaces_issues && fs::exists(triaging.issues, error);
    if (is_taken && !Journals::are_in(triaging.campaign)) { return taken(triaging.issues); }
    if (const auto stored = campaign::stored_options(triaging.campaign); stored && *stored) {
        become_owner_of((*stored)->compiler);
    }
    auto groups = bugs::groups_in(triaging.campaign);
    if (!groups) { return fail(groups.error()); }
    const auto made = compiler_named(groups->empty() ? default_compiler() : groups->front().smallest.c.compiler);
    if (!made) { return fail(made.error()); }
    const auto& compiler = *made;
    const auto journals = Journals::open(triaging.campaign, compiler->identity());
    if (!journals) { return fail(journals.error()); }
    const auto found = bugs_of(std::move(*groups), known, triaging.options, *compiler, *journals);
    if (!found) { return fail(found.error()); }
    const Page page = page_of(*found, known, triaging.issues, *compiler);
    if (!triaging.issues.empty()) {
        if (auto written = write_issues(triaging, page); !written) { return fail(written.error()); }
    }
    print(triaging.heading + page.text);
    journals->remove();
    Triaged triaged{page.bugs};
    for (const bugs::Bug& bug : *found) {
        if (!bug.known.empty()) { triaged.explained_faults += bug.own_faults; }
        if (!bug.failure.empty()) { ++triaged.failures; }
    }
    return triaged;
}

}  // namespace haruspex::cli
