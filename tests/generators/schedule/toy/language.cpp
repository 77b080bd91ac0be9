#include "tests/generators/schedule/toy/language.h"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "generators/base/numbers.h"
#include "tests/generators/schedule/toy/directive.h"

namespace haruspex::schedule::toy {

std::string print(const Directive& directive) {
    if (const auto* chunk = std::get_if<Chunk>(&directive.action)) {
        return "chunk " + chunk->tensor + " " + chunk->variable + " " + std::to_string(chunk->size);
    }
    return "pass " + std::get<Pass>(directive.action).name;
}

std::string kind_of(const Directive& directive) {
    return std::holds_alternative<Chunk>(directive.action) ? "chunk" : "pass";
}

namespace {

template <typename Values, typename Value>
bool contains(const Values& values, const Value& value) {
    return std::ranges::find(values, value) != values.end();
}

// Integers of 32 bits wrap, those of 64 bits must not.
constexpr std::array<value::Type, 11> scalar_types{
    value::Type::boolean, value::Type::u8,  value::Type::u16, value::Type::u32, value::Type::u64, value::Type::i8,
    value::Type::i16,     value::Type::i64, value::Type::f32, value::Type::f64, value::Type::w32};

constexpr std::string_view whole_chunks = "whole_chunks", plain_chunks = "plain_chunks";

Result<Directive> parse_line(const std::string& line, std::string_view file, int number) {
    std::istringstream words(line);
    std::string kind, rest;
    words >> kind;
    const auto refuse = [&](const std::string& message) {
        Error error{message};
        error.where = Location{std::string(file), number, 1};
        error.excerpt = line;
        return fail(std::move(error));
    };
    if (kind == "pass") {
        Pass pass;
        if (!(words >> pass.name) || words >> rest) { return refuse("expected \"pass NAME\""); }
        return Directive{pass};
    }
    if (kind != "chunk") { return refuse("expected \"chunk\" or \"pass\", found \"" + kind + "\""); }
    Chunk chunk;
    std::string size;
    if (!(words >> chunk.tensor >> chunk.variable >> size) || words >> rest) {
        return refuse("expected \"chunk TENSOR VARIABLE NUMBER\"");
    }
    const auto parsed = parse_number<std::int64_t>(size);
    if (!parsed) { return refuse("expected a number, found \"" + size + "\""); }
    chunk.size = *parsed;
    return Directive{chunk};
}

class ToySource final : public Source {
public:
    schedule::Schedule draw(Choices& choices, const sare::Algorithm& algorithm) const override {
        schedule::Schedule schedule;
        for (const sare::Function& function : algorithm.functions) {
            if (function.variables.empty() || !choices.boolean(400)) { continue; }
            const std::string& variable = choices.one_of(function.variables);
            schedule.directives.emplace_back(Directive{Chunk{function.name, variable, choices.integer(2, 5)}});
        }
        choices.sequence(0, 4, 600, [&](std::size_t) {
            schedule.directives.emplace_back(Directive{Pass{std::string(choices.one_of(passes))}});
        });
        return schedule;
    }
};

const sare::Function* function_of(const sare::Algorithm& algorithm, const std::string& name) {
    const auto found = std::ranges::find(algorithm.functions, name, &sare::Function::name);
    return found == algorithm.functions.end() ? nullptr : &*found;
}

class ToyLanguage final : public Language {
public:
    std::string_view compiler() const override { return "toy"; }
    std::string_view default_target() const override { return "paper"; }
    std::span<const value::Type> types() const override { return scalar_types; }

    Result<schedule::Schedule> parse(std::string_view text, std::string_view file) const override {
        schedule::Schedule schedule;
        std::istringstream lines{std::string(text)};
        int number = 0;
        for (std::string line; std::getline(lines, line);) {
            ++number;
            const std::string content = line.substr(0, line.find('#'));
            if (content.find_first_not_of(" \t") == std::string::npos) { continue; }
            auto directive = parse_line(content, file, number);
            if (!directive) { return fail(std::move(directive.error())); }
            schedule.directives.emplace_back(std::move(*directive));
        }
        return schedule;
    }
    bool is_word(std::string_view word) const override {
        return word == "chunk" || word == "pass" || contains(passes, word);
    }
    std::set<std::string> features(const schedule::Schedule& schedule) const override {
        std::set<std::string> names;
        for (const schedule::Directive& directive : schedule.directives) {
            names.insert("directive:" + directive.kind());
            if (const auto* pass = std::get_if<Pass>(&directive.as<Directive>()->action)) {
                names.insert("pass:" + pass->name);
            }
        }
        return names;
    }
    std::set<std::string> forms(const sare::Algorithm&, const schedule::Schedule&) const override { return {}; }
    std::set<std::string> all_features() const override {
        std::set<std::string> names{"directive:chunk", "directive:pass"};
        for (const std::string_view pass : passes) { names.insert("pass:" + std::string(pass)); }
        return names;
    }
    std::optional<Trait> trait(std::string_view feature) const override {
        if (feature.starts_with("directive:")) { return Trait{.is_directive = true}; }
        return feature.starts_with("pass:") ? std::optional(Trait{}) : std::nullopt;
    }
    std::unique_ptr<Source> source(Choices&, Aim) const override { return std::make_unique<ToySource>(); }

    std::expected<BrokenRules, UnknownName> broken_rules(const sare::Algorithm& algorithm,
                                                         const schedule::Schedule& schedule) const override {
        BrokenRules broken;
        std::set<std::pair<std::string, std::string>> chunked;
        for (std::size_t i = 0; i < schedule.directives.size(); ++i) {
            const Directive& directive = *schedule.directives[i].as<Directive>();
            if (const auto* pass = std::get_if<Pass>(&directive.action)) {
                if (!contains(passes, pass->name)) {
                    return std::unexpected(UnknownName{i, "there is no pass \"" + pass->name + "\""});
                }
                continue;
            }
            const auto& chunk = std::get<Chunk>(directive.action);
            const sare::Function* function = function_of(algorithm, chunk.tensor);
            if (function == nullptr || !contains(function->variables, chunk.variable)) {
                return std::unexpected(
                    UnknownName{i, "\"" + chunk.tensor + "\" has no loop over \"" + chunk.variable + "\""});
            }
            if (chunk.size < 1) {
                broken.push_back({whole_chunks, Judgement::compiler, "that a chunk has an iteration at least", i});
            }
            if (!chunked.emplace(chunk.tensor, chunk.variable).second) {
                broken.push_back({plain_chunks, Judgement::compiler, "that a loop is chunked once", i});
            }
        }
        return broken;
    }
    std::vector<SizeRule> size_rules(const sare::Algorithm&, const schedule::Schedule&) const override { return {}; }
    schedule::Schedule without(const sare::Algorithm& algorithm, const schedule::Schedule& schedule,
                               const std::vector<std::size_t>& dropped, const RuleNames& allowed) const override {
        schedule::Schedule kept;
        for (std::size_t i = 0; i < schedule.directives.size(); ++i) {
            if (contains(dropped, i)) { continue; }
            schedule::Schedule next = kept;
            next.directives.push_back(schedule.directives[i]);
            const auto broken = broken_rules(algorithm, next);
            const auto is_allowed = [&](const BrokenRule& one) { return allowed.contains(one.rule); };
            if (broken && std::ranges::all_of(*broken, is_allowed)) { kept = std::move(next); }
        }
        return kept;
    }

    std::vector<FactoredUpdate> factored_updates(const schedule::Schedule&) const override { return {}; }
    Result<std::vector<Factoring>> factorings(const sare::Algorithm&, const schedule::Schedule&) const override {
        return std::vector<Factoring>();
    }
    std::optional<std::size_t> first_to_reorder_floats(const sare::Algorithm&,
                                                       const schedule::Schedule&) const override {
        return std::nullopt;
    }
    bool has_free_order(const schedule::Schedule&) const override { return false; }
};

}  // namespace

const Language& language(int) {
    static const ToyLanguage the_language;
    return the_language;
}

}  // namespace haruspex::schedule::toy
