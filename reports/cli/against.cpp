#include "reports/cli/against.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "reports/campaign/against.h"
#include "reports/campaign/indices.h"
#include "reports/cli/status_line.h"
#include "reports/cli/stopping.h"
#include "reports/render/table.h"
#include "reports/session/peer.h"
#include "reports/store/files.h"

namespace haruspex::cli {
namespace {

namespace fs = std::filesystem;
using campaign::Change;

// "new-finding"
std::string folder_name(campaign::Disagreement how) {
    std::string text(name(how));
    std::ranges::replace(text, ' ', '-');
    return text;
}

std::string seed_of(const campaign::Options& options) {
    return options.cases_from ? "0" : std::to_string(options.seed);
}

// DIR/worse/new-finding/7-123
fs::path place_of(const campaign::Disagreeing& one, const campaign::Options& options) {
    return options.out / name(change(one.how)) / folder_name(one.how) /
           fmt::format("{}-{}", seed_of(options), one.index);
}

std::string words(const session::Greeting& build) {
    return fmt::format("haruspex {}, {} {}{}", build.haruspex, build.compiler.name, build.compiler.version,
                       build.package.empty() ? "" : " (" + build.package + ")");
}

// A line for what each build makes of a case.
std::string table(const campaign::Against& against, const campaign::Options& options) {
    render::Table table;
    table.header = {"", "", "seed", "index", "", "verdict"};
    for (const Change kind : {Change::worse, Change::better, Change::other}) {
        for (const campaign::Disagreeing& one : against.disagreeing) {
            if (change(one.how) != kind) { continue; }
            table.rows.push_back({std::string(name(kind)), std::string(name(one.how)), seed_of(options),
                                  std::to_string(one.index), "there", campaign::in_words(one.c, one.there)});
            table.rows.push_back({"", "", "", "", "here", campaign::in_words(one.c, one.here)});
        }
    }
    return table.rows.empty() ? std::string() : to_text(table) + "\n";
}

std::string text(const campaign::Against& against, const std::string& label, const campaign::Options& options) {
    std::string text = fmt::format("here   {}\nthere  {}: {}\n\n", words(against.here), label, words(against.there));
    text += table(against, options);
    text += fmt::format("{} cases{}: {} worse, {} better, {} otherwise\n", against.cases,
                        against.interrupted ? ", interrupted" : "", against.count(Change::worse),
                        against.count(Change::better), against.count(Change::other));
    if (!against.not_repeated.empty()) {
        text += fmt::format("{} differ at first and not when they are judged again: {}\n", against.not_repeated.size(),
                            campaign::to_text(against.not_repeated));
    }
    for (const campaign::NotJudged& one : against.not_judged) {
        text += fmt::format("case {} is not judged: {}\n", one.index, one.reason);
    }
    return text;
}

Result<void> expect_empty(const fs::path& folder) {
    std::error_code error;
    if (fs::exists(folder, error) && !fs::is_empty(folder, error)) {
        return fail(folder.string() + " is not empty; expected a new or empty folder");
    }
    if (error) { return fail("cannot read the folder " + folder.string() + ": " + error.message()); }
    return store::make_folder(folder);
}

std::string in_words(const campaign::AgainstProgress& progress) {
    return fmt::format("{} cases, worse {}, better {}, otherwise {}, {} so far", progress.cases, progress.worse,
                       progress.better, progress.other, clock(progress.elapsed));
}

}  // namespace

Result<ExitCode> fuzz_against(const std::string& where, const campaign::Options& options, compiler::Compiler& compiler,
                              Output& output) {
    const auto peer = session::peer(where);
    if (!peer) { return fail(peer.error()); }
    const bool is_kept = !options.out.empty();
    if (is_kept) {
        if (const auto empty = expect_empty(options.out); !empty) { return fail(empty.error()); }
    }
    const std::atomic<bool>& stop_requested = stop_on_signals();
    StatusLine status;
    const auto against = campaign::run_against(
        *peer, options, compiler, stop_requested,
        [&](const campaign::Disagreeing& one, const campaign::Against& so_far) -> Result<void> {
            if (!is_kept) { return {}; }
            return campaign::file(one, so_far, options, compiler.build_flags(), place_of(one, options));
        },
        [&](const campaign::AgainstProgress& progress) { status.show(in_words(progress), progress.elapsed); });
    status.finish();
    if (!against) { return fail(against.error()); }
    if (is_kept) {
        const auto written = store::write_atomically(options.out / "against.json", to_json(*against, options));
        if (!written) { return fail(written.error()); }
    }
    output.print(text(*against, peer->label, options));
    if (against->count(Change::worse) > 0) { return findings; }
    return against->not_judged.empty() ? nothing_found : own_fault;
}

}  // namespace haruspex::cli
