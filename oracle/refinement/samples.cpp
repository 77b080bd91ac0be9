#include "oracle/refinement/samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "generators/base/ensure.h"
#include "generators/base/mix.h"
#include "generators/base/overload.h"

namespace haruspex::refinement {
namespace {

using value::BinaryOp;
using value::Type;
using value::Value;

constexpr std::uint64_t few = 16;
constexpr std::array widths{8, 16, 32, 64};
constexpr std::size_t most_sampled = 4'000;  // terms below one

Value of_float(Type type, double number) {
    return type == Type::f32 ? Value::f32(static_cast<float>(number)) : Value::f64(number);
}

std::int64_t small(std::uint64_t bits) { return static_cast<std::int64_t>(bits % 19) - 9; }

Value drawn_small(Type type, std::uint64_t bits) {
    if (type == Type::boolean) { return Value::boolean(bits % 2 == 0); }
    if (value::is_float(type)) { return of_float(type, static_cast<double>(small(bits)) / 4); }
    return Value::integer(type, value::is_unsigned_integer(type) ? small(bits) + 9 : small(bits));
}

// A value at an end of the range of `width` bits, or at about half of it.
Value drawn_extreme(Type type, int width, bool exact_reals, std::uint64_t bits) {
    if (type == Type::boolean) { return drawn_small(type, bits); }
    const bool is_half = bits % 4 == 0, is_negative = (bits >> 8) % 2 == 0;
    const int exponent = std::min(width, value::is_float(type) ? 64 : value::bits(type)) - (is_half ? 2 : 1);
    if (!value::is_float(type)) {
        constexpr std::array<std::uint64_t, 8> inwards{0, 0, 0, 1, 1, 2, 7, -std::uint64_t{1}};
        const std::uint64_t end = std::uint64_t{1} << exponent, near = inwards[(bits >> 16) % inwards.size()];
        return Value::from_bits(type, is_negative ? -end + near : end - 1 - near);
    }
    if (exact_reals) { return of_float(type, std::ldexp(is_negative ? -1 : 1, exponent)); }
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr std::array specials{0.0, -0.0, infinity, -infinity, std::numeric_limits<double>::quiet_NaN(), 0x1p62};
    return of_float(type, specials[(bits >> 16) % specials.size()]);
}

// Considers numbers only, which rounding moves a little.
bool may_be_undef(const smt::Terms& terms, Term t) {
    return std::visit(Overload{[&](const smt::Unary& n) { return !value::is_total(n.op, terms.type(n.a)); },
                               [&](const smt::Binary& n) {
                                   return !value::is_float(terms.type(n.a)) && !value::is_total(n.op, terms.type(n.a));
                               },
                               [&](const smt::Cast& n) { return !value::is_total_cast(terms.type(n.a), n.to); },
                               [](const auto&) { return false; }},
                      terms[t]);
}

bool is_number(const Value& v) { return v.is_defined() && value::is_float(v.type()) && std::isfinite(v.as_double()); }

}  // namespace

template <typename Known>
Samples::Result Samples::evaluate(Term t, const Value* input, const Known& known) const {
    const smt::Terms& terms = values_.terms();
    Result result = std::visit(
        Overload{
            [](const smt::Literal& n) { return Result{n.value}; }, [&](const smt::Atom&) { return Result{*input}; },
            [&](const smt::Unary& n) { return Result{value::apply(n.op, known(n.a).value)}; },
            [&](const smt::Binary& n) {
                const Value &a = known(n.a).value, &b = known(n.b).value;
                return Result{value::apply(n.op, a, b), !value::apply_exactly(n.op, a, b)};
            },
            [&](const smt::Select& n) {
                return Result{value::select(known(n.condition).value, known(n.if_true).value, known(n.if_false).value)};
            },
            [&](const smt::Cast& n) {
                const Value& a = known(n.a).value;
                return Result{value::cast(n.to, a), !value::cast_exactly(n.to, a)};
            },
            [](const auto&) -> Result { raise_internal_error(__FILE__, __LINE__, "a term with indices in it"); }},
        terms[t]);
    bool is_of_undef = false, is_of_certain_undef = false;
    for (const Term operand : smt::operands(terms[t])) {
        const Result& of = known(operand);
        result.has_uncertain_definedness = result.has_uncertain_definedness || of.has_uncertain_definedness ||
                                           (of.is_rounded && may_be_undef(terms, t));
        result.is_rounded = result.is_rounded || of.is_rounded;
        is_of_undef = is_of_undef || of.value.is_undef();
        is_of_certain_undef = is_of_certain_undef || (of.value.is_undef() && !of.has_uncertain_definedness);
    }
    if (is_of_undef) { result.has_uncertain_definedness = !is_of_certain_undef; }
    return result;
}

bool Samples::violates(const Result& specification, const Result& implementation, smt::Equality equality) const {
    if (!smt::violates(specification.value, implementation.value, equality)) { return false; }
    if (!values_.has_exact_reals()) { return true; }
    if (specification.has_uncertain_definedness || implementation.has_uncertain_definedness) { return false; }
    return !implementation.value.is_defined() || (!specification.is_rounded && !implementation.is_rounded);
}

// Whether they differ by more than rounding, unless both are small remainders of larger numbers.
bool Samples::are_far(const Result& a, const Result& b) const {
    constexpr double most_lost = 1e-3;
    if (!values_.has_exact_reals() || !is_number(a.value) || !is_number(b.value)) { return false; }
    const double x = a.value.as_double(), y = b.value.as_double();
    return std::abs(x - y) > most_lost * std::max({std::abs(x), std::abs(y), 1.0});
}

const std::vector<Samples::Result>* Samples::results(Term root) {
    if (const auto found = results_.find(root); found != results_.end()) { return &found->second; }
    std::vector<Term> waiting{root};
    std::size_t sampled = 0;
    while (!waiting.empty()) {
        const Term t = waiting.back();
        if (results_.contains(t)) {
            waiting.pop_back();
            continue;
        }
        const smt::Node& node = values_.terms()[t];
        const std::size_t before = waiting.size();
        for (const Term operand : smt::operands(node)) {
            if (!results_.contains(operand)) { waiting.push_back(operand); }
        }
        if (waiting.size() > before) { continue; }
        if (evaluations_left_ < few || ++sampled > most_sampled) { return nullptr; }
        evaluations_left_ -= few;
        waiting.pop_back();
        const auto* atom = std::get_if<smt::Atom>(&node);
        std::vector<Result> made;
        for (std::uint64_t round = 0; round < few; ++round) {
            std::optional<Value> input;
            if (atom != nullptr) {
                const std::uint64_t bits = mix(mix(round) ^ atom->number);
                const bool is_small = round < few / 2 || bits % 3 == 0;
                input = is_small ? drawn_small(atom->type, bits >> 20)
                                 : drawn_extreme(atom->type, widths[round % widths.size()], values_.has_exact_reals(),
                                                 bits >> 20);
            }
            made.push_back(evaluate(t, input ? &*input : nullptr, [&](Term of) { return results_.at(of)[round]; }));
        }
        results_.emplace(t, std::move(made));
    }
    return &results_.at(root);
}

bool Samples::differ(Term specification, Term implementation, smt::Equality equality) {
    const auto *s = results(specification), *i = s == nullptr ? nullptr : results(implementation);
    if (i == nullptr) { return false; }
    s = &results_.at(specification);
    for (std::size_t round = 0; round < few; ++round) {
        if (violates((*s)[round], (*i)[round], equality) || are_far((*s)[round], (*i)[round])) { return true; }
    }
    return false;
}

std::optional<Samples::Inputs> Samples::difference(Term specification, Term implementation, smt::Equality equality,
                                                   std::uint64_t rounds, const Inputs& given) {
    const smt::Terms& terms = values_.terms();
    const auto order = values_.below({specification, implementation}, most_sampled);
    if (!order) { return std::nullopt; }
    std::unordered_map<Term, std::size_t> places;
    for (const Term t : *order) { places.emplace(t, places.size()); }
    std::vector<Result> results(order->size(), Result{Value::boolean(false)});
    const auto known = [&](Term t) -> const Result& { return results[places.at(t)]; };
    for (std::uint64_t round = 0; round < rounds && order->size() <= evaluations_left_; ++round) {
        evaluations_left_ -= order->size();
        const std::uint64_t of_round = mix(round);
        const int width = widths[(of_round >> 4) % widths.size()];
        // One input in this many is extreme.
        constexpr std::array extremes{1, 2, 8};
        const auto one_in = static_cast<std::uint64_t>(extremes[(of_round >> 8) % extremes.size()]);
        Inputs inputs;
        for (std::size_t place = 0; place < order->size(); ++place) {
            const Term t = (*order)[place];
            const auto* atom = std::get_if<smt::Atom>(&terms[t]);
            if (atom == nullptr) {
                results[place] = evaluate(t, nullptr, known);
                continue;
            }
            const std::uint64_t bits = mix(of_round ^ atom->number);
            const auto fixed = given.find(t);
            const bool is_extreme = (bits >> 32) % one_in == 0;
            const Value input = fixed != given.end() ? fixed->second
                                : is_extreme ? drawn_extreme(atom->type, width, values_.has_exact_reals(), bits >> 8)
                                             : drawn_small(atom->type, bits >> 8);
            inputs.emplace(t, input);
            results[place] = evaluate(t, &input, known);
        }
        if (violates(known(specification), known(implementation), equality)) { return inputs; }
    }
    return std::nullopt;
}

}  // namespace haruspex::refinement
