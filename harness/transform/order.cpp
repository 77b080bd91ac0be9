// Transformations that change the order of iterations, or run several at once.

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "generators/sare/traverse.h"
#include "harness/sched/traverse.h"
#include "harness/transform/dependence.h"
#include "harness/transform/loop_pieces.h"
#include "harness/transform/transformations.h"

namespace haruspex::transform {

using namespace haruspex::sched;
using sare::Condition;
using sare::Index;
using sare::Relation;

namespace {

Condition less(const Index& a, const Index& b) { return sare::compare(Relation::lt, a, b); }
Condition differ(const Index& a, const Index& b) { return sare::compare(Relation::ne, a, b); }
Index first(const std::string& variable) { return marked(variable, "'"); }
Index second(const std::string& variable) { return marked(variable, "\""); }

// What a change of the order of serial iterations has to respect.
Dependences in_order(const Workshop& workshop) {
    return workshop.policy.reorders_reductions ? Dependences::without_order_of_reductions : Dependences::all;
}

// Two loops, the inner one being the outer one's whole body.
struct Nest {
    For* outer;
    For* inner;
    LoopBounds outer_bounds, inner_bounds;
};
std::optional<Nest> nest_at(const Site& site) {
    auto* outer = site.as<For>();
    if (outer == nullptr || outer->body.size() != 1) { return std::nullopt; }
    auto* inner = std::get_if<For>(&outer->body.front().node);
    if (inner == nullptr) { return std::nullopt; }
    auto outer_bounds = bounds_of(*outer, site.around);
    auto inner_bounds = bounds_of(*inner, inside(site.around, *outer));
    if (!outer_bounds || !inner_bounds) { return std::nullopt; }
    return Nest{outer, inner, *outer_bounds, *inner_bounds};
}
bool mentions(const Index& index, const std::string& variable) {
    return sare::free_variables(index).contains(variable);
}
// Whether neither bound of the inner loop depends on the outer loop's variable.
bool is_rectangular(const Nest& nest) {
    return !mentions(nest.inner_bounds.min, nest.outer->variable) &&
           !mentions(nest.inner_bounds.extent, nest.outer->variable);
}

// Whether the loop's iterations may run in any order, or at once. Without dependences between steps of reductions, these
// have to be atomic.
bool iterations_are_independent(const For& loop, const Around& around, const Workshop& workshop,
                                Dependences dependences = Dependences::all) {
    const auto found = touches(Stmt{loop}, around);
    return found && !conflict(workshop, *found, *found, differ(first(loop.variable), second(loop.variable)),
                              allocated_in(loop.body), dependences);
}

// Puts an atomic block around each accumulation.
void make_atomic(Block& block) {
    for (Stmt& stmt : block) {
        if (std::holds_alternative<Atomic>(stmt.node)) { continue; }
        const auto* assign = std::get_if<Assign>(&stmt.node);
        const auto accumulates = [](const Write& write) { return accumulated_by(write).has_value(); };
        if (assign != nullptr && std::ranges::any_of(assign->writes, accumulates)) {
            stmt = Stmt{Atomic{{stmt}}};
        } else {
            for_each_block(stmt, make_atomic);
        }
    }
}

}  // namespace

bool interchange(Program& program, Workshop& workshop) {
    return at_some<For>(program, workshop, [&](const Site& site, For& loop) {
        const auto nest = nest_at(site);
        if (!nest || !is_rectangular(*nest)) { return false; }
        const auto found = touches(Stmt{loop}, site.around);
        if (!found) { return false; }
        const std::string& i = nest->outer->variable;
        const std::string& j = nest->inner->variable;
        // An iteration that depends on an earlier one of the outer loop must not run before it or at the same time.
        const bool is_serial = nest->inner->kind == LoopKind::serial || nest->inner->kind == LoopKind::unrolled;
        const Condition turned = is_serial ? less(second(j), first(j)) : differ(first(j), second(j));
        // A loop that does not run in order becomes the outer one.
        const Dependences dependences = is_serial ? in_order(workshop) : Dependences::all;
        if (conflict(workshop, *found, *found, less(first(i), second(i)) && turned, allocated_in(loop.body),
                     dependences)) {
            return false;
        }
        For outer = *nest->inner;
        For inner = *nest->outer;
        inner.body = std::move(outer.body);
        outer.body = {{std::move(inner)}};
        replace(site, {{std::move(outer)}});
        return true;
    });
}

bool fission(Program& program, Workshop& workshop) {
    return at_some<For>(program, workshop, [&](const Site& site, For& loop) {
        const auto declares = [](const Stmt& s) {
            return std::holds_alternative<Let>(s.node) || std::holds_alternative<LetValue>(s.node) ||
                   std::holds_alternative<Allocate>(s.node) || std::holds_alternative<Free>(s.node);
        };
        if (loop.body.size() < 2 || std::ranges::any_of(loop.body, declares)) { return false; }
        const auto cut = workshop.choices.integer(1, static_cast<std::int64_t>(loop.body.size()) - 1);
        For front = loop;
        For back = copied(loop, workshop);
        front.body.erase(front.body.begin() + cut, front.body.end());
        back.body.erase(back.body.begin(), back.body.begin() + cut);
        const auto before = touches(Stmt{front}, site.around);
        const auto after = touches(Stmt{back}, site.around);
        if (!before || !after) { return false; }
        std::set<std::string> local = allocated_in(front.body);
        local.merge(allocated_in(back.body));
        if (conflict(workshop, *before, *after, less(second(back.variable), first(front.variable)), local,
                     in_order(workshop))) {
            return false;
        }
        replace(site, {{std::move(front)}, {std::move(back)}});
        return true;
    });
}

namespace {

// Returns the body under the condition that the loop has this iteration, unless it is known to hold.
Block guarded(Block body, const std::string& t, const Index& min, const Index& end, const Condition& known,
              const Workshop& workshop) {
    const Index v = sare::variable(t);
    Condition guard = sare::truth(true);
    if (workshop.possible(known && less(v, min))) { guard = guard && sare::compare(Relation::le, simplified(min), v); }
    if (workshop.possible(known && sare::compare(Relation::ge, v, end))) { guard = guard && less(v, simplified(end)); }
    if (guard == sare::truth(true)) { return body; }
    return {{If{to_code(guard), std::move(body), {}}}};
}

bool has_extremum(const Index& index) {
    bool found = false;
    for_each_expr(to_code(index), [&](const Expr& part) {
        const auto* n = std::get_if<IndexBinary>(&part.node);
        found = found || (n != nullptr && (n->op == IndexOp::min || n->op == IndexOp::max));
    });
    return found;
}

// Fuses the loop with the next loop; only allocations stand between them.
bool fuse_with_next(const Site& site, For& a, Workshop& workshop) {
    Block& block = *site.block;
    std::size_t next = site.position + 1;
    while (next < block.size() && std::holds_alternative<Allocate>(block[next].node)) { ++next; }
    const auto* found = next < block.size() ? std::get_if<For>(&block[next].node) : nullptr;
    const auto may_be_fused = [](const For& loop) {
        return loop.kind == LoopKind::serial || loop.kind == LoopKind::parallel;
    };
    if (found == nullptr || !may_be_fused(a) || !may_be_fused(*found)) { return false; }
    const For& b = *found;
    const auto a_bounds = bounds_of(a, site.around);
    const auto b_bounds = bounds_of(b, site.around);
    const auto before = touches(Stmt{a}, site.around);
    const auto after = touches(Stmt{b}, site.around);
    if (!a_bounds || !b_bounds || !before || !after) { return false; }
    std::set<std::string> local = allocated_in(a.body);
    local.merge(allocated_in(b.body));
    // The number of iterations by which the second loop must lag behind.
    constexpr std::int64_t most_delay = 4;
    std::int64_t delay = 0;
    const auto in_time = [&] {
        return !conflict(workshop, *before, *after, less(second(b.variable) + sare::constant(delay), first(a.variable)),
                         local, in_order(workshop));
    };
    while (!in_time()) {
        if (++delay > most_delay) { return false; }
    }
    if (delay == 0 && workshop.choices.boolean(workshop.policy.idle_delay_per_mille)) {
        delay = workshop.choices.integer(0, 2);
    }

    const std::string t = workshop.names.fresh(a.variable);
    const auto end = [](const Index& min, const Index& extent) { return simplified(min + extent); };
    const Index a_end = end(a_bounds->min, a_bounds->extent);
    const Index b_min = simplified(b_bounds->min + sare::constant(delay));
    const Index b_end = end(b_min, b_bounds->extent);
    const Index min = simplified(sare::min(a_bounds->min, b_min));
    const Index max = simplified(sare::max(a_end, b_end));
    if (has_extremum(min) || has_extremum(max)) { return false; }
    const Index extent = max - min;
    Around within = inside(site.around, For{LoopKind::serial, t, expr(min), expr(extent), {}});
    Block body = guarded(at(a.body, a.variable, sare::variable(t)), t, a_bounds->min, a_end, within.known, workshop);
    for (Stmt& stmt : guarded(at(b.body, b.variable, sare::variable(t) - sare::constant(delay)), t, b_min, b_end,
                              within.known, workshop)) {
        body.push_back(std::move(stmt));
    }
    Stmt fused = loop(LoopKind::serial, t, min, extent, std::move(body));
    std::rotate(block.begin() + static_cast<std::ptrdiff_t>(site.position),
                block.begin() + static_cast<std::ptrdiff_t>(site.position) + 1,
                block.begin() + static_cast<std::ptrdiff_t>(next));
    block.erase(block.begin() + static_cast<std::ptrdiff_t>(next));
    block[next - 1] = std::move(fused);
    return true;
}

}  // namespace

bool fuse(Program& program, Workshop& workshop) {
    return at_some<For>(program, workshop,
                        [&](const Site& site, For& loop) { return fuse_with_next(site, loop, workshop); });
}

bool skew(Program& program, Workshop& workshop) {
    return at_some<For>(program, workshop, [&](const Site& site, For& loop) {
        const auto nest = nest_at(site);
        if (!nest || !is_rectangular(*nest) || loop.kind != LoopKind::serial || nest->inner->kind != LoopKind::serial) {
            return false;
        }
        const auto found = touches(Stmt{loop}, site.around);
        if (!found) { return false; }
        const std::string i = nest->outer->variable;
        const std::string j = nest->inner->variable;
        const std::string skewed = workshop.names.fresh(j + "s");
        const Index s = sare::variable(skewed);
        const Index outer = sare::variable(i);
        const auto& [min_i, extent_i, unused_min_i, unused_extent_i] = nest->outer_bounds;
        const auto& [min_j, extent_j, unused_min_j, unused_extent_j] = nest->inner_bounds;
        const bool wavefront = !conflict(workshop, *found, *found,
                                         less(first(i), second(i)) && less(second(i) + second(j), first(i) + first(j)),
                                         allocated_in(loop.body), in_order(workshop));
        if (wavefront && workshop.choices.boolean(workshop.policy.wavefront_per_mille)) {
            const Index from = sare::max(min_i, s - min_j - extent_j + sare::constant(1));
            const Index to = sare::min(min_i + extent_i, s - min_j + sare::constant(1));
            replace(site,
                    {transform::loop(
                        LoopKind::serial, skewed, min_i + min_j, extent_i + extent_j - sare::constant(1),
                        {transform::loop(LoopKind::serial, i, from, to - from, at(nest->inner->body, j, s - outer))})});
            return true;
        }
        const std::int64_t factor = workshop.choices.one_of(std::array{1, 2, -1});
        replace(site, {transform::loop(LoopKind::serial, i, min_i, extent_i,
                                       {transform::loop(LoopKind::serial, skewed, min_j + factor * outer, extent_j,
                                                        at(nest->inner->body, j, s - factor * outer))})});
        return true;
    });
}

namespace {

// Whether a loop runs in order, and its iterations may run in any other order, one after the other.
bool may_be_reordered(const For& loop, const Around& around, const Workshop& workshop) {
    const auto found = touches(Stmt{loop}, around);
    return loop.kind == LoopKind::serial && found &&
           !conflict(workshop, *found, *found, less(first(loop.variable), second(loop.variable)),
                     allocated_in(loop.body), in_order(workshop));
}

}  // namespace

bool reverse(Program& program, Workshop& workshop) {
    return at_some<For>(program, workshop, [&](const Site& site, For& loop) {
        const auto bounds = bounds_of(loop, site.around);
        if (!bounds || !may_be_reordered(loop, site.around, workshop)) { return false; }
        const std::string back = workshop.names.fresh(loop.variable);
        const Index last = bounds->min + bounds->extent - sare::constant(1);
        replace(site, {transform::loop(LoopKind::serial, back, sare::constant(0), bounds->extent,
                                       at(loop.body, loop.variable, last - sare::variable(back)))});
        return true;
    });
}

bool separate(Program& program, Workshop& workshop) {
    return at_some<For>(program, workshop, [&](const Site& site, For& loop) {
        const auto bounds = bounds_of(loop, site.around);
        if (!bounds || !may_be_reordered(loop, site.around, workshop)) { return false; }
        For odd = copied(loop, workshop);
        const std::string even = workshop.names.fresh(loop.variable + "e"),
                          uneven = workshop.names.fresh(odd.variable + "u");
        const Index half = sare::floor_div(bounds->extent, 2),
                    rest = sare::floor_div(bounds->extent + sare::constant(1), 2);
        replace(site, {transform::loop(LoopKind::serial, even, sare::constant(0), rest,
                                       at(loop.body, loop.variable, bounds->min + 2 * sare::variable(even))),
                       transform::loop(LoopKind::serial, uneven, sare::constant(0), half,
                                       at(std::move(odd.body), odd.variable,
                                          bounds->min + 2 * sare::variable(uneven) + sare::constant(1)))});
        return true;
    });
}

bool parallelise(Program& program, Workshop& workshop) {
    const bool shares_cells =
        workshop.policy.reorders_reductions && workshop.choices.boolean(workshop.policy.atomic_per_mille);
    return at_some<For>(program, workshop, [&](const Site& site, For& loop) {
        if (loop.kind != LoopKind::serial) { return false; }
        if (iterations_are_independent(loop, site.around, workshop) == shares_cells) { return false; }
        if (shares_cells) {
            if (!iterations_are_independent(loop, site.around, workshop, in_order(workshop))) { return false; }
            make_atomic(loop.body);
        }
        loop.kind = LoopKind::parallel;
        return true;
    });
}

bool mark_vector(Program& program, Workshop& workshop) {
    return at_some<For>(program, workshop, [&](const Site& site, For& loop) {
        if (loop.kind != LoopKind::serial) { return false; }
        const bool innermost =
            std::ranges::none_of(loop.body, [](const Stmt& s) { return std::holds_alternative<For>(s.node); });
        if (innermost && iterations_are_independent(loop, site.around, workshop)) {
            loop.kind = LoopKind::vector;
            return true;
        }
        if (!workshop.choices.boolean(workshop.policy.unrolled_per_mille)) { return false; }
        loop.kind = LoopKind::unrolled;
        return true;
    });
}

}  // namespace haruspex::transform
