#include "harness/sched/polynomials.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

namespace haruspex::sched {
namespace {

// Nested selects and minima multiply their parts; handwritten indices have a handful.
constexpr std::size_t most_terms = 48;
constexpr std::size_t most_parts = 12;

constexpr const char* minimum_head = "min";
constexpr const char* quotient_head = "/";

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

// Returns the common factor of the coefficients, with or without the constant's; 0 for a constant.
enum class With : bool { all, variables };
std::int64_t common_factor(const Polynomial& p, With with) {
    std::int64_t factor = 0;
    for (const auto& [monomial, coefficient] : p) {
        if (monomial.empty() && with == With::variables) { continue; }
        if (coefficient == std::numeric_limits<std::int64_t>::min()) { return 1; }
        factor = std::gcd(factor, coefficient);
    }
    return factor;
}

// Divides by a factor of the other coefficients; a constant that is not a multiple is rounded down.
Polynomial divided(const Polynomial& p, std::int64_t factor) {
    Polynomial result;
    for (const auto& [monomial, coefficient] : p) {
        const std::int64_t q = floor_quotient(coefficient, factor);
        if (q != 0) { result[monomial] = q; }
    }
    return result;
}

std::int64_t constant_of(const Polynomial& p) {
    const auto found = p.find({});
    return found == p.end() ? 0 : found->second;
}

}  // namespace

Atom Atoms::of(Meaning meaning) {
    const auto [place, is_new] = atoms_.try_emplace(std::move(meaning), numbers_.size());
    if (is_new) { numbers_.push_back(place); }
    return place->second;
}

bool is_product(const Monomial& monomial, const Atoms& atoms) {
    return std::ranges::count_if(monomial, [&](Atom atom) { return !atoms.meaning(atom).is_condition; }) > 1;
}

Polynomial Polynomials::constant(std::int64_t n) { return n == 0 ? Polynomial{} : Polynomial{{{}, n}}; }

std::optional<std::int64_t> Polynomials::as_constant(const Polynomial& p) {
    if (p.empty()) { return 0; }
    if (p.size() == 1 && p.begin()->first.empty()) { return p.begin()->second; }
    return std::nullopt;
}

std::optional<Polynomial> Polynomials::add(const Polynomial& a, const Polynomial& b, std::int64_t factor) {
    Polynomial sum = a;
    for (const auto& [monomial, coefficient] : b) {
        std::int64_t term = 0;
        if (__builtin_mul_overflow(coefficient, factor, &term)) { return std::nullopt; }
        const auto place = sum.try_emplace(monomial, 0).first;
        if (__builtin_add_overflow(place->second, term, &place->second)) { return std::nullopt; }
        if (place->second == 0) { sum.erase(place); }
    }
    if (sum.size() > most_terms) { return std::nullopt; }
    return sum;
}

Polynomial Polynomials::atom(const std::string& head, std::vector<Polynomial> operands, bool is_condition) const {
    return {{{atoms_->of({head, std::move(operands), is_condition})}, 1}};
}

std::optional<Polynomial> Polynomials::multiply(const Polynomial& a, const Polynomial& b) const {
    Polynomial result;
    for (const auto& [m, x] : a) {
        for (const auto& [n, y] : b) {
            Monomial product;
            std::ranges::merge(m, n, std::back_inserter(product));
            // c*c = c for a condition.
            const auto repeated =
                std::ranges::unique(product, [&](Atom p, Atom q) { return p == q && atoms_->meaning(p).is_condition; });
            product.erase(repeated.begin(), repeated.end());
            std::int64_t coefficient = 0;
            if (__builtin_mul_overflow(x, y, &coefficient)) { return std::nullopt; }
            auto sum = add(result, {{product, coefficient}});
            if (!sum) { return std::nullopt; }
            result = std::move(*sum);
        }
    }
    return result;
}

// p = rest + factor * min(0, parts…).
struct Polynomials::Choice {
    Polynomial rest;
    std::int64_t factor = 0;
    const std::vector<Polynomial>* parts = nullptr;

    // Returns the parts whose minimum is p, or whose maximum is p if the factor is negative.
    std::optional<std::vector<Polynomial>> sums() const {
        std::vector<Polynomial> result{rest};
        for (const Polynomial& part : *parts) {
            auto sum = add(rest, part, factor);
            if (!sum) { return std::nullopt; }
            result.push_back(std::move(*sum));
        }
        return result;
    }
};

// Succeeds if p has a single minimum among its terms.
std::optional<Polynomials::Choice> Polynomials::choice_in(const Polynomial& p) const {
    std::optional<Choice> choice;
    for (const auto& [monomial, coefficient] : p) {
        if (monomial.size() != 1 || atoms_->meaning(monomial[0]).head != minimum_head) { continue; }
        if (choice) { return std::nullopt; }
        choice = Choice{p, coefficient, &atoms_->meaning(monomial[0]).operands};
        choice->rest.erase(monomial);
    }
    return choice;
}

// Replaces minima among the parts by their own parts; returns whether there were any.
std::optional<bool> Polynomials::join_minima(std::vector<Polynomial>& parts) const {
    std::vector<Polynomial> joined;
    bool is_changed = false;
    for (Polynomial& part : parts) {
        const auto choice = choice_in(part);
        if (!choice || choice->factor < 0) {
            joined.push_back(std::move(part));
            continue;
        }
        const auto sums = choice->sums();
        if (!sums) { return std::nullopt; }
        joined.insert(joined.end(), sums->begin(), sums->end());
        is_changed = true;
    }
    parts = std::move(joined);
    return is_changed;
}

std::optional<Polynomial> Polynomials::minimum(const Polynomial& a, const Polynomial& b) const {
    std::vector<Polynomial> parts{a, b};
    return join_minima(parts) ? minimum(std::move(parts)) : std::nullopt;
}

std::optional<Polynomial> Polynomials::minimum(std::vector<Polynomial> parts) const {
    if (parts.size() > most_parts) { return std::nullopt; }
    // Drop the parts that are never less than another one.
    std::vector<Polynomial> least;
    for (const Polynomial& part : parts) {
        bool is_needed = true;
        for (auto other = least.begin(); is_needed && other != least.end();) {
            const auto difference = add(part, *other, -1);
            if (!difference) { return std::nullopt; }
            const auto n = as_constant(*difference);
            is_needed = !n || *n < 0;
            other = n && *n < 0 ? least.erase(other) : other + 1;
        }
        if (is_needed) { least.push_back(part); }
    }
    // A difference of two has a last coefficient, since it is not constant.
    std::size_t first = 0;
    for (std::size_t i = 1; i < least.size(); ++i) {
        const auto difference = add(least[i], least[first], -1);
        if (!difference) { return std::nullopt; }
        if (difference->rbegin()->second < 0) { first = i; }
    }
    std::vector<Polynomial> differences;
    std::int64_t factor = 0;
    for (std::size_t i = 0; i < least.size(); ++i) {
        if (i == first) { continue; }
        auto difference = add(least[i], least[first], -1);
        if (!difference) { return std::nullopt; }
        factor = std::gcd(factor, common_factor(*difference, With::all));
        differences.push_back(std::move(*difference));
    }
    if (differences.empty()) { return least[first]; }
    for (Polynomial& difference : differences) { difference = divided(difference, factor); }
    // The common terms of the parts may have hidden a minimum.
    const auto is_changed = join_minima(differences);
    if (!is_changed) { return std::nullopt; }
    if (*is_changed) {
        differences.emplace_back();
        const auto rest = minimum(std::move(differences));
        return rest ? add(least[first], *rest, factor) : std::nullopt;
    }
    std::ranges::sort(differences);
    return add(least[first], atom(minimum_head, std::move(differences)), factor);
}

std::optional<Polynomial> Polynomials::maximum(const Polynomial& a, const Polynomial& b) const {
    const auto x = add({}, a, -1), y = add({}, b, -1);
    if (!x || !y) { return std::nullopt; }
    const auto least = minimum(*x, *y);
    return least ? add({}, *least, -1) : std::nullopt;
}

std::optional<Polynomial> Polynomials::quotient(const Polynomial& a, std::int64_t divisor) const {
    if (divisor == 1) { return a; }
    // match:  (rest + k*min(0, p…)) / d       result: the minimum (k < 0: maximum) of rest/d, (rest + k*p)/d, …
    if (const auto choice = choice_in(a)) {
        const auto sums = choice->sums();
        if (!sums) { return std::nullopt; }
        std::optional<Polynomial> result;
        for (const Polynomial& sum : *sums) {
            const auto part = quotient(sum, divisor);
            if (!part) { return std::nullopt; }
            result = !result ? part : choice->factor > 0 ? minimum(*result, *part) : maximum(*result, *part);
            if (!result) { return std::nullopt; }
        }
        return result;
    }
    // match:  (d*q + r) / d                   result: q + r/d
    Polynomial whole, rest;
    for (const auto& [monomial, coefficient] : a) {
        const std::int64_t q = floor_quotient(coefficient, divisor);
        const std::int64_t r = coefficient - q * divisor;
        if (monomial.empty() || r == 0) {
            if (q != 0) { whole[monomial] = q; }
            if (r != 0) { rest[monomial] = r; }
        } else {
            rest[monomial] = coefficient;
        }
    }
    // The rest of a constant is less than the divisor.
    if (as_constant(rest)) { return whole; }
    // match:  (p/e + r) / d                   result: (p + e*r) / (d*e)
    for (const auto& [monomial, coefficient] : rest) {
        if (coefficient != 1 || monomial.size() != 1) { continue; }
        const Atoms::Meaning& meaning = atoms_->meaning(monomial[0]);
        if (meaning.head != quotient_head) { continue; }
        const std::int64_t inner = *as_constant(meaning.operands[1]);
        std::int64_t joined = 0;
        if (__builtin_mul_overflow(divisor, inner, &joined)) { return std::nullopt; }
        Polynomial others = rest;
        others.erase(monomial);
        const auto dividend = add(meaning.operands[0], others, inner);
        const auto result = dividend ? quotient(*dividend, joined) : std::nullopt;
        return result ? add(whole, *result) : std::nullopt;
    }
    // match:  (g*p + c) / (g*d)               result: (p + c/g) / d
    if (const std::int64_t factor = std::gcd(common_factor(rest, With::variables), divisor); factor > 1) {
        const auto result = quotient(divided(rest, factor), divisor / factor);
        return result ? add(whole, *result) : std::nullopt;
    }
    return add(whole, atom(quotient_head, {rest, constant(divisor)}));
}

std::optional<Polynomial> Polynomials::remainder(const Polynomial& a, std::int64_t divisor) const {
    const auto q = quotient(a, divisor);
    return q ? add(a, *q, -divisor) : std::nullopt;
}

std::optional<Polynomial> Polynomials::at_most_zero(const Polynomial& p) const {
    if (const auto n = as_constant(p)) { return constant(*n <= 0 ? 1 : 0); }
    // match:  g*q + c <= 0                    result: q - floor(-c/g) <= 0
    const std::int64_t factor = common_factor(p, With::variables);
    Polynomial normal = p;
    if (factor > 1) {
        if (constant_of(p) == std::numeric_limits<std::int64_t>::min()) { return std::nullopt; }
        normal.erase(Monomial{});
        normal = divided(normal, factor);
        const std::int64_t n = -floor_quotient(-constant_of(p), factor);
        if (n != 0) { normal[{}] = n; }
    }
    if (normal.rbegin()->second > 0) { return atom("<=0", {normal}, true); }
    // match:  -q <= 0                         result: not 1 + q <= 0, for integers
    const auto negated = add(constant(1), normal, -1);
    return negated ? add(constant(1), atom("<=0", {*negated}, true), -1) : std::nullopt;
}

std::optional<Polynomial> Polynomials::is_zero(const Polynomial& p) const {
    if (const auto n = as_constant(p)) { return constant(*n == 0 ? 1 : 0); }
    const std::int64_t factor = common_factor(p, With::variables);
    if (constant_of(p) % factor != 0) { return Polynomial{}; }
    const auto normal = add({}, divided(p, factor), p.rbegin()->second > 0 ? 1 : -1);
    return normal ? std::optional(atom("=0", {*normal}, true)) : std::nullopt;
}

}  // namespace haruspex::sched
