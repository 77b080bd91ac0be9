#include "oracle/pipeline/other_sizes.h"

#include <algorithm>
#include <set>

#include "generators/base/choice.h"
#include "generators/random/policy.h"
#include "generators/random/regions.h"
#include "generators/sare/build.h"
#include "generators/sare/staging.h"

namespace haruspex::pipeline {
namespace {

// Draws per requested size.
constexpr std::size_t attempts = 20;
// A tile may need this many cells, and twice as many to occur twice.
constexpr std::int64_t small = 24;

Sizes draw(Choices& choices, const Sizes& own) {
    Sizes sizes;
    for (const auto& [name, size] : own) {
        const bool is_near = choices.boolean(300);
        sizes[name] = is_near ? size + choices.integer(-3, 3) : choices.integer(0, std::max(small, 2 * size));
    }
    return sizes;
}

}  // namespace

std::vector<Sizes> other_sizes(const cases::Case& c, const std::vector<schedule::SizeRule>& rules, std::size_t count) {
    const auto algorithm = sare::unstage(c.sare);
    if (!algorithm || c.sizes.empty()) { return {}; }
    const random::Policy affordable;
    const auto is_fit = [&](const Sizes& sizes) {
        if (!sare::evaluate(c.sare.assumptions, sizes)) { return false; }
        if (!std::ranges::all_of(rules, [&](const auto& rule) { return sare::evaluate(rule.condition, sizes); })) {
            return false;
        }
        const random::Cost cost = random::cost(*algorithm, random::intervals_of(sizes));
        return cost.evaluations <= affordable.most_work && cost.input_cells <= affordable.most_input_cells;
    };
    Choices choices(random_source(c.input_seed));
    std::set<Sizes> known{c.sizes};
    std::vector<Sizes> found;
    for (std::size_t attempt = 0; attempt < attempts * count && found.size() < count; ++attempt) {
        Sizes sizes = draw(choices, c.sizes);
        if (!is_fit(sizes) || !known.insert(sizes).second) { continue; }
        found.push_back(std::move(sizes));
    }
    return found;
}

}  // namespace haruspex::pipeline
