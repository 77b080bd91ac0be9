#include "generators/schedule/rules.h"

namespace haruspex::schedule {

RuleNames rules_in(const BrokenRules& broken) {
    RuleNames names;
    for (const BrokenRule& one : broken) { names.insert(one.rule); }
    return names;
}

std::string located(const UnknownName& unknown, std::string_view directive) {
    return "directive " + std::to_string(unknown.directive + 1) + ", " + std::string(directive) + ": " + unknown.words;
}

}  // namespace haruspex::schedule
