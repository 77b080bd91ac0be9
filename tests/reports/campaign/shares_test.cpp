// The shares of features that the random policies reach, over all cases of a fixed seed.

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "generators/random/random_case.h"
#include "generators/schedule/halide/language.h"
#include "generators/schedule/halide/spelling.h"
#include "generators/schedule/halide/vocabulary.h"
#include "reports/triage/features.h"
#include "tests/support/catch.h"

using namespace haruspex;

namespace {

// Pairs of what is drawn: the update under one arm, reversed neighbours, operands of nested vectors.
constexpr std::array<std::string_view, 5> joining{"form:one-arm-producer-update", "form:compute_with-update",
                                                  "form:stored-reversed", "form:vectorized-both-affine",
                                                  "form:vectorized-both-recurrence"};

}  // namespace

TEST_CASE("every directive, tail, type, operator and kind of access has its share of the cases") {
    constexpr int count = 6000;
    const random::Policy policy;
    std::map<std::string, int> cases;
    std::vector<std::size_t> directives;
    int float_cases = 0;
    int special = 0;
    for (int i = 0; i < count; ++i) {
        const cases::Case c =
            random::campaign_case(5, static_cast<std::uint64_t>(i), policy, schedule::halide::language(14));
        const auto features = triage::features(c);
        for (const std::string& feature : features) { ++cases[feature]; }
        directives.push_back(c.schedule.directives.size());
        if (features.contains("type:f32") || features.contains("type:f64")) {
            ++float_cases;
            special += features.contains("special_values") ? 1 : 0;
        }
    }
    const auto share = [&](const std::string& feature) { return 1000 * cases[feature] / count; };  // per mille

    const auto is_later = [](std::string_view name) {
        return std::ranges::find(schedule::halide::since, name, &schedule::halide::Since::name) !=
               schedule::halide::since.end();
    };
    for (const std::string_view name : schedule::halide::action_names) {
        INFO(name);
        if (is_later(name)) {
            CHECK(cases["directive:" + std::string(name)] == 0);
        } else {
            CHECK(share("directive:" + std::string(name)) >= 5);
        }
    }
    for (const char* name :
         {"Auto", "RoundUp", "GuardWithIf", "Predicate", "PredicateLoads", "PredicateStores", "ShiftInwards"}) {
        INFO(name);
        CHECK(share(std::string("tail:") + name) >= 5);
    }
    for (const value::Type type : schedule::halide::language().types()) {
        INFO(value::name(type));
        CHECK(share("type:" + std::string(value::name(type))) >= 10);
    }
    for (const value::BinaryOp op : value::all_binary_ops) {
        INFO(value::spelling(op));
        CHECK(share("op:" + std::string(value::spelling(op))) >= 10);
    }
    for (const char* name : {"unary -", "unary !", "unary ~", "unary abs"}) {
        INFO(name);
        CHECK(share(std::string("op:") + name) >= 10);
    }
    for (const char* name :
         {"access:stencil", "access:diagonal", "access:reversed", "access:strided", "access:broadcast", "access:modulo",
          "access:clamped", "access:transposed", "access:divided", "access:select", "access:self", "tuple",
          "select:affine", "select:value", "cast", "update:predicate", "update:two-rvars"}) {
        INFO(name);
        CHECK(share(name) >= 10);
    }
    // Forms join features, and some of them forms.
    for (const std::string& name : triage::all_features(schedule::halide::language(14))) {
        if (!name.starts_with("form:")) { continue; }
        INFO(name);
        const bool joins_forms = std::ranges::find(joining, name) != joining.end();
        CHECK(share(name) >= (joins_forms ? 1 : 3));
    }
    std::ranges::sort(directives);
    CHECK(directives[count / 2] >= 4);
    CHECK(10 * special >= float_cases);
}

TEST_CASE("what a version has beyond Halide 14 has its share of the cases that are drawn for it") {
    constexpr int count = 3000;
    const random::Policy policy;
    for (const int version : {19, 21}) {
        std::map<std::string, int> cases;
        for (int i = 0; i < count; ++i) {
            const cases::Case c =
                random::campaign_case(5, static_cast<std::uint64_t>(i), policy, schedule::halide::language(version));
            for (const std::string& feature : triage::features(c)) { ++cases[feature]; }
        }
        for (const schedule::halide::Since& one : schedule::halide::since) {
            INFO(version << ": " << one.name);
            const bool is_directive =
                std::ranges::find(schedule::halide::action_names, one.name) != schedule::halide::action_names.end();
            const std::string feature = (is_directive ? "directive:" : "tail:") + std::string(one.name);
            CHECK(1000 * cases[feature] / count >= (one.version <= version ? 5 : 0));
        }
    }
}
