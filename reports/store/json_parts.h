#pragma once

#include <nlohmann/json.hpp>

#include "generators/case/located_json.h"
#include "oracle/verdict/verdict.h"

// Private to reports/store: the verdict as a part of larger JSON texts.
namespace haruspex::store {

nlohmann::ordered_json verdict_tree(const verdict::Verdict& verdict);
verdict::Verdict read_verdict(cases::json::Reader& reader, const cases::json::Node& node);
// What dump() of a tree with text of other programs needs: bytes that are no UTF-8 are replaced, not thrown at.
std::string dump(const nlohmann::ordered_json& tree, bool indented);

}  // namespace haruspex::store
