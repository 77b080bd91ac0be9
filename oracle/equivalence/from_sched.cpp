#include "oracle/equivalence/from_sched.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "generators/affine/parameters.h"
#include "generators/affine/tuples.h"
#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/base/sizes.h"
#include "harness/sched/text.h"
#include "harness/sched/traverse.h"
#include "oracle/equivalence/normal_form.h"
#include "oracle/equivalence/sched_terms.h"
#include "oracle/equivalence/unsupported.h"

namespace haruspex::equivalence {
namespace {

using namespace sched;

isl::space space_of(isl::ctx ctx, std::size_t rank) {
    return isl::space::unit(ctx).add_unnamed_tuple(static_cast<unsigned>(rank));
}

// { [c] : min_d <= c_d < min_d + extent_d }
isl::set box(isl::ctx ctx, const std::vector<isl::pw_aff>& mins, const std::vector<isl::pw_aff>& extents) {
    const isl::space space = space_of(ctx, mins.size());
    const isl::multi_aff identity = space.identity_multi_aff_on_domain();
    isl::set cells = isl::set::universe(space);
    for (std::size_t d = 0; d < mins.size(); ++d) {
        const isl::pw_aff x(identity.at(static_cast<int>(d)));
        const isl::pw_aff min = mins[d].insert_domain(space);
        cells = cells.intersect(min.le_set(x)).intersect(x.lt_set(min.add(extents[d].insert_domain(space))));
    }
    return cells;
}

struct Shape {
    isl::set cells;             // { [index, …] } of accesses
    isl::map from_coordinates;  // { [coordinates] -> [index, …] }
};

Shape shape_of(const std::vector<Dimension>& dimensions, const Scope& scope) {
    std::vector<isl::pw_aff> mins, extents;
    for (const Dimension& dimension : dimensions) {
        mins.push_back(scope.index(dimension.min));
        extents.push_back(scope.index(dimension.extent));
    }
    const isl::set coordinates = box(scope.ctx(), mins, extents);
    if (dimensions.empty() || !dimensions[0].stride) { return {coordinates, coordinates.identity()}; }
    const isl::space space = coordinates.space();
    const isl::multi_aff identity = space.identity_multi_aff_on_domain();
    isl::pw_aff linear(space.zero_aff_on_domain());
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        const auto stride = scope.number(*dimensions[d].stride);
        if (!stride) { throw Unsupported("stride that is no number: " + print(*dimensions[d].stride)); }
        const isl::pw_aff offset = isl::pw_aff(identity.at(static_cast<int>(d))).sub(mins[d].insert_domain(space));
        linear = linear.add(offset.scale(static_cast<long>(*stride)));
    }
    const isl::map from = isl::multi_pw_aff(linear).as_map().intersect_domain(coordinates);
    return {from.range(), from};
}

// The context of a statement.
struct Place {
    Scope scope;
    std::vector<std::string> variables;  // isl parameters of the enclosing loops
    std::vector<std::string> lets;       // and of the lets that are dimensions too
    std::vector<Loop> loops;             // the enclosing loops
    std::vector<isl::pw_aff> time;       // variables, each followed by the position in its body and in nested blocks
    isl::set running;                    // the iterations, as parameters

    // The dimensions of nodes here.
    std::vector<std::string> dimensions() const {
        std::vector<std::string> all = variables;
        all.insert(all.end(), lets.begin(), lets.end());
        return all;
    }
};

// The names that indices of accesses depend on.
std::set<std::string> names_in_indices(const Program& program) {
    std::map<std::string, std::set<std::string>> lets;
    std::set<std::string> names;
    const auto add = [&](const Expr& index) { names.merge(free_names(index)); };
    for_each_statement(program.body, [&](const Stmt& stmt) {
        if (const auto* let = std::get_if<Let>(&stmt.node)) { lets[let->name].merge(free_names(let->value)); }
        if (const auto* assign = std::get_if<Assign>(&stmt.node)) {
            for (const Write& write : assign->writes) { std::ranges::for_each(write.indices, add); }
        }
        for_each_part(stmt, [&](const Expr& part) {
            for_each_expr(part, [&](const Expr& expr) {
                if (const auto* let = std::get_if<LetIn>(&expr.node)) {
                    lets[let->name].merge(free_names(*let->value));
                }
                if (const auto* load = std::get_if<Load>(&expr.node)) { std::ranges::for_each(load->indices, add); }
            });
        });
    });
    for (std::size_t before = 0; before != names.size();) {
        before = names.size();
        for (const auto& [name, of] : lets) {
            if (names.contains(name)) { names.insert(of.begin(), of.end()); }
        }
    }
    return names;
}

class Builder {
public:
    Builder(Graph& graph, const Sizes& sizes, const std::set<std::string>& scalars)
        : graph_(graph), sizes_(sizes), scalars_(scalars) {}

    SchedProgram build(const Program& program) {
        in_indices_ = names_in_indices(program);
        Place place{Scope(ctx()), {}, {}, {}, {}, graph_.context()};
        place.scope.assume(graph_.context());
        for (const std::string& parameter : program.parameters) {
            const auto size = sizes_.find(parameter);
            place.scope.define(parameter, size == sizes_.end() ? affine::parameter(ctx(), parameter)
                                                               : affine::constant(ctx(), size->second));
        }
        for (const Array& array : program.arrays) { declare(array, place); }
        walk(program.body, place);
        const isl::pw_aff end = affine::constant(ctx(), static_cast<std::int64_t>(program.body.size()));
        std::size_t longest = 1;
        for (const Timed& timed : timed_) { longest = std::max(longest, timed.time.size()); }
        for (const Timed& timed : timed_) { set_time(timed, longest); }
        for (SchedProgram::OutputArray& output : result_.outputs) {
            output.end.assign(longest, affine::constant(ctx(), 0));
            output.end[0] = end;
        }
        return std::move(result_);
    }

private:
    isl::ctx ctx() const { return graph_.ctx(); }

    // --- Arrays ---

    void declare(const Array& array, Place& place) {
        const Shape shape = shape_of(array.dimensions, place.scope);
        ArrayInScope here = add_array(array.name, array.type, shape, place);
        MemoryArray& memory = graph_.memory().array(here.array);
        memory.tensor = array.tensor;
        memory.component = array.component;
        isl::map cell = shape.from_coordinates.set_range_tuple(here.tuple);
        if (scalars_.contains(array.tensor) && array.dimensions.size() == 1) {
            const isl::set first = affine::tuple(ctx(), {place.scope.index(array.dimensions[0].min)}).as_set();
            cell = first.insert_domain(space_of(ctx(), 0)).apply_range(cell);
        }
        result_.buffers.push_back({array.name, array.tensor, array.component, cell.domain()});
        if (array.role == Role::input) {
            if (!cell.intersect_params(graph_.context()).is_injective()) {
                throw Unsupported("strides that let cells share their place: " + array.name);
            }
            memory.coordinates = cell.reverse();
        } else {
            result_.outputs.push_back({here.array, array.tensor, array.component, cell, {}});
        }
        place.scope.declare(array.name, std::move(here));
    }

    ArrayInScope add_array(const std::string& name, value::Type type, const Shape& shape, const Place& place) {
        ArrayInScope here{{}, graph_.fresh_tuple("A"), place.variables, place.loops.size(), {}, type};
        here.array = graph_.memory().add_array({name, {}, false, {}, name, 0});
        isl::set cells = shape.cells.intersect_params(place.running);
        for (const std::string& let : place.lets) { cells = affine::project_out(cells, let); }
        here.cells = affine::with_tuple_name(
            cells.unbind_params_insert_domain(affine::tuple_of(ctx(), place.variables)).wrap().flatten(), here.tuple);
        result_.arrays.emplace(here.array, ArrayFacts{here.cells, place.variables.size()});
        return here;
    }

    void allocate(const Allocate& allocation, Place& place) {
        Shape shape = shape_of(allocation.dimensions, place.scope);
        if (allocation.condition) {
            shape.cells = shape.cells.intersect_params(condition(*allocation.condition, place.scope));
        }
        place.scope.declare(allocation.array, add_array(allocation.array, allocation.type, shape, place));
    }

    isl::set condition(const Expr& expr, const Scope& scope) const { return scope.condition(expr); }

    // --- Statements ---

    void walk(const Block& block, Place place) {
        const std::vector<isl::pw_aff> before = place.time;
        for (std::size_t i = 0; i < block.size(); ++i) {
            place.time = before;
            place.time.push_back(affine::constant(ctx(), static_cast<std::int64_t>(i)));
            walk(block[i], place);
        }
    }

    // Declarations extend the place for the statements after them.
    void walk(const Stmt& stmt, Place& place) {
        std::visit(
            Overload{[&](const Let& s) { define(s, place); },
                     [&](const LetValue& s) {
                         ValueInScope value = bind(s.lanes, s.type, s.value, place, headline(stmt));
                         place.scope.declare(s.name, std::move(value));
                     },
                     [&](const Allocate& s) { allocate(s, place); },
                     [&](const Free& s) { free(s, place, headline(stmt)); },
                     [&](const Assign& s) { assign(s, place, headline(stmt)); },
                     [&](const If& s) {
                         const isl::set holds = condition(s.condition, place.scope);
                         walk_branch(s.then, place, holds);
                         // Has the times of the other branch: one iteration never runs both.
                         walk_branch(s.otherwise, place, holds.complement());
                     },
                     [&](const For& s) { walk(s, place); },
                     [&](const Assert& s) {
                         const isl::set fails = place.running.subtract(condition(s.condition, place.scope));
                         result_.asserted.push_back({fails, headline(stmt)});
                     },
                     [&](const Atomic& s) { walk(s.body, place); }, [&](const Accumulate& s) { walk(s.body, place); },
                     [&](const Semaphore&) { asynchronous(stmt); }, [&](const Acquire&) { asynchronous(stmt); },
                     [&](const Release&) { asynchronous(stmt); }, [&](const Fork&) { asynchronous(stmt); }},
            stmt.node);
    }

    [[noreturn]] static void asynchronous(const Stmt& stmt) {
        throw Unsupported("asynchronous producers: " + headline(stmt));
    }

    void walk_under(const Block& block, Place place, const isl::set& condition) {
        if (!block.empty() && narrow(place, condition)) { walk(block, std::move(place)); }
    }

    // A single statement has the time of the `if` itself, so that deeply nested ones have short times.
    void walk_branch(const Block& branch, Place place, const isl::set& condition) {
        if (branch.size() != 1) {
            walk_under(branch, std::move(place), condition);
        } else if (narrow(place, condition)) {
            walk(branch.front(), place);
        }
    }

    // Returns whether any iteration remains.
    static bool narrow(Place& place, const isl::set& condition) {
        place.running = place.running.intersect(condition);
        place.scope.assume(condition);
        return !place.running.is_empty();
    }

    void walk(const For& loop, const Place& place) {
        const isl::pw_aff min = place.scope.index(loop.min);
        const isl::pw_aff end = min.add(place.scope.index(loop.extent));
        Place inner = place;
        const isl::pw_aff x = enter(loop.variable, inner);
        inner.time.push_back(x);
        inner.loops.push_back({loops_++, loop.kind == LoopKind::parallel, false, inner.variables, inner.time});
        walk_under(loop.body, inner, min.le_set(x).intersect(x.lt_set(end)));
    }

    // A name with a mark that no name in the text form has.
    std::string fresh(const std::string& name) { return name + "#" + std::to_string(variables_++); }

    isl::pw_aff enter(const std::string& variable, Place& place) {
        place.variables.push_back(fresh(variable));
        const isl::pw_aff x = affine::parameter(ctx(), place.variables.back());
        place.scope.define(variable, x);
        return x;
    }

    // The cells of a loop whose tail is shifted inwards, for example, depend on the minimum of two expressions. With
    // the minimum as a dimension they are affine, and so are hypotheses about them, which are affine hulls.
    void define(const Let& let, Place& place) {
        place.scope.define(let.name, let.value);
        if (place.variables.empty() || !in_indices_.contains(let.name) || place.scope.is_condition(let.value)) {
            return;
        }
        const isl::pw_aff value = place.scope.index({Variable{let.name}});
        if (value.n_piece() < 2) { return; }
        place.lets.push_back(fresh(let.name));
        const isl::pw_aff x = affine::parameter(ctx(), place.lets.back());
        const isl::set definition = x.eq_set(value);
        place.scope.define(let.name, x);
        place.scope.assume(definition);
        place.running = place.running.intersect(definition);
    }
    void enter_lanes(const Lanes& lanes, Place& place) {
        const isl::pw_aff x = enter(lanes.variable, place);
        place.loops.push_back({loops_++, false, true, place.variables, {}});
        const isl::set range =
            x.ge_set(affine::constant(ctx(), 0)).intersect(x.lt_set(affine::constant(ctx(), lanes.count)));
        place.running = place.running.intersect(range);
        place.scope.assume(range);
    }

    NodeId add_node(const Place& place, const std::string& label) {
        return graph_.add_node(place.running.unbind_params(affine::tuple_of(ctx(), place.dimensions())), label);
    }

    // Adds a node for a value, in the place and possibly for lanes.
    ValueInScope bind(const std::optional<Lanes>& lanes, value::Type type, const Expr& value, Place place,
                      const std::string& label) {
        if (lanes) { enter_lanes(*lanes, place); }
        const NodeId node = add_node(place, label);
        graph_.set_root(node, term(value, node, place, label));
        const auto lane = lanes ? std::optional(place.variables.size() - 1) : std::nullopt;
        return {node, place.dimensions(), lane, type};
    }

    void assign(const Assign& assign, Place place, const std::string& label) {
        if (assign.lanes) { enter_lanes(*assign.lanes, place); }
        if (assign.condition) {
            const isl::set holds = condition(*assign.condition, place.scope);
            place.running = place.running.intersect(holds);
            place.scope.assume(holds);
        }
        for (std::size_t n = 0; n < assign.writes.size(); ++n) { write(assign.writes[n], place, n, label); }
    }

    // Adds the n-th write of an assignment. An accumulation reads its cell after the writes before it.
    void write(const Write& w, const Place& place, std::size_t n, const std::string& label) {
        const std::int64_t accumulates = 2 * static_cast<std::int64_t>(n) + 1, phase = accumulates + 1;
        const NodeId node = add_node(place, label);
        const SchedTerms terms = terms_of(place, label);
        TermId value = terms.value(w.value, node);
        if (w.accumulation) {
            const value::Type type = place.scope.array(w.array).type;
            const TermId before = terms_of(place, label, accumulates).load(w.array, w.indices, node);
            value = apply(graph_, node, {value::binary_op(w.accumulation->op), type}, {before, value});
        }
        graph_.set_root(node, value);
        const ArrayInScope& array = place.scope.array(w.array);
        const isl::map cell = terms.cell(array, w.indices, node);
        std::vector<isl::pw_aff> time = place.time;
        time.push_back(affine::constant(ctx(), phase));
        MemoryArray& memory = graph_.memory().array(array.array);
        timed_.push_back({node, place.dimensions(), time, Timed::Kind::write, memory.writes.size(), array.array, {}});
        memory.writes.push_back({node, cell.intersect_range(array.cells), {}});
        timed_.push_back({node, place.dimensions(), time, Timed::Kind::access, result_.accesses.size(), {}, {}});
        result_.accesses.push_back({node, array.array, true, w.accumulation.has_value(), cell, {}, place.loops, label});
    }

    void free(const Free& free, const Place& place, const std::string& label) {
        const ArrayInScope& array = place.scope.array(free.array);
        const NodeId node = add_node(place, label);
        FreedArray freed{node, array.array, graph_.over(node, place.dimensions(), parameters(array.around)),
                         {},   false,       label};
        for (std::size_t d = array.depth; d < place.loops.size(); ++d) {
            freed.is_in_parallel_loop = freed.is_in_parallel_loop || place.loops[d].is_parallel;
        }
        timed_.push_back(
            {freed.node, place.dimensions(), place.time, Timed::Kind::freed, result_.freed.size(), {}, {}});
        result_.freed.push_back(std::move(freed));
    }

    // --- Values ---

    TermId term(const Expr& expr, NodeId node, const Place& place, const std::string& label) {
        return terms_of(place, label).value(expr, node);
    }

    // Terms whose reads happen at the phase, within one execution of the statement.
    SchedTerms terms_of(const Place& place, const std::string& label, std::int64_t phase = 0) {
        SchedTerms::Hooks hooks;
        hooks.bind = [this, place, label](const Scope& scope, const std::optional<Lanes>& lanes, value::Type type,
                                          const Expr& value) {
            Place inner = place;
            inner.scope = scope;
            return bind(lanes, type, value, inner, label);
        };
        hooks.beyond_lanes = [this, label](const isl::set& iterations) {
            result_.beyond_lanes.push_back({iterations, label});
        };
        hooks.reads = [this, place, label, phase](ReadId read) {
            std::vector<isl::pw_aff> time = place.time;
            time.push_back(affine::constant(ctx(), phase));
            if (phase > 0) { graph_.memory().set_later(read); }
            const MemoryRead& here = graph_.memory().read(read);
            timed_.push_back(
                {here.node, place.dimensions(), time, Timed::Kind::access, result_.accesses.size(), {}, {}});
            result_.accesses.push_back({here.node, here.array, false, false, *here.cell, {}, place.loops, label});
            timed_.push_back({here.node, place.dimensions(), time, Timed::Kind::read, 0, {}, read});
        };
        return {graph_, place.scope, place.dimensions(), std::move(hooks)};
    }

    // --- Times, which all have one length ---

    struct Timed {
        enum class Kind : std::uint8_t { read, write, access, freed };
        NodeId node;
        std::vector<std::string> variables;
        std::vector<isl::pw_aff> time;
        Kind kind = Kind::read;
        std::size_t position = 0;  // among the array's writes, the accesses or the frees
        ArrayId array;
        ReadId read;
    };

    void set_time(const Timed& timed, std::size_t length) {
        std::vector<isl::pw_aff> time = timed.time;
        time.resize(length, affine::constant(ctx(), 0));
        const isl::map map = graph_.over(timed.node, timed.variables, time);
        switch (timed.kind) {
            case Timed::Kind::read: graph_.memory().set_time(timed.read, map); return;
            case Timed::Kind::write: graph_.memory().array(timed.array).writes[timed.position].time = map; return;
            case Timed::Kind::access: result_.accesses[timed.position].time = map; return;
            case Timed::Kind::freed: result_.freed[timed.position].time = map; return;
        }
    }

    std::vector<isl::pw_aff> parameters(const std::vector<std::string>& names) const {
        std::vector<isl::pw_aff> all;
        for (const std::string& name : names) { all.push_back(affine::parameter(ctx(), name)); }
        return all;
    }

    Graph& graph_;
    const Sizes& sizes_;
    const std::set<std::string>& scalars_;
    SchedProgram result_;
    std::vector<Timed> timed_;
    std::set<std::string> in_indices_;
    std::uint32_t loops_ = 0, variables_ = 0;
};

}  // namespace

SchedProgram build(Graph& graph, const Program& program, const Sizes& sizes, const std::set<std::string>& scalars) {
    return Builder(graph, sizes, scalars).build(program);
}

void add_output(Graph& graph, const SchedProgram::OutputArray& output, const isl::set& cells) {
    const NodeId node = graph.add_node(cells, "output " + output.tensor);
    const Node& here = graph.node(node);
    MemoryRead read{node, output.array, output.cell.set_domain_tuple(here.tuple).intersect_domain(here.domain),
                    {},   {},           {}};
    read.time = affine::tuple(graph.ctx(), output.end)
                    .insert_domain(here.domain.space())
                    .as_map()
                    .intersect_domain(here.domain);
    const TermId value = graph.add({Read{graph.memory().add_read(std::move(read))}, node});
    graph.set_root(node, value);
    graph.outputs.push_back({output.tensor, output.component, cells.intersect_params(graph.context()), value});
}

}  // namespace haruspex::equivalence
