#include "reports/store/record.h"

#include <nlohmann/json.hpp>

#include "reports/store/verdict_json.h"

namespace haruspex::store {

bool is_kept(verdict::Class cls) { return verdict::is_finding(cls) || verdict::is_own_fault(cls); }

std::string encode(const Record& record) {
    const nlohmann::json tree = {
        {"index", record.index},           {"verdict", to_json(record.verdict)},
        {"features", record.features},     {"directives", record.directives},
        {"prophecies", record.prophecies}, {"seconds", record.seconds},
        {"target", record.target},         {"group", record.group},
        {"case", record.case_json},        {"attachments", record.attachments},
        {"reason", record.reason},         {"seeded", record.seeded},
    };
    return tree.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<Record> decode(const std::string& text) {
    Record record;
    try {
        const auto tree = nlohmann::json::parse(text);
        tree.at("index").get_to(record.index);
        tree.at("features").get_to(record.features);
        tree.at("directives").get_to(record.directives);
        tree.at("prophecies").get_to(record.prophecies);
        tree.at("seconds").get_to(record.seconds);
        tree.at("target").get_to(record.target);
        tree.at("group").get_to(record.group);
        tree.at("reason").get_to(record.reason);
        tree.at("case").get_to(record.case_json);
        tree.at("attachments").get_to(record.attachments);
        tree.at("seeded").get_to(record.seeded);
        auto verdict = parse_verdict(tree.at("verdict").get<std::string>(), "a worker's record");
        if (!verdict) { return fail(verdict.error()); }
        record.verdict = std::move(*verdict);
    } catch (const nlohmann::json::exception& exception) {
        return fail("a worker's record is malformed: " + std::string(exception.what()));
    }
    return record;
}

}  // namespace haruspex::store
