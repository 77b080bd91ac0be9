#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "generators/case/located_json.h"
#include "generators/schedule/language.h"
#include "oracle/verdict/verdict.h"
#include "reports/bugs/json_words.h"
#include "reports/bugs/known.h"

namespace haruspex::bugs {
namespace {

using cases::json::Fields;
using cases::json::Node;
using cases::json::Reader;

nlohmann::ordered_json tree_of(const Fingerprint& fingerprint) {
    const triage::Symptom& symptom = fingerprint.symptom;
    return {{"class", verdict::name(symptom.cls)},
            {"pass", symptom.pass ? to_string(*symptom.pass) : std::string()},
            {"trouble", triage::to_string(symptom.sign)},
            {"features", fingerprint.features}};
}

Fingerprint read_fingerprint(Reader& reader, const Node& node, const std::string& compiler) {
    Fingerprint fingerprint;
    fingerprint.compiler = compiler;
    Fields fields(reader, node, "a fingerprint", {"class", "pass", "trouble", "features"});
    if (reader.failed()) { return fingerprint; }
    const std::string cls = fields.text("class"), pass = fields.text("pass");
    fingerprint.symptom.sign = triage::parse_sign(fields.text("trouble"));
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
        const bool is_of_schedules = schedule::language(known.fingerprints.front().compiler).trait(feature).has_value();
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
                  {"compiler", "report", "upstream", "covers", "irrelevant"});
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
        if (!reader.failed() && schedule::find_language(compiler) == nullptr) {
            reader.error(named->offset, "unknown compiler \"" + compiler + "\"; expected one of this build");
        }
    }
    if (fields.find("report") != nullptr) { known.report = fields.text("report"); }
    if (fields.find("upstream") != nullptr) { known.upstream = fields.text("upstream"); }
    if (known.report.empty() && known.upstream.empty()) {
        reader.error(node.offset, "the bug is not described; expected \"report\", \"upstream\" or both");
    }
    const auto& fingerprints = reader.array(fields.at("fingerprints"));
    for (const Node& fingerprint : fingerprints) {
        known.fingerprints.push_back(read_fingerprint(reader, fingerprint, compiler));
    }
    if (fingerprints.empty()) {
        reader.error(fields.at("fingerprints").offset, "there is no fingerprint; expected at least one");
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
    return known;
}

}  // namespace

std::string to_json(const Known& known) {
    nlohmann::ordered_json tree{{"haruspex_known", 1}, {"status", name(known.status)}, {"reason", known.reason}};
    const std::string& compiler = known.fingerprints.front().compiler;
    if (compiler != schedule::compilers().front()) { tree["compiler"] = compiler; }
    if (!known.report.empty()) { tree["report"] = known.report; }
    if (!known.upstream.empty()) { tree["upstream"] = known.upstream; }
    tree["fingerprints"] = nlohmann::ordered_json::array();
    for (const Fingerprint& fingerprint : known.fingerprints) { tree["fingerprints"].push_back(tree_of(fingerprint)); }
    for (const Fingerprint& cover : known.covers) { tree["covers"].push_back(tree_of(cover)); }
    if (!known.irrelevant.empty()) { tree["irrelevant"] = known.irrelevant; }
    // A compiler's message need not be valid UTF-8.
    return tree.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
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
