#include "reports/store/failed_check_json.h"

namespace haruspex::store {

nlohmann::ordered_json failed_check_tree(const FailedCheck& check) {
    nlohmann::ordered_json tree = nlohmann::ordered_json::object();
    if (check.file) { tree["file"] = *check.file; }
    if (check.function) { tree["function"] = *check.function; }
    if (check.condition) { tree["condition"] = *check.condition; }
    tree["words"] = check.words;
    return tree;
}

FailedCheck read_failed_check(cases::json::Reader& reader, const cases::json::Node& node) {
    cases::json::Fields fields(reader, node, "a failed check", {"words"}, {"file", "function", "condition"});
    FailedCheck check;
    if (reader.failed()) { return check; }
    if (fields.find("file") != nullptr) { check.file = fields.text("file"); }
    if (fields.find("function") != nullptr) { check.function = fields.text("function"); }
    if (fields.find("condition") != nullptr) { check.condition = fields.text("condition"); }
    check.words = fields.text("words");
    return check;
}

}  // namespace haruspex::store
