#include "generators/affine/descent.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "generators/affine/sets.h"

namespace haruspex::affine {
namespace {

// { [i] -> [i_d] }
isl::map dimension(const isl::set& of, unsigned d) {
    return isl::multi_pw_aff(isl::pw_aff(of.space().identity_multi_aff_on_domain().at(static_cast<int>(d)))).as_map();
}

// The pairs of a step whose values v and w of dimension d satisfy the comparison, such as "v > w".
isl::map where(const isl::map& step, unsigned d, const char* comparison) {
    const isl::map compared(step.ctx(), std::string("{ [v] -> [w] : ") + comparison + " }");
    return step.intersect(
        dimension(step.domain(), d).apply_range(compared).apply_range(dimension(step.range(), d).reverse()));
}

enum class Order : std::uint8_t { well_founded, strict };

// Removes the steps that go down in this dimension. Returns false and removes nothing if some step goes up, or, if the
// order has to be well-founded, goes down for ever. Also returns false if no step goes down.
bool take(std::vector<Descent>& steps, unsigned d, bool ascending, Order order) {
    std::vector<Descent> staying;
    bool takes = false;
    for (const Descent& one : steps) {
        if (!where(one.step, d, ascending ? "v < w" : "v > w").is_empty()) { return false; }
        const isl::map down = where(one.step, d, ascending ? "v > w" : "v < w");
        if (!down.is_empty()) {
            const isl::set far(one.step.ctx(), ascending ? "{ [v] : v <= 0 }" : "{ [v] : v >= 0 }");
            const isl::set from = down.domain().apply(dimension(one.step.domain(), d));
            if (order == Order::well_founded && !is_bounded(from.intersect(far))) { return false; }
            takes = true;
        }
        const isl::map same = where(one.step, d, "v = w");
        if (!same.is_empty()) { staying.push_back({one.from, one.to, same}); }
    }
    if (takes) { steps = std::move(staying); }
    return takes;
}

// The kinds that are reachable from one kind by the steps.
std::set<std::size_t> reached(std::size_t from, const std::vector<Descent>& steps) {
    std::set<std::size_t> found;
    std::vector<std::size_t> open{from};
    while (!open.empty()) {
        const std::size_t kind = open.back();
        open.pop_back();
        for (const Descent& one : steps) {
            if (one.from == kind && found.insert(one.to).second) { open.push_back(one.to); }
        }
    }
    return found;
}

// Keeps the steps between kinds that reach each other; the others are taken at most once.
std::vector<Descent> within_cycles(const std::vector<Descent>& steps) {
    std::vector<Descent> result;
    for (const Descent& one : steps) {
        if (one.to == one.from || reached(one.to, steps).contains(one.from)) { result.push_back(one); }
    }
    return result;
}

bool have_order(std::vector<Descent> steps, Order order) {
    for (bool takes = true; takes && !steps.empty();) {
        takes = false;
        unsigned rank = steps[0].step.domain_tuple_dim();
        for (const Descent& one : steps) {
            rank = std::min({rank, one.step.domain_tuple_dim(), one.step.range_tuple_dim()});
        }
        for (unsigned d = 0; d < rank && !takes; ++d) {
            takes = take(steps, d, true, order) || take(steps, d, false, order);
        }
        steps = within_cycles(steps);
    }
    return steps.empty();
}

std::optional<std::size_t> find_without(Order order, std::vector<Descent> steps) {
    steps = within_cycles(steps);
    while (!steps.empty()) {
        const std::size_t kind = steps[0].from;
        const std::set<std::size_t> component = reached(kind, steps);
        std::vector<Descent> inside;
        std::erase_if(steps, [&](const Descent& one) {
            if (!component.contains(one.from)) { return false; }
            inside.push_back(one);
            return true;
        });
        if (!have_order(std::move(inside), order)) { return kind; }
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::size_t> find_endless(std::vector<Descent> steps) {
    return find_without(Order::well_founded, std::move(steps));
}

std::optional<std::size_t> find_cyclic(std::vector<Descent> steps) {
    return find_without(Order::strict, std::move(steps));
}

}  // namespace haruspex::affine
