// Transformations by which iterations become lanes.

#include <algorithm>
#include <array>
#include <utility>

#include "harness/sched/traverse.h"
#include "harness/transform/dependence.h"
#include "harness/transform/loop_pieces.h"
#include "harness/transform/transformations.h"

namespace haruspex::transform {

using namespace haruspex::sched;
using sare::Index;
using sare::Relation;

namespace {

// Returns the single assignment of a body, with the surrounding condition and affine lets put into it.
std::optional<Assign> assignment_of(Block body) {
    while (!body.empty() && std::holds_alternative<Let>(body.front().node)) {
        const Let let = std::get<Let>(body.front().node);
        body.erase(body.begin());
        substitute(body, {{let.name, let.value}});
    }
    if (body.size() != 1) { return std::nullopt; }
    if (auto* branch = std::get_if<If>(&body.front().node)) {
        if (!branch->otherwise.empty() || !to_condition(branch->condition)) { return std::nullopt; }
        auto assign = assignment_of(branch->then);
        if (!assign || assign->condition) { return std::nullopt; }
        assign->condition = branch->condition;
        return assign;
    }
    auto* assign = std::get_if<Assign>(&body.front().node);
    if (assign == nullptr || assign->lanes) { return std::nullopt; }
    return *assign;
}

// Replaces the loop by `body`, of several iterations at once, and a loop for those left over. `body` gets the lanes, and
// the index of an iteration in terms of the lane. Returns false if the loop may have a negative extent.
template <typename Body>
bool replace_by_lanes(const Site& site, const For& loop, const LoopBounds& bounds, Workshop& workshop,
                      const Body& body) {
    const auto extent = constant_of(bounds.extent);
    const bool whole = extent && *extent >= 1 && *extent <= 16;
    const sare::Condition is_negative = sare::compare(Relation::lt, bounds.known_extent, sare::constant(0));
    if (!whole && workshop.possible(site.around.known && is_negative)) { return false; }
    const std::int64_t count = whole ? *extent : workshop.choices.one_of(std::array{2, 4, 8});
    const std::string lane = workshop.names.fresh(loop.variable + "v");
    const std::string outer = workshop.names.fresh(loop.variable + "o");
    Index index = bounds.min + sare::variable(lane);
    if (!whole) { index = index + count * sare::variable(outer); }
    Block at_once = body(Lanes{lane, count}, index);
    if (whole) {
        replace(site, std::move(at_once));
        return true;
    }
    const Index number = sare::floor_div(bounds.extent, count);
    For rest = copied(loop, workshop);
    replace(site, {transform::loop(LoopKind::serial, outer, sare::constant(0), number, std::move(at_once)),
                   transform::loop(LoopKind::serial, rest.variable, bounds.min + count * number,
                                   bounds.extent - count * number, std::move(rest.body))});
    return true;
}

}  // namespace

bool into_lanes(Program& program, Workshop& workshop) {
    return at_some<For>(program, workshop, [&](const Site& site, For& loop) {
        const auto bounds = bounds_of(loop, site.around);
        if (!bounds || loop.kind == LoopKind::parallel) { return false; }
        auto assign = assignment_of(loop.body);
        const auto found = touches(Stmt{loop}, site.around);
        if (!assign || !found) { return false; }
        std::vector<Touch> writes, reads;
        for (const Touch& touch : *found) { (touch.writes ? writes : reads).push_back(touch); }
        const Index first = marked(loop.variable, "'"), second = marked(loop.variable, "\"");
        if (conflict(workshop, writes, reads, sare::compare(Relation::lt, first, second)) ||
            conflict(workshop, writes, writes, sare::compare(Relation::ne, first, second))) {
            return false;
        }
        return replace_by_lanes(site, loop, *bounds, workshop, [&](const Lanes& lanes, const Index& index) {
            Block body = at({{std::move(*assign)}}, loop.variable, index);
            std::get<Assign>(body.front().node).lanes = lanes;
            return body;
        });
    });
}

namespace {

// f[ι] {f.s(…)} := f[ι] ⊙ e, where a loop's variable is not in ι.
struct Reduction {
    Assign assign;
    Accumulated accumulated;
    value::ReductionOp op;
    Expr own, operand;
};
std::optional<Reduction> reduction_of(const For& loop) {
    const auto* assign = loop.body.size() == 1 ? std::get_if<Assign>(&loop.body.front().node) : nullptr;
    if (assign == nullptr || assign->condition || assign->writes.size() != 1) { return std::nullopt; }
    const Write& write = assign->writes.front();
    const auto* binary = std::get_if<Binary>(&write.value.node);
    const auto op = binary == nullptr ? value::all_reduction_ops.end()
                                      : std::ranges::find(value::all_reduction_ops, binary->op, value::binary_op);
    const bool is_fixed = std::ranges::none_of(
        write.indices, [&](const Expr& index) { return free_names(index).contains(loop.variable); });
    const bool has_step = write.prophecy && std::holds_alternative<TensorAccess>(write.prophecy->node);
    const auto accumulated = accumulated_by(write);
    if (op == value::all_reduction_ops.end() || !is_fixed || !has_step || !accumulated) { return std::nullopt; }
    const Expr own{Load{write.array, write.indices, std::nullopt}};
    if (*binary->a != own && *binary->b != own) { return std::nullopt; }
    return Reduction{*assign, *accumulated, *op, own, *binary->a == own ? *binary->b : *binary->a};
}

}  // namespace

bool sum_lanes(Program& program, Workshop& workshop) {
    return at_some<For>(program, workshop, [&](const Site& site, For& loop) {
        const auto bounds = bounds_of(loop, site.around);
        const auto found = reduction_of(loop);
        if (!bounds || !found || loop.kind != LoopKind::serial) { return false; }
        if (!allows_any_order(found->accumulated, workshop)) { return false; }
        return replace_by_lanes(site, loop, *bounds, workshop, [&](const Lanes& lanes, const Index& index) {
            const auto all = [&](const Expr& of_one) {
                return Expr{
                    LaneReduce{found->op, lanes, sched::substitute(of_one, {{loop.variable, transform::expr(index)}})}};
            };
            Assign assign = found->assign;
            Write& write = assign.writes.front();
            write.value = {Binary{value::binary_op(found->op), found->own, all(found->operand)}};
            write.prophecy = all(*write.prophecy);
            return Block{{std::move(assign)}};
        });
    });
}

}  // namespace haruspex::transform
