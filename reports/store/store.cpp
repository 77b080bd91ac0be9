#include "reports/store/store.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "generators/case/json.h"
#include "generators/sare/text.h"
#include "generators/tensor/from_sare.h"
#include "generators/tensor/print.h"
#include "reports/store/files.h"
#include "reports/store/json_parts.h"
#include "reports/store/version.h"

namespace haruspex::store {
namespace {

namespace fs = std::filesystem;
using cases::json::Fields;
using cases::json::Reader;

constexpr const char* marker = ".haruspex";
constexpr std::array<const char*, 2> collections{"findings", "faults"};
constexpr std::string_view program_attachment = "repro.cpp";      // most findings have it, not all
constexpr std::string_view query_attachments = "contradiction-";  // queries on which two solvers disagree
constexpr std::string_view tensor_attachment = "program.tensor";  // findings of programs of whole tensors have it

std::string verdict_file(const Finding& finding) {
    // A string: seeds are any 64-bit numbers, which many readers of JSON round.
    return dump({{"haruspex_finding", 1},
                 {"seed", std::to_string(finding.seed)},
                 {"index", std::to_string(finding.index)},
                 {"group", finding.group},
                 {"haruspex", haruspex_version()},
                 {"compiler", {{"name", finding.compiler.name}, {"version", finding.compiler.version}}},
                 {"verdict", verdict_tree(finding.verdict)}},
                true) +
           "\n";
}

std::string case_file(const cases::Case& c) { return cases::to_json(c, true) + "\n"; }

std::string program_file(const cases::Case& c) {
    std::string text = sare::print(c.sare) + "\nschedule\n" + schedule::print(c.schedule) + "\nsizes\n";
    for (const auto& [name, size] : c.sizes) { text += name + " = " + std::to_string(size) + "\n"; }
    return text;
}

// " --mutant NAMES" for a compiler with seeded bugs, whose version is "14.0.0+NAMES"; empty otherwise.
std::string mutant_option(const compiler::Identity& compiler) {
    const std::size_t plus = compiler.version.find('+');
    return plus == std::string::npos ? "" : " --mutant " + compiler.version.substr(plus + 1);
}

// Nothing in a folder says where it lies: it is moved, merged and sent.
std::string reproduce_file(const Finding& finding) {
    const std::string mutant = mutant_option(finding.compiler);
    const std::string stored = "# in this folder:\nharuspex reproduce ." + mutant + "\n";
    if (!finding.seeded) { return stored; }
    const std::string seed = std::to_string(finding.seed);
    const std::string index = std::to_string(finding.index);
    const std::string options = finding.options.empty() ? "" : finding.options + " ";
    return stored + "# or, drawn again by the same version of haruspex:\nharuspex generate " + options + "--seed " +
           seed + " --first " + index + " --count 1 | haruspex run -" + mutant + "\n";
}

std::map<std::string, std::string> members(const Finding& finding) {
    std::map<std::string, std::string> files = finding.attachments;
    files["case.json"] = case_file(finding.c);
    files["verdict.json"] = verdict_file(finding);
    files["program.txt"] = program_file(finding.c);
    if (const auto whole = tensor::from_sare(finding.c.sare)) {
        files[std::string(tensor_attachment)] = tensor::print(*whole);
    }
    files["reproduce.txt"] = reproduce_file(finding);
    return files;
}

// Returns the name of a file that no finding has, and that would be lost if a finding replaced the folder.
Result<std::optional<std::string>> foreign_file(const fs::path& folder,
                                                const std::map<std::string, std::string>& files) {
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        const bool is_ours = files.contains(name) || name == program_attachment || name == tensor_attachment ||
                             name.starts_with(query_attachments);
        if (!is_ours) { return name; }
    }
    if (error) { return fail("cannot read " + folder.string() + ": " + error.message()); }
    return std::nullopt;
}

// Returns the first folder, of this name or with a number behind it, that is free or holds the same case.
fs::path place_for(const Finding& finding, const fs::path& name) {
    const std::string content = case_file(finding.c);
    fs::path place = name;
    for (int number = 2;; ++number) {
        std::error_code error;
        if (!fs::exists(place, error)) { return place; }
        const auto there = read_file(place / "case.json");
        if (there && *there == content) { return place; }
        place = name.string() + "-" + std::to_string(number);
    }
}

std::uint64_t read_number(Fields& fields, std::string_view key) {
    return static_cast<std::uint64_t>(fields.integer(key, 0, std::numeric_limits<std::uint64_t>::max()));
}

Result<Finding> parse_finding(const std::string& text, const std::string& file) {
    const auto document = cases::json::Document::parse(text, file);
    if (!document) { return fail(document.error()); }
    Reader reader(*document);
    Finding finding;
    Fields fields(reader, document->root(), "a finding",
                  {"haruspex_finding", "seed", "index", "group", "haruspex", "compiler", "verdict"});
    if (!reader.failed()) {
        fields.integer("haruspex_finding", 1, 1);
        finding.seed = read_number(fields, "seed");
        finding.index = read_number(fields, "index");
        finding.group = fields.text("group");
        Fields identity(reader, fields.at("compiler"), "a compiler", {"name", "version"});
        finding.compiler.name = identity.text("name");
        finding.compiler.version = identity.text("version");
        finding.compiler.major = major_of(finding.compiler.version);
        finding.verdict = read_verdict(reader, fields.at("verdict"));
    }
    if (reader.failed()) { return fail(reader.first_error()); }
    return finding;
}

}  // namespace

bool is_campaign(const fs::path& folder) {
    std::error_code error;
    return fs::exists(folder / marker, error);
}

std::uint64_t footprint(const Finding& finding) {
    constexpr std::uint64_t block = 4096;
    std::uint64_t bytes = 0;
    // The path of the folder does not matter: it is too short to fill a block.
    for (const auto& [name, content] : members(finding)) { bytes += (content.size() + block - 1) / block * block; }
    return bytes;
}

Result<Store> Store::open(const fs::path& directory) {
    if (auto made = make_folder(directory); !made) { return fail(made.error()); }
    std::error_code error;
    // In this order: another process that begins in the folder writes the marker, and then the folder is not empty.
    const bool empty = fs::is_empty(directory, error);
    const bool ours = !error && fs::exists(directory / marker, error);
    if (!error && !ours && !empty) {
        return fail(directory.string() + " is not empty and not a folder of haruspex; expected a new or empty folder");
    }
    if (error) { return fail("cannot read the folder " + directory.string() + ": " + error.message()); }
    // Also finds out at once, not after the first hour, that the folder cannot be written. Only the marker's presence
    // counts; under a temporary name another process that begins could take it for a left-over.
    if (auto marked = write_synced(directory / marker, haruspex_version() + "\n"); !marked) {
        return fail(marked.error());
    }
    return Store(directory);
}

void Store::remove_leftovers() const {
    std::error_code error;
    std::vector<fs::path> leftovers;
    for (fs::recursive_directory_iterator at(directory_, error), end; at != end && !error; at.increment(error)) {
        if (is_temporary(at->path())) {
            leftovers.push_back(at->path());
            at.disable_recursion_pending();
        }
    }
    for (const fs::path& leftover : leftovers) { fs::remove_all(leftover, error); }
}

Result<fs::path> Store::add(const Finding& finding) {
    const fs::path group = directory_ / collections[verdict::is_finding(finding.verdict.cls) ? 0 : 1] / finding.group;
    const fs::path folder =
        place_for(finding, group / (std::to_string(finding.seed) + "-" + std::to_string(finding.index)));
    if (auto written = write_folder(folder, members(finding)); !written) { return fail(written.error()); }
    // The names of the folders above are new with the first finding of a group.
    for (const fs::path& above : {group.parent_path(), directory_}) {
        if (auto synced = sync_folder(above); !synced) { return fail(synced.error()); }
    }
    return folder;
}

Result<void> Store::write_summary(const std::string& json) const {
    return write_atomically(directory_ / "summary.json", json);
}

Result<void> write_finding(const Finding& finding, const fs::path& folder) {
    std::error_code error;
    // "out/" and "out" are the same folder.
    const fs::path place = fs::absolute(folder.has_filename() ? folder : folder.parent_path());
    const bool is_free = !fs::exists(place, error) || fs::is_empty(place, error);
    if (!error && !is_free && !fs::exists(place / "verdict.json", error)) {
        return fail(folder.string() + " is not a finding's folder; expected one, or a new or empty folder");
    }
    if (error) { return fail("cannot read " + folder.string() + ": " + error.message()); }
    const std::map<std::string, std::string> files = members(finding);
    if (!is_free) {
        const auto foreign = foreign_file(place, files);
        if (!foreign) { return fail(foreign.error()); }
        if (*foreign) {
            return fail(folder.string() + " holds " + **foreign + ", which is no file of a finding and would be lost");
        }
    }
    remove_leftovers_of(place);
    return write_folder(place, files);
}

Result<Finding> load_finding(const fs::path& path) {
    std::error_code error;
    if (!fs::exists(path, error)) { return fail(path.string() + ": no such file or folder"); }
    const bool is_folder = fs::is_directory(path, error);
    const fs::path folder = is_folder ? path : path.parent_path();
    if (!fs::exists(folder / "verdict.json", error)) {
        return fail(path.string() + (is_folder ? " is not a finding's folder: there is no verdict.json in it"
                                               : " is no file of a finding: there is no verdict.json beside it"));
    }
    const auto verdict_text = read_file(folder / "verdict.json");
    if (!verdict_text) { return fail(verdict_text.error()); }
    auto finding = parse_finding(*verdict_text, (folder / "verdict.json").string());
    if (!finding) { return finding; }
    const auto case_text = read_file(folder / "case.json");
    if (!case_text) { return fail(case_text.error()); }
    auto c = cases::parse_case(*case_text, (folder / "case.json").string());
    if (!c) { return fail(c.error()); }
    finding->c = std::move(*c);
    return finding;
}

}  // namespace haruspex::store
