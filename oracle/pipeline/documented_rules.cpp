#include "oracle/pipeline/documented_rules.h"

#include <optional>
#include <utility>

#include "generators/random/regions.h"
#include "generators/sare/build.h"
#include "generators/sare/staging.h"
#include "generators/schedule/language.h"
#include "harness/compiler/compiler.h"

namespace haruspex::pipeline {
namespace {

using schedule::BrokenRules;
using schedule::SizeRule;

// nullopt if the case is not the image of an algorithm, or its schedule is for another compiler.
std::optional<sare::Algorithm> algorithm_of(const cases::Case& c, const compiler::Identity& identity) {
    auto algorithm = sare::unstage(c.sare);
    if (identity.name != c.compiler || !algorithm) { return std::nullopt; }
    return std::move(*algorithm);
}

std::vector<SizeRule> rules_of(const std::optional<sare::Algorithm>& algorithm, const cases::Case& c,
                               const compiler::Identity& identity) {
    if (!algorithm) { return {}; }
    return compiler::language_of(identity).size_rules(*algorithm, c.schedule);
}

BrokenRules broken_rules_of(const sare::Algorithm& algorithm, const cases::Case& c,
                            const compiler::Identity& identity) {
    return compiler::language_of(identity).broken_rules(algorithm, c.schedule).value_or(BrokenRules{});
}

std::vector<SizeRule> broken(std::vector<SizeRule> rules, const cases::Case& c) {
    std::erase_if(rules, [&](const auto& rule) { return sare::evaluate(rule.condition, c.sizes); });
    return rules;
}

}  // namespace

std::vector<SizeRule> size_rules(const cases::Case& c, const compiler::Identity& identity) {
    return rules_of(algorithm_of(c, identity), c, identity);
}

std::vector<SizeRule> broken_size_rules(const cases::Case& c, const compiler::Identity& identity) {
    return broken(size_rules(c, identity), c);
}

BrokenRules broken_rules(const cases::Case& c, const compiler::Identity& identity) {
    const auto algorithm = algorithm_of(c, identity);
    return algorithm ? broken_rules_of(*algorithm, c, identity) : BrokenRules{};
}

std::vector<verdict::Warning> warnings_of(const BrokenRules& broken, const cases::Case& c) {
    std::vector<verdict::Warning> warnings;
    for (const auto& [rule, judgement, asks, directive] : broken) {
        warnings.push_back({directive, c.schedule.directives[directive].text(), std::string(rule), std::string(asks)});
    }
    return warnings;
}

std::vector<std::string> excuses(const cases::Case& c, const compiler::Identity& identity) {
    const auto algorithm = algorithm_of(c, identity);
    std::vector<std::string> reasons;
    for (const auto& rule : broken(rules_of(algorithm, c, identity), c)) { reasons.push_back(rule.reason); }
    if (!algorithm) { return reasons; }
    for (const auto& rule : broken_rules_of(*algorithm, c, identity)) {
        if (rule.judgement == schedule::Judgement::program) { reasons.emplace_back(rule.asks); }
    }
    if (const auto output = random::output_touched_outside(*algorithm, random::intervals_of(c.sizes))) {
        reasons.push_back(*output + " is read or written where none of it is requested");
    }
    return reasons;
}

}  // namespace haruspex::pipeline
