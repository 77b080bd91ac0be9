#include "generators/schedule/rules.h"

#include <fmt/core.h>

namespace haruspex::schedule {

RuleNames rules_in(const BrokenRules& broken) {
    RuleNames names;
    for (const BrokenRule& one : broken) { names.insert(one.rule); }
    return names;
}

std::string located(const UnknownName& unknown, std::string_view directive) {
    return fmt::format("directive {}, {}: {}", unknown.directive + 1, directive, unknown.words);
}

}  // namespace haruspex::schedule
