#pragma once

#include <nlohmann/json.hpp>

#include "generators/case/located_json.h"
#include "oracle/verdict/verdict.h"

// Private to reports/store: the verdict as a part of larger JSON texts.
namespace haruspex::store {

nlohmann::ordered_json verdict_tree(const verdict::Verdict& verdict);
verdict::Verdict read_verdict(cases::json::Reader& reader, const cases::json::Node& node);
// Prints a tree that may hold text of other programs: bytes that are not UTF-8 are replaced, and nothing is thrown.
std::string dump(const nlohmann::ordered_json& tree, bool indented);

}  // namespace haruspex::store
