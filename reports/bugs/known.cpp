#include "reports/bugs/known.h"

#include <algorithm>
#include <array>

#include "generators/schedule/language.h"
#include "reports/store/files.h"

namespace haruspex::bugs {
namespace {

namespace fs = std::filesystem;

using Fingerprints = std::vector<Fingerprint> Known::*;

const Known* find_named(const std::vector<Known>& known, const std::string& name) {
    const auto at = std::ranges::find(known, name, &Known::name);
    return at == known.end() ? nullptr : &*at;
}

// Returns the representative of the first bug for which `matches` holds, among those that the finding may be of.
template <typename Matches>
const Known* find_bug(const std::vector<Known>& known, const Fingerprint& finding, const triage::PassOrder& order,
                      Matches matches) {
    for (const Known& bug : known) {
        if (!matches(bug) || is_of_another(bug, finding, order)) { continue; }
        const Known& counts_as = representative(known, bug);
        // Where a bug has the fingerprint as its own, what its representative says of it is older.
        const bool is_own = std::ranges::find(bug.fingerprints, finding) != bug.fingerprints.end();
        if (is_own || !is_of_another(counts_as, finding, order)) { return &counts_as; }
    }
    return nullptr;
}

template <typename Matches>
const Known* find_if(const std::vector<Known>& known, const Fingerprint& finding, const triage::PassOrder& order,
                     Fingerprints among, Matches matches) {
    return find_bug(known, finding, order, [&](const Known& bug) { return std::ranges::any_of(bug.*among, matches); });
}

// An Error if following `same_as` does not end at a bug.
Result<void> check_same_as(const std::vector<Known>& known, const fs::path& folder) {
    for (const Known& bug : known) {
        const Known* at = &bug;
        for (std::size_t steps = 0; !at->same_as.empty(); ++steps) {
            const std::string file = file_of(*at, folder).string();
            const Known* const next = find_named(known, at->same_as);
            if (next == nullptr) {
                return fail(file + ": there is no known bug \"" + at->same_as + "\"; expected one of this folder");
            }
            if (steps == known.size()) { return fail(file + ": the bug counts as itself; expected another one"); }
            at = next;
        }
    }
    return {};
}

// Whether the bug's file says that the feature plays no part in it.
bool is_irrelevant(const Known& bug, const std::string& feature) {
    const std::size_t colon = feature.find(':');
    return bug.irrelevant.contains(feature) ||
           (colon != feature.npos && bug.irrelevant.contains(feature.substr(0, colon + 1)));
}

}  // namespace

std::string_view name(Status status) {
    constexpr std::array<std::string_view, status_count> names{"open", "fixed", "documented"};
    return names.at(static_cast<std::size_t>(status));
}

std::string compiler_of(const Known& known) {
    return known.fingerprints.empty() ? std::string(schedule::compilers().front())
                                      : known.fingerprints.front().compiler;
}

Result<std::vector<Known>> load_known(const fs::path& folder) {
    std::vector<fs::path> files;
    bool is_empty = true;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        is_empty = false;
        if (at->path().extension() == ".json") { files.push_back(at->path()); }
    }
    if (error) { return fail("cannot read " + folder.string() + ": " + error.message()); }
    if (files.empty() && !is_empty) {
        return fail("no known bug in " + folder.string() +
                    "; expected files of known bugs, NAME.json, or an empty folder");
    }
    std::ranges::sort(files);
    std::vector<Known> all;
    for (const fs::path& file : files) {
        const auto text = store::read_file(file);
        if (!text) { return fail(text.error()); }
        auto known = parse_known(*text, file.string());
        if (!known) { return fail(known.error()); }
        all.push_back(std::move(*known));
    }
    if (auto checked = check_same_as(all, folder); !checked) { return fail(checked.error()); }
    return all;
}

Result<std::vector<Known>> known_in(const fs::path& folder) {
    return folder.empty() ? std::vector<Known>() : load_known(folder);
}

Result<void> save_known(const Known& known, const fs::path& folder) {
    if (auto made = store::make_folder(folder); !made) { return made; }
    return store::write_atomically(file_of(known, folder), to_json(known));
}

fs::path file_of(const Known& known, const fs::path& folder) { return folder / (known.name + ".json"); }

bool is_report_of(const Known& known, const fs::path& folder, const fs::path& report) {
    if (known.report.empty()) { return false; }
    std::error_code error;
    return fs::weakly_canonical(folder / known.report, error) == fs::weakly_canonical(report, error);
}

bool is_of_another(const Known& bug, const Fingerprint& finding, const triage::PassOrder& order) {
    if (std::ranges::find(bug.fingerprints, finding) != bug.fingerprints.end()) { return false; }
    return std::ranges::any_of(
        bug.others, [&](const Fingerprint& other) { return other == finding || is_nearly(finding, other, order); });
}

const Known& representative(const std::vector<Known>& known, const Known& bug) {
    const Known* at = &bug;
    for (std::size_t steps = 0; !at->same_as.empty() && steps < known.size(); ++steps) {
        const Known* const next = find_named(known, at->same_as);
        if (next == nullptr) { break; }
        at = next;
    }
    return *at;
}

const Known* find(const std::vector<Known>& known, const Fingerprint& fingerprint, const triage::PassOrder& order,
                  minimize::Ending ending) {
    const auto is_same = [&](const Fingerprint& one) { return one == fingerprint; };
    if (const Known* same = find_if(known, fingerprint, order, &Known::fingerprints, is_same)) { return same; }
    const auto is_near = [&](const Fingerprint& one) { return is_nearly(fingerprint, one, order); };
    if (const Known* near = find_if(known, fingerprint, order, &Known::fingerprints, is_near)) { return near; }
    const bool is_minimal = ending == minimize::Ending::fixpoint;
    const bool is_failure = verdict::is_compiler_failure(fingerprint.symptom.cls);
    if (is_failure && !is_minimal && is_in_a_pass(fingerprint.symptom)) {
        return find_covering(known, fingerprint, order);
    }
    if (is_failure || is_minimal) {
        return find_bug(known, fingerprint, order, [&](const Known& bug) { return explains(bug, fingerprint, order); });
    }
    return nullptr;
}

bool explains(const Known& bug, const Fingerprint& finding, const triage::PassOrder& order) {
    return std::ranges::any_of(bug.covers, [&](const Fingerprint& cover) {
        if (!is_covered(finding, cover, order)) { return false; }
        if (tells_place(finding.symptom, cover.symptom)) { return true; }
        return std::ranges::any_of(bug.fingerprints, [&](const Fingerprint& own) {
            std::set<std::string> seen = cover.features;
            seen.insert(own.features.begin(), own.features.end());
            return std::ranges::all_of(needs_beyond(finding, seen),
                                       [&](const std::string& feature) { return is_irrelevant(bug, feature); });
        });
    });
}

const Known* find_covering(const std::vector<Known>& known, const Fingerprint& fingerprint,
                           const triage::PassOrder& order) {
    return find_if(known, fingerprint, order, &Known::covers,
                   [&](const Fingerprint& one) { return is_covered(fingerprint, one, order); });
}

const Known* find_similar(const std::vector<Known>& known, const Fingerprint& fingerprint,
                          const triage::PassOrder& order) {
    const auto is_similar = [&](const Fingerprint& one) {
        const bool is_one =
            one.symptom == fingerprint.symptom || triage::may_be_one_check(one.symptom, fingerprint.symptom, order);
        return one.compiler == fingerprint.compiler && is_one && directives(one) == directives(fingerprint);
    };
    if (const Known* similar = find_if(known, fingerprint, order, &Known::fingerprints, is_similar)) { return similar; }
    return find_covering(known, fingerprint, order);
}

}  // namespace haruspex::bugs
