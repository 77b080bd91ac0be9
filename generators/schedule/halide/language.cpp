#include "generators/schedule/halide/language.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/schedule/halide/admission.h"
#include "generators/schedule/halide/factoring.h"
#include "generators/schedule/halide/forms.h"
#include "generators/schedule/halide/schedule_builder.h"
#include "generators/schedule/halide/size_rules.h"
#include "generators/schedule/halide/spelling.h"
#include "generators/schedule/halide/text.h"

namespace haruspex::schedule::halide {
namespace {

// Overflow of signed integers of 32 bits and more is undefined (generators/value/operators.cpp).
constexpr std::array<value::Type, 11> scalar_types{
    value::Type::boolean, value::Type::u8,  value::Type::u16, value::Type::u32, value::Type::u64, value::Type::i8,
    value::Type::i16,     value::Type::i32, value::Type::i64, value::Type::f32, value::Type::f64};

constexpr std::string_view directive_prefix = "directive:", tail_prefix = "tail:";

// The tail strategy of a directive that splits a loop.
std::optional<Tail> tail_of(const Action& action) {
    const auto with_factor = [](const auto& a) -> std::optional<Tail> {
        return a.factor ? std::optional(a.tail) : std::nullopt;
    };
    return std::visit(Overload{
                          [](const Split& a) -> std::optional<Tail> { return a.tail; },
                          [](const Tile& a) -> std::optional<Tail> { return a.tail; },
                          [&](const Vectorize& a) { return with_factor(a); },
                          [&](const Unroll& a) { return with_factor(a); },
                          [&](const Parallel& a) { return with_factor(a); },
                          [](const auto&) -> std::optional<Tail> { return std::nullopt; },
                      },
                      action);
}

Rules rules_named(const RuleNames& names) {
    Rules rules;
    for (std::size_t i = 0; i < rule_count; ++i) {
        const auto rule = static_cast<Rule>(i);
        if (names.contains(name(rule))) { rules.insert(rule); }
    }
    return rules;
}

class HalideSource final : public Source {
public:
    HalideSource(Choices& choices, Aim aim, Vocabulary vocabulary)
        : policy_(mixed(choices, aim == Aim::padding ? padding_policy() : Policy{})), vocabulary_(vocabulary) {}
    schedule::Schedule draw(Choices& choices, const sare::Algorithm& algorithm) const override {
        return untyped(draw_schedule(choices, policy_, algorithm, vocabulary_));
    }

private:
    Policy policy_;
    Vocabulary vocabulary_;
};

class HalideLanguage final : public Language {
public:
    explicit HalideLanguage(int version) : vocabulary_{version} {}

    std::string_view compiler() const override { return "halide"; }
    // Pinned: Halide 14's "host" mistakes some processors.
    std::string_view default_target() const override { return "x86-64-linux-avx-avx2-f16c-fma-sse41"; }

    std::span<const value::Type> types() const override { return scalar_types; }

    Result<schedule::Schedule> parse(std::string_view text, std::string_view file) const override {
        auto parsed = parse_schedule(text, file);
        if (!parsed) { return fail(std::move(parsed.error())); }
        return untyped(std::move(*parsed));
    }
    bool is_word(std::string_view word) const override {
        const auto is_in = [&](const auto& names) { return std::ranges::find(names, word) != names.end(); };
        return is_in(tail_names) || is_in(partitioning_names) || is_in(fetch_bound_names) || word == "specialize";
    }
    std::set<std::string> features(const schedule::Schedule& schedule) const override {
        std::set<std::string> names;
        for (const Directive& directive : typed(schedule).directives) {
            names.insert(std::string(directive_prefix) + kind_of(directive));
            if (const auto tail = tail_of(directive.action)) {
                names.insert(std::string(tail_prefix) + std::string(tail_name(*tail)));
            }
        }
        return names;
    }
    std::set<std::string> all_features() const override {
        std::set<std::string> names;
        for (const std::string_view action : action_names) {
            if (vocabulary_.has(action)) { names.insert(std::string(directive_prefix) + std::string(action)); }
        }
        for (const std::string_view tail : tail_names) {
            if (vocabulary_.has(tail)) { names.insert(std::string(tail_prefix) + std::string(tail)); }
        }
        names.insert(form_names.begin(), form_names.end());
        return names;
    }
    std::set<std::string> forms(const sare::Algorithm& algorithm, const schedule::Schedule& schedule) const override {
        return halide::forms(algorithm, typed(schedule), vocabulary_);
    }
    std::optional<Trait> trait(std::string_view feature) const override {
        if (feature.starts_with(tail_prefix)) {
            return Trait{.is_plain = feature.substr(tail_prefix.size()) == tail_name(Tail::automatic)};
        }
        if (!feature.starts_with(directive_prefix)) { return std::nullopt; }
        const std::string_view kind = feature.substr(directive_prefix.size());
        return Trait{.is_directive = true,
                     .is_parallel = kind == action_name(Action{Parallel{}}),
                     .is_placement = kind == action_name(Action{ComputeRoot{}})};
    }

    std::unique_ptr<Source> source(Choices& choices, Aim aim) const override {
        return std::make_unique<HalideSource>(choices, aim, vocabulary_);
    }

    std::expected<schedule::BrokenRules, UnknownName> broken_rules(const sare::Algorithm& algorithm,
                                                                   const schedule::Schedule& schedule) const override {
        auto broken = halide::broken_rules(algorithm, typed(schedule), vocabulary_);
        if (!broken) { return std::unexpected(std::move(broken.error())); }
        schedule::BrokenRules rules;
        for (const BrokenRule& one : *broken) {
            rules.push_back({name(one.rule), judgement(one.rule), asks(one.rule), one.directive});
        }
        return rules;
    }
    std::vector<SizeRule> size_rules(const sare::Algorithm& algorithm,
                                     const schedule::Schedule& schedule) const override {
        return halide::size_rules(algorithm, typed(schedule), vocabulary_);
    }
    schedule::Schedule without(const sare::Algorithm& algorithm, const schedule::Schedule& schedule,
                               const std::vector<std::size_t>& dropped, const RuleNames& allowed) const override {
        return untyped(halide::without(algorithm, typed(schedule), dropped, vocabulary_, rules_named(allowed)));
    }

    std::vector<FactoredUpdate> factored_updates(const schedule::Schedule& schedule) const override {
        std::vector<FactoredUpdate> updates;
        for (const Directive& directive : typed(schedule).directives) {
            if (!std::holds_alternative<RFactor>(directive.action)) { continue; }
            updates.push_back({directive.stage.tensor, static_cast<std::size_t>(directive.stage.update.value_or(0))});
        }
        return updates;
    }
    Result<std::vector<Factoring>> factorings(const sare::Algorithm& algorithm,
                                              const schedule::Schedule& schedule) const override {
        // Every version that knows all its directives gives them the same meaning.
        return halide::factorings(algorithm, typed(schedule), Vocabulary{newest_version});
    }
    std::optional<std::size_t> first_to_reorder_floats(const sare::Algorithm& algorithm,
                                                       const schedule::Schedule& schedule) const override {
        Admission admission(algorithm, vocabulary_);
        const Schedule all = typed(schedule);
        for (std::size_t i = 0; i < all.directives.size(); ++i) {
            if (!admission.apply(all.directives[i]) || admission.reorders_float_reductions()) { return i; }
        }
        return std::nullopt;
    }
    bool has_free_order(const schedule::Schedule& schedule) const override {
        return std::ranges::any_of(typed(schedule).directives, [](const Directive& directive) {
            return std::holds_alternative<Atomic>(directive.action);
        });
    }

private:
    Vocabulary vocabulary_;
};

}  // namespace

const Language& language(int version) {
    static const auto languages = [] {
        std::vector<HalideLanguage> all;
        for (int i = 0; i <= newest_version; ++i) { all.emplace_back(i); }
        return all;
    }();
    return languages[static_cast<std::size_t>(std::clamp(version, 0, newest_version))];
}

}  // namespace haruspex::schedule::halide
