#include "reports/bugs/recheck_json.h"

#include <nlohmann/json.hpp>

#include "generators/case/located_json.h"
#include "reports/bugs/json_words.h"

namespace haruspex::bugs {
namespace {

using cases::json::Fields;
using cases::json::Node;
using cases::json::Reader;

Rechecked read_report(Reader& reader, const Node& node) {
    Rechecked report;
    Fields fields(reader, node, "a rechecked report", {"name", "place", "state", "found_in", "stored", "now"});
    if (reader.failed()) { return report; }
    report.name = fields.text("name");
    report.place = read_word<Place>(reader, fields.at("place"), place_count);
    report.state = read_word<State>(reader, fields.at("state"), state_count);
    report.found_in = fields.text("found_in");
    report.stored = fields.text("stored");
    report.now = fields.text("now");
    return report;
}

Recheck read_recheck(Reader& reader, const Node& node) {
    Recheck recheck;
    Fields fields(reader, node, "a recheck", {"haruspex_recheck", "compiler", "version", "package", "reports"});
    if (reader.failed()) { return recheck; }
    fields.integer("haruspex_recheck", 1, 1);
    recheck.compiler = fields.text("compiler");
    recheck.version = fields.text("version");
    recheck.package = fields.text("package");
    for (const Node& report : reader.array(fields.at("reports"))) {
        recheck.reports.push_back(read_report(reader, report));
    }
    return recheck;
}

}  // namespace

std::string to_json(const Recheck& recheck) {
    auto reports = nlohmann::ordered_json::array();
    for (const Rechecked& report : recheck.reports) {
        reports.push_back({{"name", report.name},
                           {"place", name(report.place)},
                           {"state", name(report.state)},
                           {"found_in", report.found_in},
                           {"stored", report.stored},
                           {"now", report.now}});
    }
    const nlohmann::ordered_json tree{{"haruspex_recheck", 1},
                                      {"compiler", recheck.compiler},
                                      {"version", recheck.version},
                                      {"package", recheck.package},
                                      {"reports", reports}};
    // A compiler's message need not be valid UTF-8.
    return tree.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Result<Recheck> parse_recheck(std::string_view json, std::string_view file) {
    const auto document = cases::json::Document::parse(json, file);
    if (!document) { return fail(document.error()); }
    Reader reader(*document);
    Recheck recheck = read_recheck(reader, document->root());
    if (reader.failed()) { return fail(reader.first_error()); }
    return recheck;
}

}  // namespace haruspex::bugs
