#include "reports/measure/publish.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/measure/page.h"
#include "reports/measure/plots.h"
#include "reports/measure/results.h"
#include "reports/measure/tables.h"
#include "reports/measure/times.h"
#include "reports/store/files.h"

namespace haruspex::measure {
namespace {

using Json = nlohmann::ordered_json;

Json counts(const Outcomes& outcomes) {
    Json json = Json::object();
    for (const Outcome outcome : all_outcomes) {
        const auto found = outcomes.find(outcome);
        json[std::string(name(outcome))] = found == outcomes.end() ? 0 : found->second;
    }
    return json;
}

Json by_method(const std::map<Method, std::uint64_t>& numbers) {
    Json json = Json::object();
    for (const auto& [method, number] : numbers) { json[std::string(name(method))] = number; }
    return json;
}

Json json_of(const Results& results) {
    Json json{{"put", results.put},
              {"right", results.right},
              {"wrong", results.wrong},
              {"no_problem", results.no_problem},
              {"by_making", results.by_making},
              {"made_right_and_wrong", results.made_right_and_wrong},
              {"faults", results.faults},
              {"fooled", results.fooled()}};
    for (const char* const list : {"confusions", "wrong_answers", "cells", "reasons", "prophecies", "mutants"}) {
        json[list] = Json::array();
    }
    for (const Confusion& c : results.confusions) {
        json["confusions"].push_back({{"method", name(c.method)},
                                      {"question", name(c.question)},
                                      {"right", counts(c.right)},
                                      {"wrong", counts(c.wrong)}});
    }
    for (const WrongAnswer& w : results.wrong_answers) {
        json["wrong_answers"].push_back({{"index", w.index},
                                         {"method", name(w.method)},
                                         {"question", name(w.question)},
                                         {"outcome", name(w.outcome)},
                                         {"reason", w.reason},
                                         {"shown", w.shown}});
    }
    for (const Cell& cell : results.cells) {
        json["cells"].push_back({{"cell", cell.name},
                                 {"put", cell.put},
                                 {"right", cell.right},
                                 {"decided", by_method(cell.decided)},
                                 {"proved", by_method(cell.proved)},
                                 {"only_validator", cell.only_validator},
                                 {"only_equivalence", cell.only_equivalence}});
    }
    for (const Reason& reason : results.reasons) {
        json["reasons"].push_back({{"method", name(reason.method)},
                                   {"question", name(reason.question)},
                                   {"outcome", name(reason.outcome)},
                                   {"reason", reason.text},
                                   {"count", reason.all.count},
                                   {"witness", reason.all.index},
                                   {"statements", reason.all.statements},
                                   {"others", reason.others.count},
                                   {"others_witness", reason.others.index},
                                   {"others_statements", reason.others.statements}});
    }
    for (const ProphecyRow& row : results.prophecies) {
        json["prophecies"].push_back({{"kind", row.kind}, {"wrong", row.is_wrong}, {"outcomes", counts(row.outcomes)}});
    }
    for (const Detection& detection : results.detections) {
        Json by = Json::object();
        for (const auto& [method, found] : detection.by) {
            by[method] = {{"detected", found.detected}, {"first", found.first ? Json(*found.first) : Json()}};
        }
        json["mutants"].push_back({{"mutant", detection.mutant}, {"put", detection.put}, {"by", std::move(by)}});
    }
    return json;
}

Json json_of(const Summary& summary) {
    return {{"answers", summary.answers},
            {"median", summary.median},
            {"in_twenty", summary.in_twenty},
            {"most", summary.most},
            {"sum", summary.sum},
            {"median_memory_bytes", summary.median_memory},
            {"in_twenty_memory_bytes", summary.in_twenty_memory},
            {"most_memory_bytes", summary.most_memory}};
}

Json json_of(const Times& times, const Results& results) {
    Json json{{"unit", "seconds of processor time"}, {"answers", Json::array()}, {"by_statements", Json::array()}};
    for (const auto& [key, summary] : times.of_answers) {
        Json line{{"method", name(key.first)}, {"question", name(key.second)}};
        line.update(json_of(summary));
        json["answers"].push_back(std::move(line));
    }
    for (const auto& [method, classes] : times.by_statements) {
        for (const auto& [most, summary] : classes) {
            Json line{{"method", name(method)}, {"most_statements", most}};
            line.update(json_of(summary));
            json["by_statements"].push_back(std::move(line));
        }
    }
    json["builds"] = times.builds;
    json["decided"] = Json::object();
    for (const auto& [method, seconds] : times.decided) { json["decided"][std::string(name(method))] = seconds; }
    json["mutants"] = Json::object();
    for (const Detection& detection : results.detections) {
        for (const auto& [method, by] : detection.by) {
            json["mutants"][detection.mutant][method] = {{"sum", by.cpu_seconds}, {"until_first", by.cpu_until_first}};
        }
    }
    return json;
}

std::string csv_of(const std::vector<Record>& records) {
    std::string csv = render::csv_line({"index", "name", "making", "detail", "truth", "question", "method", "outcome",
                                        "expected", "reason", "statements", "loops", "depth", "tensors", "cpu_seconds",
                                        "wall_seconds", "compile_seconds", "memory_bytes"});
    for (const Record& record : records) {
        const auto measured = [&](const char* what) {
            const auto found = record.size.find(what);
            return found == record.size.end() ? std::string() : std::to_string(found->second);
        };
        for (const Entry& entry : record.entries) {
            csv += render::csv_line({std::to_string(record.index), record.name, record.making, record.detail,
                                     record.making.empty()                 ? ""
                                     : record.is_wrong_for(entry.question) ? "wrong"
                                                                           : "right",
                                     std::string(name(entry.question)), std::string(name(entry.method)),
                                     std::string(name(entry.answer.outcome)), entry.expected, entry.answer.reason,
                                     measured("statements"), measured("loops"), measured("depth"), measured("tensors"),
                                     std::to_string(entry.spent.cpu_seconds), std::to_string(entry.spent.wall_seconds),
                                     std::to_string(entry.answer.compile_seconds),
                                     std::to_string(entry.spent.memory_bytes)});
        }
    }
    return csv;
}

std::string csv_of(const std::vector<Detected>& all) {
    std::string csv =
        render::csv_line({"mutant", "put", "changed", "method", "question", "cases", "cpu_seconds", "shown"});
    for (const Detected& detected : all) {
        for (const Discovery& discovery : detected.by) {
            csv += render::csv_line({detected.mutant, std::to_string(detected.put), std::to_string(detected.changed),
                                     std::string(name(discovery.method)), std::string(name(discovery.question)),
                                     discovery.cases ? std::to_string(*discovery.cases) : "",
                                     std::to_string(discovery.cpu_seconds), discovery.shown});
        }
    }
    return csv;
}

// The rows' published results and present answers.
Json rows_of(const std::vector<Record>& records) {
    Json rows = Json::array();
    for (const Record& record : records) {
        if (record.name.empty()) { continue; }
        Json line = Json::parse(to_json(record));
        Json row;
        for (const char* const key :
             {"name", "published", "no_problem", "wrong_at_own", "wrong", "effort", "answers"}) {
            if (line.contains(key)) { row[key] = line[key]; }
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

// Adds the findings to the results and the processor times to the times.
void add(const Detected& detected, Json& json) {
    Json line = Json::parse(to_json(detected));
    line.erase("spent");
    json["detected"].push_back(std::move(line));
    for (const Discovery& discovery : detected.by) {
        json["times"]["detected"][detected.mutant][title(discovery.method, discovery.question)] = discovery.cpu_seconds;
    }
}

}  // namespace

std::string overview_text(const Measured& measured, const Results& results, const Times& times) {
    const Table rows = published_table(measured.records);
    return fmt::format("{} programs, {} of them wrong; {} more could not be made:\n\n{}{}", results.put, results.wrong,
                       results.no_problem, to_markdown(overview(results, times)),
                       rows.rows.empty() ? "" : fmt::format("\n{}:\n\n{}", rows.caption, to_markdown(rows)));
}

Result<void> publish(const std::filesystem::path& folder, const Measured& measured) {
    const std::vector<Record>& records = measured.records;
    const Results results = results_of(records);
    const Times times = times_of(records);
    Json json{{"measured", Json::parse(measured.header)},
              {"results", json_of(results)},
              {"rows", rows_of(records)},
              {"detected", Json::array()},
              {"witnesses", Json::array()},
              {"times", json_of(times, results)}};
    for (const Detected& detected : measured.detected) { add(detected, json); }
    for (const Witness& witness : measured.witnesses) { json["witnesses"].push_back(Json::parse(to_json(witness))); }
    const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    std::map<std::string, std::string> files{{"measure.json", text},
                                             {"measure.csv", csv_of(records)},
                                             {"detected.csv", csv_of(measured.detected)},
                                             {"measure.html", page(measured, results, times)},
                                             {"overview.md", overview_text(measured, results, times)}};
    std::vector<Plot> plots = share_plots(results, Share::decided);
    for (Plot& plot : share_plots(results, Share::proved)) { plots.push_back(std::move(plot)); }
    plots.push_back(cactus_plot(times));
    plots.push_back(memory_plot(times));
    plots.push_back(growth_plot(times));
    for (const Plot& plot : plots) {
        const auto svg = plot.script.empty() ? fail("nothing to draw") : draw(plot);
        if (svg) { files["plots/" + plot.id + ".svg"] = as_file(*svg); }
    }
    for (const Witness& w : measured.witnesses) {
        const std::string file = fmt::format("{}-{}.json", name(w.sought.method), w.sought.index);
        if (!w.c.empty()) { files["witnesses/" + file] = w.c + "\n"; }
    }
    for (const char* const below : {"plots", "witnesses"}) {
        if (auto made = store::make_folder(folder / below); !made) { return made; }
    }
    for (const auto& [name, content] : files) {
        if (auto written = store::write_atomically(folder / name, content); !written) { return written; }
    }
    return {};
}

bool has_findings(const std::vector<Record>& records) {
    const Results results = results_of(records);
    const bool is_unexpected = std::ranges::any_of(records, [](const Record& record) {
        return std::ranges::any_of(record.entries, [](const Entry& entry) {
            return !entry.expected.empty() && entry.expected != name(entry.answer.outcome);
        });
    });
    return !results.wrong_answers.empty() || results.fooled() > 0 || is_unexpected;
}

}  // namespace haruspex::measure
