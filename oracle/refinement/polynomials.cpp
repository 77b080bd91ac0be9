#include "oracle/refinement/polynomials.h"

#include <algorithm>
#include <cmath>

#include "generators/base/ensure.h"

namespace haruspex::refinement {
namespace {

using value::BinaryOp;
using value::Int128;
using value::Type;

constexpr std::size_t most_summands = 4'000;
constexpr std::size_t most_summands_of_products = 1'000;
constexpr std::size_t most_narrowed = 4'000;
constexpr int most_depth = 200;
// Coefficients of real numbers are multiples of its inverse.
constexpr std::int64_t unit_of_reals = std::int64_t{1} << 20;
constexpr std::int64_t most_real = std::int64_t{1} << 30;

const smt::Binary* arithmetic_operator(const smt::Node& node) {
    const auto* binary = std::get_if<smt::Binary>(&node);
    const bool is_one = binary != nullptr &&
                        (binary->op == BinaryOp::add || binary->op == BinaryOp::sub || binary->op == BinaryOp::mul);
    return is_one ? binary : nullptr;
}

Int128 quotient_down(Int128 a, Int128 b) {
    const Int128 q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

// A summand that is not yet fully expanded.
struct Product {
    std::int64_t coefficient = 1;
    std::vector<Term> factors, left;
};

}  // namespace

std::optional<Polynomial> minus(const Polynomial& a, const Polynomial& b) {
    Polynomial result = a;
    for (const auto& [factors, c] : b.coefficients) {
        std::int64_t& left = result.coefficients[factors];
        if (__builtin_sub_overflow(left, c, &left)) { return std::nullopt; }
    }
    return result;
}

bool Polynomials::is_arithmetic(Term t) const {
    const Type type = values_.type(t);
    const bool is_number = value::is_float(type) ? exact_reals_ : type != Type::boolean;
    return is_number && (arithmetic_operator(values_.terms()[t]) != nullptr || same_number(t));
}

std::optional<Polynomial> Polynomials::of_defined(Term t, Ring ring, bool with_products) {
    narrow(t);
    return expand(t, ring, with_products, Known::defined);
}

std::optional<Polynomial> Polynomials::of_claimed(Term t, Ring ring, bool with_products) {
    return expand(t, ring, with_products, Known::root);
}

std::optional<Polynomial> Polynomials::of(Term t, Ring ring, bool with_products) {
    return expand(t, ring, with_products, Known::nothing);
}

// --- Where nothing overflows --------------------------------------------------------------------------------------

void Polynomials::narrow(Term root) {
    std::vector<std::pair<Term, Bounds>> waiting;
    const auto add = [&](Term t, Int128 low, Int128 high) { waiting.push_back({t, {low, high}}); };
    const auto all = values_.range(root);
    if (!all) { return; }
    add(root, all->low, all->high);
    for (std::size_t steps = 0; !waiting.empty() && steps < most_narrowed; ++steps) {
        auto [t, now] = waiting.back();
        waiting.pop_back();
        const Bounds before = bounds(t, most_depth);
        now = {std::max(now.low, before.low), std::min(now.high, before.high)};
        // The term is never defined.
        if (now.low > now.high) { continue; }
        narrowed_.insert_or_assign(t, now);
        const auto* node = arithmetic_operator(values_.terms()[t]);
        if (node == nullptr || !value::overflow_is_undefined(values_.type(t))) { continue; }
        const Bounds a = bounds(node->a, most_depth), b = bounds(node->b, most_depth);
        if (node->op == BinaryOp::add) {
            add(node->a, now.low - b.high, now.high - b.low);
            add(node->b, now.low - a.high, now.high - a.low);
        } else if (node->op == BinaryOp::sub) {
            add(node->a, now.low + b.low, now.high + b.high);
            add(node->b, a.low - now.high, a.high - now.low);
        } else {
            for (const auto& [factor, other] : {std::pair(b, node->a), std::pair(a, node->b)}) {
                if (factor.low != factor.high || factor.low == 0) {
                    add(other, bounds(other, most_depth).low, bounds(other, most_depth).high);
                    continue;
                }
                const Int128 c = factor.low, low = c > 0 ? now.low : now.high, high = c > 0 ? now.high : now.low;
                add(other, -quotient_down(-low, c), quotient_down(high, c));
            }
        }
    }
}

// With depth `most_depth`, returns what is known already.
Polynomials::Bounds Polynomials::bounds(Term t, int depth) {
    const auto all = values_.range(t);
    ENSURE(all.has_value(), "bounds of integers are asked for");
    Bounds result{all->low, all->high};
    const auto intersect = [&](const Bounds& other) {
        result = {std::max(result.low, other.low), std::min(result.high, other.high)};
    };
    if (const auto found = narrowed_.find(t); found != narrowed_.end()) { intersect(found->second); }
    if (depth == most_depth || arithmetic_operator(values_.terms()[t]) == nullptr) { return result; }
    if (const auto found = bounds_.find(t); found != bounds_.end()) { return found->second; }
    if (const auto made = exact_result(t, depth)) { intersect(*made); }
    return bounds_.emplace(t, result).first->second;
}

// The exact range of a sum or product; nullopt if it may overflow.
std::optional<Polynomials::Bounds> Polynomials::exact_result(Term t, int depth) {
    const auto& node = *arithmetic_operator(values_.terms()[t]);
    const Bounds a = bounds(node.a, depth + 1), b = bounds(node.b, depth + 1);
    Bounds made;
    switch (node.op) {
        case BinaryOp::add: made = {a.low + b.low, a.high + b.high}; break;
        case BinaryOp::sub: made = {a.low - b.high, a.high - b.low}; break;
        default: {
            // A product of two larger numbers may leave 128 bits.
            constexpr Int128 most = Int128{1} << 63;
            if (std::max(a.high, b.high) > most) { return std::nullopt; }
            const auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
            made = {low, high};
        }
    }
    const value::Range type = value::full_range(values_.type(t));
    return type.low <= made.low && made.high <= type.high ? std::optional(made) : std::nullopt;
}

// --- Multiplying out ----------------------------------------------------------------------------------------------

std::optional<std::int64_t> Polynomials::coefficient(Term t, Ring ring) const {
    const value::Value* literal = values_.literal_of(t);
    if (literal == nullptr || !literal->is_defined() || literal->type() == Type::boolean) { return std::nullopt; }
    if (value::is_signed_integer(literal->type())) { return literal->as_signed(); }
    if (!value::is_float(literal->type())) {
        const auto number = static_cast<std::int64_t>(literal->bit_pattern());
        return number < 0 && ring == Ring::integers ? std::nullopt : std::optional(number);
    }
    const double number = literal->as_double() * unit_of_reals;
    constexpr auto most = static_cast<double>(most_real) * unit_of_reals;
    const bool is_one = std::abs(number) <= most && std::trunc(number) == number;
    return is_one ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
}

bool Polynomials::may_expand(Term t, Ring ring, bool is_known_to_fit) {
    if (!is_arithmetic(t)) { return false; }
    const Type type = values_.type(t);
    if (value::is_float(type)) { return true; }
    if (!value::overflow_is_undefined(type)) {
        return ring == Ring::modular || values_.is_exact(t) || exact_result(t, 0);
    }
    return is_known_to_fit || narrowed_.contains(t) || values_.is_exact(t) || exact_result(t, 0);
}

// The operand of a cast that keeps its value. With exact reals, casts of integers to floats and casts to f64 do.
std::optional<Term> Polynomials::same_number(Term t) const {
    const auto* cast = std::get_if<smt::Cast>(&values_.terms()[t]);
    if (cast == nullptr) { return std::nullopt; }
    const Type from = values_.type(cast->a);
    const bool is_whole = value::is_integer(from);
    const bool is_same = value::is_integer(cast->to)
                             ? is_whole && values_.fits(cast->a, cast->to)
                             : value::is_float(cast->to) && exact_reals_ && (is_whole || cast->to == Type::f64);
    return is_same && from != Type::boolean ? std::optional(cast->a) : std::nullopt;
}

std::optional<Polynomial> Polynomials::expand(Term root, Ring ring, bool with_products, Known known) {
    const Type type = values_.type(root);
    const bool wraps = ring == Ring::modular && value::wraps(type);
    const std::size_t most = with_products ? most_summands_of_products : most_summands;
    Polynomial result;
    const std::int64_t unit = value::is_float(type) ? unit_of_reals : 1;
    // False if a number is too large, or too small a part of the unit.
    const auto combine = [&](std::int64_t& a, std::int64_t b, bool is_product) {
        if (wraps) {
            const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
            a = static_cast<std::int64_t>(is_product ? x * y : x + y);
            return true;
        }
        const Int128 most = value::is_float(type) ? Int128{most_real} * unit : Int128{INT64_MAX};
        const Int128 made = is_product ? Int128{a} * b : Int128{a} + b;
        if (is_product && made % unit != 0) { return false; }
        const Int128 result = is_product ? made / unit : made;
        a = static_cast<std::int64_t>(result);
        return -most <= result && result <= most;
    };
    const auto as_coefficient = [&](Term t) { return coefficient(t, wraps ? ring : Ring::integers); };
    std::vector<Product> waiting{{unit, {}, {root}}};
    for (std::size_t steps = 0; !waiting.empty(); ++steps) {
        if (steps > most) { return std::nullopt; }
        Product product = std::move(waiting.back());
        waiting.pop_back();
        while (!product.left.empty()) {
            const Term t = product.left.back();
            product.left.pop_back();
            if (++steps > most) { return std::nullopt; }
            if (const auto c = as_coefficient(t)) {
                const bool is_whole = !value::is_float(values_.type(t));
                std::int64_t factor = *c;
                if (is_whole && __builtin_mul_overflow(factor, unit, &factor)) { return std::nullopt; }
                if (!combine(product.coefficient, factor, true)) { return std::nullopt; }
                continue;
            }
            if (const auto same = same_number(t)) {
                product.left.push_back(*same);
                continue;
            }
            const Ring here = values_.type(t) == type ? ring : Ring::integers;
            const bool is_fit = known == Known::defined || (known == Known::root && t == root);
            const auto* node = arithmetic_operator(values_.terms()[t]);
            const bool is_product = node != nullptr && node->op == BinaryOp::mul;
            const bool is_wanted =
                node != nullptr && (!is_product || with_products || as_coefficient(node->a) || as_coefficient(node->b));
            if (!is_wanted || !may_expand(t, here, is_fit)) {
                product.factors.push_back(t);
                continue;
            }
            if (is_product) {
                product.left.push_back(node->a);
                product.left.push_back(node->b);
                continue;
            }
            Product other = product;
            other.left.push_back(node->b);
            if (node->op == BinaryOp::sub && !combine(other.coefficient, -unit, true)) { return std::nullopt; }
            waiting.push_back(std::move(other));
            product.left.push_back(node->a);
        }
        std::ranges::sort(product.factors);
        if (!combine(result.coefficients[product.factors], product.coefficient, false)) { return std::nullopt; }
    }
    if (wraps && value::bits(type) < 64) {
        const std::uint64_t mask = (std::uint64_t{1} << value::bits(type)) - 1;
        for (auto& [factors, c] : result.coefficients) {
            c = static_cast<std::int64_t>(static_cast<std::uint64_t>(c) & mask);
        }
    }
    return result;
}

}  // namespace haruspex::refinement
