#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "generators/case/located_json.h"
#include "generators/schedule/language.h"
#include "oracle/verdict/verdict.h"
#include "reports/bugs/json_words.h"
#include "reports/bugs/known.h"
#include "reports/bugs/versions.h"
#include "reports/bugs/versions_json.h"
#include "reports/session/compilers.h"
#include "reports/store/failed_check_json.h"

namespace haruspex::bugs {
namespace {

using cases::json::Fields;
using cases::json::Node;
using cases::json::Reader;

nlohmann::ordered_json tree_of(const Fingerprint& fingerprint) {
    const triage::Symptom& symptom = fingerprint.symptom;
    nlohmann::ordered_json tree{{"class", verdict::name(symptom.cls)},
                                {"pass", symptom.pass ? to_string(*symptom.pass) : std::string()}};
    if (const auto* check = std::get_if<FailedCheck>(&symptom.sign)) {
        tree["trouble"] = store::failed_check_tree(*check);
    } else {
        tree["trouble"] = triage::to_string(symptom.sign);
    }
    tree["features"] = fingerprint.features;
    return tree;
}

triage::Sign read_sign(Reader& reader, const Node& node) {
    if (std::holds_alternative<cases::json::Object>(node.value)) { return store::read_failed_check(reader, node); }
    return triage::parse_sign(reader.text(node));
}

Fingerprint read_fingerprint(Reader& reader, const Node& node, const std::string& compiler) {
    Fingerprint fingerprint;
    fingerprint.compiler = compiler;
    Fields fields(reader, node, "a fingerprint", {"class", "pass", "trouble", "features"});
    if (reader.failed()) { return fingerprint; }
    const std::string cls = fields.text("class"), pass = fields.text("pass");
    fingerprint.symptom.sign = read_sign(reader, fields.at("trouble"));
    if (reader.failed()) { return fingerprint; }
    if (const auto known = verdict::parse_class(cls)) {
        fingerprint.symptom.cls = *known;
    } else {
        reader.error(fields.at("class").offset,
                     "unknown class \"" + cls + "\"; expected one such as \"wrong_lowering\"");
    }
    fingerprint.symptom.pass = verdict::parse_pass_interval(pass);
    if (!pass.empty() && !fingerprint.symptom.pass) {
        reader.error(fields.at("pass").offset, "malformed interval of passes \"" + pass +
                                                   "\"; expected one such as \"(source, simplify.4]\", or \"\"");
    }
    for (const Node& feature : reader.array(fields.at("features"))) {
        if (!fingerprint.features.insert(reader.text(feature)).second) {
            reader.error(feature.offset, "the feature is listed twice; expected each feature once");
        }
    }
    return fingerprint;
}

AtVersion read_row(Reader& reader, const Node& node) {
    AtVersion row;
    Fields fields(reader, node, "a version", {"version", "presence"}, {"symptom", "program_fails"});
    if (reader.failed()) { return row; }
    row.version = read_version(reader, fields.at("version"));
    row.presence = read_word<Presence>(reader, fields.at("presence"), presence_count);
    if (const Node* symptom = fields.find("symptom")) {
        row.symptom = reader.text(*symptom);
        if (!reader.failed() && row.presence != Presence::differs) {
            reader.error(symptom->offset, "the case does not differ; expected a symptom only beside \"differs\"");
        }
    }
    if (const Node* fails = fields.find("program_fails")) { row.program_fails = reader.boolean(*fails); }
    return row;
}

std::vector<AtVersion> read_versions(Reader& reader, const Node& node) {
    std::vector<AtVersion> rows;
    for (const Node& one : reader.array(node)) {
        AtVersion row = read_row(reader, one);
        if (reader.failed()) { return rows; }
        if (!rows.empty() && !is_older(rows.back().version, row.version)) {
            reader.error(one.offset, "version " + row.version + " stands after " + rows.back().version +
                                         "; expected each version once, the oldest first");
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

Upstream read_upstream(Reader& reader, const Node& node) {
    const std::string text = reader.text(node);
    const auto upstream = parse_upstream(text);
    if (!upstream && !reader.failed()) {
        reader.error(node.offset,
                     "malformed address \"" + text + "\"; expected one such as \"https://…\", or \"none found\"");
    }
    return upstream.value_or(Upstream{});
}

// Reports a cover that would match other bugs as well (known.h).
void check_cover(Reader& reader, const Node& node, const Fingerprint& cover) {
    if (reader.failed() || is_in_a_pass(cover.symptom) || verdict::is_compiler_failure(cover.symptom.cls)) { return; }
    if (cover.features.size() < 2) {
        reader.error(node.offset, "the cover is of a place where many bugs show; expected at least two features");
    }
}

// Reads the features that are irrelevant to the bug, and kinds of them.
void read_irrelevant(Reader& reader, const Node& node, Known& known) {
    const bool is_anywhere =
        std::ranges::any_of(known.covers, [](const Fingerprint& cover) { return !is_in_a_pass(cover.symptom); });
    for (const Node& entry : reader.array(node)) {
        const std::string feature = reader.text(entry);
        if (reader.failed()) { return; }
        const bool is_kind = feature.ends_with(':');
        // A bug of a compiler that only another executable has was checked there when it was written.
        const schedule::Language* language = schedule::find_language(compiler_of(known));
        const bool is_of_schedules = language != nullptr && language->trait(feature).has_value();
        if (is_kind && is_of_schedules && is_anywhere) {
            reader.error(entry.offset,
                         "all features \"" + feature +
                             "\" are irrelevant, and a cover is of a place where many bugs show; expected "
                             "each irrelevant one by its name");
        }
        if (!known.irrelevant.insert(feature).second) {
            reader.error(entry.offset, "the feature is listed twice; expected each feature once");
        }
    }
}

Known read_known(Reader& reader, const Node& node) {
    Known known;
    Fields fields(reader, node, "a known bug", {"haruspex_known", "status", "reason", "fingerprints"},
                  {"compiler", "report", "upstream", "covers", "irrelevant", "versions", "not", "same_as"});
    if (reader.failed()) { return known; }
    fields.integer("haruspex_known", 1, 1);
    known.status = read_word<Status>(reader, fields.at("status"), status_count);
    known.reason = fields.text("reason");
    if (!reader.failed() && known.reason.empty()) {
        reader.error(fields.at("reason").offset,
                     "the reason is empty; expected why findings of this bug are not reported again");
    }
    std::string compiler(schedule::compilers().front());
    if (const Node* named = fields.find("compiler")) {
        compiler = reader.text(*named);
        if (!reader.failed() && schedule::find_language(compiler) == nullptr &&
            !session::other_compilers().contains(compiler)) {
            reader.error(named->offset, "unknown compiler \"" + compiler + "\"; expected one of this build");
        }
    }
    if (fields.find("report") != nullptr) { known.report = fields.text("report"); }
    if (const Node* upstream = fields.find("upstream")) { known.upstream = read_upstream(reader, *upstream); }
    if (known.report.empty() && known.upstream.look_up != LookUp::found) {
        reader.error(node.offset, "the bug is not described; expected \"report\", an address as \"upstream\", or both");
    }
    const auto& fingerprints = reader.array(fields.at("fingerprints"));
    for (const Node& fingerprint : fingerprints) {
        known.fingerprints.push_back(read_fingerprint(reader, fingerprint, compiler));
    }
    if (fingerprints.empty() && known.report.empty()) {
        reader.error(fields.at("fingerprints").offset,
                     "there is no fingerprint; expected at least one, or a \"report\" whose program shows the bug");
    }
    if (fingerprints.empty() && compiler != schedule::compilers().front()) {
        reader.error(fields.at("compiler").offset, "there is no fingerprint; expected at least one of this compiler");
    }
    if (const Node* covers = fields.find("covers")) {
        for (const Node& cover : reader.array(*covers)) {
            known.covers.push_back(read_fingerprint(reader, cover, compiler));
            check_cover(reader, cover, known.covers.back());
        }
    }
    if (const Node* irrelevant = fields.find("irrelevant"); irrelevant != nullptr && !reader.failed()) {
        read_irrelevant(reader, *irrelevant, known);
    }
    if (const Node* others = fields.find("not")) {
        for (const Node& other : reader.array(*others)) {
            known.others.push_back(read_fingerprint(reader, other, compiler));
        }
    }
    if (fields.find("same_as") != nullptr) { known.same_as = fields.text("same_as"); }
    if (const Node* versions = fields.find("versions")) { known.versions = read_versions(reader, *versions); }
    return known;
}

}  // namespace

std::string to_json(const Known& known) {
    nlohmann::ordered_json tree{{"haruspex_known", 1}, {"status", name(known.status)}, {"reason", known.reason}};
    const std::string compiler = compiler_of(known);
    if (compiler != schedule::compilers().front()) { tree["compiler"] = compiler; }
    if (!known.report.empty()) { tree["report"] = known.report; }
    if (known.upstream.look_up != LookUp::not_done) { tree["upstream"] = to_string(known.upstream); }
    tree["fingerprints"] = nlohmann::ordered_json::array();
    for (const Fingerprint& fingerprint : known.fingerprints) { tree["fingerprints"].push_back(tree_of(fingerprint)); }
    for (const Fingerprint& cover : known.covers) { tree["covers"].push_back(tree_of(cover)); }
    if (!known.irrelevant.empty()) { tree["irrelevant"] = known.irrelevant; }
    for (const Fingerprint& other : known.others) { tree["not"].push_back(tree_of(other)); }
    if (!known.same_as.empty()) { tree["same_as"] = known.same_as; }
    for (const AtVersion& row : known.versions) { tree["versions"].push_back(tree_of(row)); }
    // A compiler's message need not be valid UTF-8.
    return tree.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

bool is_known_bug(std::string_view json) {
    const auto document = cases::json::Document::parse(json, "");
    const auto* members = document ? std::get_if<cases::json::Object>(&document->root().value) : nullptr;
    return members != nullptr &&
           std::ranges::find(*members, "haruspex_known", &cases::json::Member::key) != members->end();
}

Result<Known> parse_known(std::string_view json, std::string_view file) {
    const auto document = cases::json::Document::parse(json, file);
    if (!document) { return fail(document.error()); }
    Reader reader(*document);
    Known known = read_known(reader, document->root());
    if (reader.failed()) { return fail(reader.first_error()); }
    known.name = std::filesystem::path(file).stem().string();
    return known;
}

}  // namespace haruspex::bugs
