#pragma once

#include <nlohmann/json.hpp>

#include "generators/base/failed_check.h"
#include "generators/case/located_json.h"

// A failed check of the compiler as a part of larger JSON texts: {"file": …, "function": …, "condition": …, "words": …},
// without what is not told.
namespace haruspex::store {

nlohmann::ordered_json failed_check_tree(const FailedCheck& check);
FailedCheck read_failed_check(cases::json::Reader& reader, const cases::json::Node& node);

}  // namespace haruspex::store
