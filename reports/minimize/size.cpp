#include "reports/minimize/size.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <variant>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/case/json.h"
#include "generators/sare/text.h"
#include "reports/minimize/draft.h"
#include "reports/minimize/numbers.h"
#include "reports/minimize/plainness.h"
#include "reports/minimize/reducer.h"

namespace haruspex::minimize {
namespace {

std::int64_t magnitude_of(const value::Value& v) {
    if (v.type() == value::Type::boolean) { return 0; }
    std::int64_t whole = largest_magnitude;
    if (value::is_float(v.type())) {
        const double number = v.as_double();
        // A fraction, infinity or NaN is harder to read than any whole number.
        if (!std::isfinite(number) || number != std::trunc(number)) { return 2 * largest_magnitude; }
        if (std::fabs(number) < static_cast<double>(largest_magnitude)) {
            whole = magnitude(static_cast<std::int64_t>(number));
        }
        // The sign of a zero needs attention.
        if (number == 0 && std::signbit(number)) { return 1; }
    } else if (value::is_signed_integer(v.type())) {
        whole = magnitude(v.as_signed());
    } else {
        whole = static_cast<std::int64_t>(std::min(v.as_unsigned(), static_cast<std::uint64_t>(largest_magnitude)));
    }
    return whole <= 1 ? 0 : whole;
}

using value::Type;

bool is_small(const value::Range& range) { return range.scale == 0 && range.low >= 0 && range.high < 8; }

class Measure {
public:
    explicit Measure(Draft draft) : draft_(std::move(draft)) {}

    std::array<std::int64_t, Size::part_count> run() {
        const sare::Algorithm& algorithm = draft_.algorithm;
        const ScheduleSize schedule = reducer(draft_.c.compiler).size(draft_.c.schedule);
        at(Size::tensors) = count(algorithm.functions) + schedule.tensors;
        at(Size::steps) = count(draft_.c.schedule.directives) + schedule.tensors;
        at(Size::actions) = schedule.words;
        at(Size::constants) = schedule.numbers;
        at(Size::outputs) = count(algorithm.outputs);
        at(Size::symbols) = count(algorithm.inputs) + count(algorithm.parameters);
        for (const sare::Function& function : algorithm.functions) {
            at(Size::steps) += count(function.updates);
            at(Size::updates) += count(function.updates);
            at(Size::dimensions) += count(function.variables) + count(function.types) - 1;
            for (const sare::UpdateDefinition& update : function.updates) {
                at(Size::dimensions) += count(update.over);
            }
            types_.insert(function.types.begin(), function.types.end());
        }
        for (const sare::Input& input : algorithm.inputs) {
            at(Size::dimensions) += input.rank;
            types_.insert(input.type);
        }
        const Places all = places(draft_);
        for (const sare::Expr* expr : all.exprs) { add(*expr); }
        for (const sare::Index* index : all.indices) { add(*index); }
        at(Size::indices) += static_cast<std::int64_t>(std::ranges::count_if(
            all.conditions, [](const auto* c) { return !std::holds_alternative<sare::Truth>(c->node); }));
        const auto plain = by_plainness(schedule::language(draft_.c.compiler));
        types_.erase(Type::boolean);
        for (const Type type : types_) { at(Size::types) += std::ranges::find(plain, type) - plain.begin(); }
        for (const auto& [name, size] : draft_.c.sizes) { at(Size::extents) += magnitude(size); }
        at(Size::settings) = (draft_.c.strict_float ? 1 : 0) + (draft_.c.input_seed != 0 ? 1 : 0);
        for (const auto& [name, domain] : draft_.c.inputs) {
            at(Size::settings) += (domain.special_values ? 2 : 0) + (is_small(domain.range) ? 0 : 1);
        }
        return parts_;
    }

private:
    template <typename Values>
    static std::int64_t count(const Values& values) {
        return static_cast<std::int64_t>(values.size());
    }
    std::int64_t& at(Size::Part part) { return parts_[part]; }

    void add(const sare::Expr& expr) {
        const auto* literal = std::get_if<sare::Literal>(&expr.node);
        if (std::holds_alternative<sare::Reduce>(expr.node)) {
            at(Size::steps) += 1;
            at(Size::updates) += 1;
        }
        const bool varies =
            std::holds_alternative<sare::Embed>(expr.node) || std::holds_alternative<sare::Guard>(expr.node);
        at(Size::expressions) += std::holds_alternative<sare::Access>(expr.node) ? 3 : varies ? 2 : 1;
        if (literal != nullptr) {
            at(Size::constants) += magnitude_of(literal->value);
            types_.insert(literal->value.type());
        }
        if (const auto* binary = std::get_if<sare::Binary>(&expr.node); binary != nullptr && !is_plain(binary->op)) {
            at(Size::operators) += 1;
        }
        if (const auto* embed = std::get_if<sare::Embed>(&expr.node)) { types_.insert(embed->type); }
        if (const auto* cast = std::get_if<sare::Cast>(&expr.node)) { types_.insert(cast->type); }
    }
    void add(const sare::Index& index) {
        at(Size::indices) += 1;
        const std::int64_t number = std::visit(Overload{[](const sare::IndexConstant& n) { return n.value; },
                                                        [](const sare::IndexVariable&) { return std::int64_t{0}; },
                                                        [](const sare::IndexBinary&) { return std::int64_t{0}; },
                                                        [](const sare::IndexScale& n) { return n.factor; },
                                                        [](const sare::IndexDiv& n) { return n.divisor; },
                                                        [](const sare::IndexMod& n) { return n.divisor; },
                                                        [](const sare::IndexSelect&) { return std::int64_t{0}; }},
                                               index.node);
        at(Size::constants) += magnitude(number);
    }

    Draft draft_;
    std::array<std::int64_t, Size::part_count> parts_{};
    std::set<value::Type> types_;
};

}  // namespace

std::strong_ordering Size::operator<=>(const Size& other) const {
    if (const auto order = parts <=> other.parts; order != 0) { return order; }
    if (const auto order = text.size() <=> other.text.size(); order != 0) { return order; }
    return text <=> other.text;
}

Size size_of(const cases::Case& c) {
    auto draft = take_apart(c);
    ENSURE(draft.has_value(), "only cases of algorithms are measured");
    return {Measure(std::move(*draft)).run(), cases::to_json(c)};
}

bool is_plain(value::BinaryOp op) {
    return op == value::BinaryOp::add || op == value::BinaryOp::logical_and || op == value::BinaryOp::eq;
}

std::int64_t lines_of(const cases::Case& c) {
    const std::string text = sare::print(c.sare) + schedule::print(c.schedule);
    return std::ranges::count(text, '\n');
}

std::string describe(const cases::Case& c) {
    const auto part = [](std::int64_t count, const char* what) {
        return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
    };
    return part(size_of(c).parts[Size::tensors], "tensor") + ", " +
           part(std::ssize(c.schedule.directives), "directive") + ", " + std::to_string(lines_of(c)) + " lines";
}

}  // namespace haruspex::minimize
