#include "oracle/pipeline/documented_rules.h"

#include <optional>
#include <utility>

#include "generators/random/regions.h"
#include "generators/sare/build.h"
#include "generators/sare/staging.h"
#include "generators/schedule/text.h"

namespace haruspex::pipeline {
namespace {

// The compiler's algorithm for the case; nullopt if there is none.
std::optional<sare::Algorithm> algorithm_of(const cases::Case& c, const compiler::Identity& identity) {
    auto algorithm = sare::unstage(c.sare);
    if (identity.name != "halide" || !algorithm) { return std::nullopt; }
    return std::move(*algorithm);
}

std::vector<schedule::halide::SizeRule> rules_of(const std::optional<sare::Algorithm>& algorithm, const cases::Case& c,
                                                 const compiler::Identity& identity) {
    if (!algorithm) { return {}; }
    return schedule::halide::size_rules(*algorithm, c.schedule, schedule::halide::Vocabulary{identity.major});
}

schedule::halide::BrokenRules broken_rules_of(const sare::Algorithm& algorithm, const cases::Case& c,
                                              const compiler::Identity& identity) {
    const schedule::halide::Vocabulary vocabulary{identity.major};
    return schedule::halide::broken_rules(algorithm, c.schedule, vocabulary).value_or(schedule::halide::BrokenRules{});
}

std::vector<schedule::halide::SizeRule> broken(std::vector<schedule::halide::SizeRule> rules, const cases::Case& c) {
    std::erase_if(rules, [&](const auto& rule) { return sare::evaluate(rule.condition, c.sizes); });
    return rules;
}

}  // namespace

std::vector<schedule::halide::SizeRule> size_rules(const cases::Case& c, const compiler::Identity& identity) {
    return rules_of(algorithm_of(c, identity), c, identity);
}

std::vector<schedule::halide::SizeRule> broken_size_rules(const cases::Case& c, const compiler::Identity& identity) {
    return broken(size_rules(c, identity), c);
}

schedule::halide::BrokenRules broken_rules(const cases::Case& c, const compiler::Identity& identity) {
    const auto algorithm = algorithm_of(c, identity);
    return algorithm ? broken_rules_of(*algorithm, c, identity) : schedule::halide::BrokenRules{};
}

std::vector<verdict::Warning> warnings_of(const schedule::halide::BrokenRules& broken, const cases::Case& c) {
    std::vector<verdict::Warning> warnings;
    for (const auto& [rule, directive, words] : broken) {
        warnings.push_back({directive, schedule::print(c.schedule.directives[directive]),
                            std::string(schedule::halide::name(rule)), std::string(schedule::halide::asks(rule))});
    }
    return warnings;
}

std::vector<std::string> excuses(const cases::Case& c, const compiler::Identity& identity) {
    const auto algorithm = algorithm_of(c, identity);
    std::vector<std::string> reasons;
    for (const auto& rule : broken(rules_of(algorithm, c, identity), c)) { reasons.push_back(rule.reason); }
    if (!algorithm) { return reasons; }
    for (const auto& rule : broken_rules_of(*algorithm, c, identity)) {
        if (schedule::halide::judgement(rule.rule) != schedule::halide::Judgement::program) { continue; }
        reasons.emplace_back(schedule::halide::asks(rule.rule));
    }
    if (const auto output = random::output_touched_outside(*algorithm, random::intervals_of(c.sizes))) {
        reasons.push_back(*output + " is read or written where none of it is requested");
    }
    return reasons;
}

}  // namespace haruspex::pipeline
