#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "generators/case/located_json.h"
#include "reports/bugs/versions.h"

// Private to reports/bugs: the JSON of what a bug shows under a version.
namespace haruspex::bugs {

inline std::string read_version(cases::json::Reader& reader, const cases::json::Node& node) {
    std::string version = reader.text(node);
    if (!reader.failed() && version.find_first_of("0123456789") != 0) {
        reader.error(node.offset, "malformed version \"" + version + "\"; expected one such as \"14.0.0\"");
    }
    return version;
}

inline nlohmann::ordered_json tree_of(const AtVersion& row) {
    nlohmann::ordered_json tree{{"version", row.version}, {"presence", name(row.presence)}};
    if (!row.symptom.empty()) { tree["symptom"] = row.symptom; }
    if (row.program_fails) { tree["program_fails"] = *row.program_fails; }
    return tree;
}

}  // namespace haruspex::bugs
