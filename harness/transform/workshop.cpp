#include "harness/transform/workshop.h"

#include <algorithm>

#include "generators/base/overload.h"
#include "generators/sare/isl.h"
#include "generators/sare/text.h"
#include "generators/sare/traverse.h"
#include "harness/sched/traverse.h"
#include "harness/transform/indices.h"

namespace haruspex::transform {

using namespace haruspex::sched;

namespace {

void collect(Block& block, Around around, std::vector<Site>& found) {
    for (std::size_t i = 0; i < block.size(); ++i) {
        found.push_back({&block, i, around});
        Around within = around;
        std::visit(Overload{[&](const Let& s) {
                                if (const auto value = around.index(s.value)) { around.lets[s.name] = *value; }
                            },
                            [&](If& s) {
                                const auto condition = around.condition(s.condition);
                                Around then = within;
                                if (condition) { then.known = then.known && *condition; }
                                collect(s.then, then, found);
                                if (condition) { within.known = within.known && !*condition; }
                                collect(s.otherwise, within, found);
                            },
                            [&](For& s) { collect(s.body, inside(around, s), found); },
                            [&](Atomic& s) { collect(s.body, within, found); },
                            [&](Accumulate& s) { collect(s.body, within, found); }, [](auto&) {}},
                   block[i].node);
    }
}

}  // namespace

bool Workshop::possible(const sare::Condition& condition) const {
    constexpr std::uint64_t operations = 100'000;
    // Transformations that find no place try again and ask the same questions.
    const auto [known, is_new] = answers_.try_emplace(sare::print(condition), true);
    if (!is_new) { return known->second; }
    const std::set<std::string> names = sare::free_variables(condition);
    const auto empty = affine::within(context_, operations, [&] {
        const sare::AffineSpace space(context_.ctx(), {}, {names.begin(), names.end()});
        return static_cast<bool>(space.convert(condition).is_empty());
    });
    return known->second = !empty || !*empty;
}

std::optional<sare::Index> Around::index(const Expr& expr) const {
    const auto found = to_index(expr);
    return found ? std::optional(sare::substitute(*found, lets)) : std::nullopt;
}

std::optional<sare::Condition> Around::condition(const Expr& expr) const {
    const auto found = to_condition(expr);
    return found ? std::optional(sare::substitute(*found, lets)) : std::nullopt;
}

Around inside(const Around& around, const For& loop) {
    Around within = around;
    within.loops.push_back(loop.variable);
    const auto min = around.index(loop.min);
    const auto extent = around.index(loop.extent);
    if (min && extent) {
        const sare::Index v = sare::variable(loop.variable);
        within.known = within.known && sare::compare(sare::Relation::le, *min, v) &&
                       sare::compare(sare::Relation::lt, v, *min + *extent);
    }
    return within;
}

std::vector<Site> sites(Program& program, const sare::Condition& assumptions) {
    std::vector<Site> found;
    collect(program.body, {assumptions, {}}, found);
    return found;
}

std::set<std::string> allocated_in(const Block& block) {
    std::set<std::string> names;
    for_each_statement(block, [&](const Stmt& stmt) {
        if (const auto* allocation = std::get_if<Allocate>(&stmt.node)) { names.insert(allocation->array); }
    });
    return names;
}

bool binds_lets(const Block& block) {
    bool found = false;
    for_each_statement(block, [&](const Stmt& s) {
        found = found || std::holds_alternative<Let>(s.node) || std::holds_alternative<LetValue>(s.node);
    });
    return found;
}

std::size_t statement_count(const Block& block) {
    std::size_t count = 0;
    for_each_statement(block, [&](const Stmt&) { ++count; });
    return count;
}

int nesting(const Block& block) {
    int most = 0;
    for (const Stmt& stmt : block) {
        int below = 0;
        for_each_block(stmt, [&](const Block& inner) { below = std::max(below, nesting(inner)); });
        most = std::max(most, below + 1);
    }
    return most;
}

Expr expr(const sare::Index& index) { return to_code(simplified(index)); }

}  // namespace haruspex::transform
