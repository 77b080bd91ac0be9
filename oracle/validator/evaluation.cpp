#include "oracle/validator/evaluation.h"

#include <algorithm>

#include "generators/affine/parameters.h"
#include "generators/affine/sets.h"
#include "generators/affine/tuples.h"
#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "harness/sched/text.h"
#include "harness/sched/traverse.h"

namespace haruspex::validator {
namespace {

using namespace sched;
using heap::Heap;
using heap::Locations;

// The cell that says that an array was freed.
std::string freed(const std::string& unique_name) { return "free " + unique_name; }

bool is_parallel(const For& loop) { return loop.kind == LoopKind::parallel; }

isl::set box(isl::ctx ctx, const std::string& name, const std::vector<isl::pw_aff>& mins,
             const std::vector<isl::pw_aff>& extents) {
    const isl::space space =
        isl::space::unit(ctx).add_named_tuple(affine::identifier(ctx, name), static_cast<unsigned>(mins.size()));
    const isl::multi_aff coordinates = space.identity_multi_aff_on_domain();
    isl::set cells = isl::set::universe(space);
    for (std::size_t d = 0; d < mins.size(); ++d) {
        const isl::pw_aff coordinate(coordinates.at(static_cast<int>(d)));
        const isl::pw_aff min = mins[d].insert_domain(space);
        cells = cells.intersect(min.le_set(coordinate))
                    .intersect(coordinate.lt_set(min.add(extents[d].insert_domain(space))));
    }
    return cells;
}

// The arrays whose cells are read, and those that are accessed at all.
struct Arrays {
    std::set<std::string> read, accessed;

    void add(const Stmt& stmt) {
        for_each_part(stmt, [&](const Expr& expr) {
            for (const std::string& array : arrays_read(expr)) { read.insert(array); }
        });
        if (const auto* assign = std::get_if<Assign>(&stmt.node)) {
            for (const Write& write : assign->writes) { accessed.insert(write.array); }
        }
        if (const auto* free = std::get_if<Free>(&stmt.node)) { accessed.insert(free->array); }
        for_each_block(stmt, [&](const Block& block) {
            for (const Stmt& inner : block) { add(inner); }
        });
    }
    static Arrays of(const Block& block, std::size_t first) {
        Arrays arrays;
        for (std::size_t i = first; i < block.size(); ++i) { arrays.add(block[i]); }
        return arrays;
    }
};

Heap product(const heap::Location& location, const heap::Value& value) {
    return isl::union_map::from_domain_and_range(location, value);
}

// Programs with forks are interpreted under several interleavings, not proved (DESIGN section 5).
constexpr const char* asynchronous = "asynchronous producers";

}  // namespace

std::string_view name(Kind kind) {
    switch (kind) {
        case Kind::bounds_read: return "bounds_read";
        case Kind::bounds_write: return "bounds_write";
        case Kind::freed: return "freed";
        case Kind::input_written: return "input_written";
        case Kind::uninit: return "uninit";
        case Kind::lanes: return "lanes";
        case Kind::race_read_write: return "race_read_write";
        case Kind::race_write_write: return "race_write_write";
        case Kind::value: return "value";
        case Kind::coverage: return "coverage";
        case Kind::assertion: return "assertion";
        case Kind::vacuous: return "vacuous";
    }
    raise_internal_error(__FILE__, __LINE__, "no such kind of obligation");
}

Evaluation::Evaluation(isl::ctx ctx, heap::Templates& templates, const TensorSignatures& tensors,
                       const Garbage& garbage, std::vector<Step>* steps)
    : ctx_(ctx),
      templates_(templates),
      expressions_(templates, tensors),
      garbage_(garbage),
      derivation_(templates, steps),
      scope_(ctx),
      initial_(heap::empty_heap(ctx)) {}

// --- Γ -----------------------------------------------------------------------------------------------------------

isl::set Evaluation::cells(const std::string& unique_name, const std::vector<Dimension>& dimensions,
                           const Scope& scope) const {
    std::vector<isl::pw_aff> mins, extents;
    const bool is_strided = !dimensions.empty() && dimensions[0].stride;
    for (const Dimension& dimension : dimensions) {
        mins.push_back(is_strided ? scope.constant(0) : scope.index(dimension.min));
        extents.push_back(scope.index(dimension.extent));
    }
    if (is_strided) { return strided(unique_name, dimensions, scope).second.range(); }
    return box(ctx_, unique_name, mins, extents);
}

// Of a strided array, for each offset c from the minima: the coordinates min + c, and the cell a[Σ c_d * stride_d].
std::pair<isl::map, isl::map> Evaluation::strided(const std::string& unique_name,
                                                  const std::vector<Dimension>& dimensions, const Scope& scope) const {
    std::vector<isl::pw_aff> zeros, extents;
    for (const Dimension& dimension : dimensions) {
        zeros.push_back(scope.constant(0));
        extents.push_back(scope.index(dimension.extent));
    }
    const isl::set offsets = box(ctx_, unique_name, zeros, extents);
    const isl::multi_aff offset = offsets.space().identity_multi_aff_on_domain();
    isl::multi_pw_aff coordinates(offset);
    isl::pw_aff linear(offsets.space().zero_aff_on_domain());
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        const auto stride = scope.constant_of(*dimensions[d].stride);
        if (!stride) { throw Unsupported("stride that is no number: " + sched::print(*dimensions[d].stride)); }
        const isl::pw_aff c(offset.at(static_cast<int>(d)));
        linear = linear.add(c.scale(*stride));
        coordinates = coordinates.set_at(static_cast<int>(d),
                                         c.add(scope.index(dimensions[d].min).insert_domain(offsets.space())));
    }
    const isl::id name = affine::identifier(ctx_, unique_name);
    return {coordinates.as_map().intersect_domain(offsets),
            isl::multi_pw_aff(linear).set_range_tuple(name).as_map().intersect_domain(offsets)};
}

void Evaluation::enter(const Program& program, const isl::set& assumptions) {
    for (const std::string& parameter : program.parameters) { scope_.declare_variable(parameter); }
    scope_.assume(assumptions);
    for (const Array& array : program.arrays) {
        const bool is_input = array.role == Role::input;
        const std::string unique = scope_.unique_array_name(array.name);
        const isl::set all = cells(unique, array.dimensions, scope_);
        scope_.declare(array.name, {unique, array.type, all, isl::set::universe(isl::space::unit(ctx_)), is_input});
        if (!is_input) { continue; }
        const heap::Template cell = templates_.cell(array.tensor, array.component, array.type, array.dimensions.size());
        const isl::id tuple = affine::identifier(ctx_, heap::Templates::tuple_name(cell));
        if (array.dimensions.empty() || !array.dimensions[0].stride) {
            initial_ = initial_.unite(all.identity().set_range_tuple(tuple).to_union_map());
            continue;
        }
        // { [c_0, …] -> a[Σ c_d * stride_d] }, and the coordinates of the tensor
        const auto [coordinates, linear] = strided(unique, array.dimensions, scope_);
        if (!linear.is_injective()) { throw Unsupported("strides that let cells share their place: " + array.name); }
        initial_ = initial_.unite(linear.reverse().apply_range(coordinates.set_range_tuple(tuple)).to_union_map());
    }
}

heap::Location Evaluation::location(const Array& array, const std::vector<isl::pw_aff>& coordinates) const {
    const std::string& unique = scope_.array(array.name).unique_name;
    if (array.dimensions.empty() || !array.dimensions[0].stride) { return heap::location(ctx_, unique, coordinates); }
    isl::pw_aff linear = scope_.constant(0);
    for (std::size_t d = 0; d < coordinates.size(); ++d) {
        const auto stride = scope_.constant_of(*array.dimensions[d].stride);
        ENSURE(stride, "a stride that was refused before");
        linear = linear.add(coordinates[d].sub(scope_.index(array.dimensions[d].min)).scale(*stride));
    }
    return heap::location(ctx_, unique, {linear});
}

Evaluation::Loop Evaluation::enter(const For& loop, const Scope& scope) const {
    Loop result{scope, {}, scope.context()};
    const isl::pw_aff min = scope.index(loop.min);
    const isl::pw_aff extent = scope.index(loop.extent);
    result.variable = result.scope.declare_variable(loop.variable);
    const isl::pw_aff x = result.scope.index({Variable{loop.variable}});
    result.iterations = min.le_set(x).intersect(x.lt_set(min.add(extent)));
    result.scope.assume(result.iterations);
    return result;
}

Scope Evaluation::enter(const Assign& assign, const Scope& scope, std::string& lane) const {
    Scope inner = scope;
    if (assign.lanes) {
        lane = inner.declare_variable(assign.lanes->variable);
        const isl::pw_aff x = inner.index({Variable{assign.lanes->variable}});
        inner.assume(x.ge_set(inner.constant(0)).intersect(x.lt_set(inner.constant(assign.lanes->count))));
    }
    if (assign.condition) { inner.assume(inner.condition(*assign.condition)); }
    return inner;
}

// The lanes of an assignment that take part.
isl::set Evaluation::lanes_of(const Assign& assign, const Scope& inner) const {
    const isl::pw_aff lane = inner.index({Variable{assign.lanes->variable}});
    const isl::set range = lane.ge_set(inner.constant(0)).intersect(lane.lt_set(inner.constant(assign.lanes->count)));
    return assign.condition ? range.intersect(inner.condition(*assign.condition)) : range;
}

void Evaluation::allocate(const Allocate& allocate, Scope& scope) const {
    const std::string unique = scope.unique_array_name(allocate.array);
    const isl::set everywhere = isl::set::universe(isl::space::unit(ctx_));
    const isl::set exists = allocate.condition ? scope.condition(*allocate.condition) : everywhere;
    scope.declare(allocate.array, {unique, allocate.type, cells(unique, allocate.dimensions, scope), exists, false});
}

// --- Prophetic evaluation, Fig. 5.3 ------------------------------------------------------------------------------

Heap Evaluation::prophetic(const Block& body) { return block(body, 0, scope_, true).delta; }

// T-Seq, T-Let, T-Allocate.
Summary Evaluation::block(const Block& block, std::size_t first, Scope scope, bool with_reads) {
    Summary summary{heap::empty_heap(ctx_), heap::no_locations(ctx_)};
    const auto then = [&](const Summary& next) {
        summary.delta = heap::update(summary.delta, next.delta);
        if (with_reads) { summary.reads = summary.reads.unite(next.reads); }
    };
    for (std::size_t i = first; i < block.size(); ++i) {
        const Stmt& stmt = block[i];
        if (const auto* let = std::get_if<Let>(&stmt.node)) {
            scope.define(let->name, let->value);
        } else if (const auto* value = std::get_if<LetValue>(&stmt.node)) {
            if (with_reads) {
                const Expr body{LetValueIn{value->name, value->lanes, value->type, value->value, Expr{Truth{true}}}};
                summary.reads = summary.reads.unite(locations(expressions_.reads(body, scope)));
            }
            scope.declare(value->name, ValueInScope{value->type, {}, {}});
        } else if (const auto* array = std::get_if<Allocate>(&stmt.node)) {
            allocate(*array, scope);
            const std::string& unique = scope.array(array->array).unique_name;
            Summary rest = this->block(block, i + 1, scope, with_reads);
            rest.delta = heap::without(heap::without(rest.delta, unique), freed(unique));
            if (with_reads) { rest.reads = heap::without(rest.reads, unique); }
            then(rest);
            return summary;
        } else {
            const Summary next = statement(stmt, scope, with_reads);
            summaries_.insert_or_assign(&stmt, next);
            then(next);
        }
    }
    return summary;
}

Summary Evaluation::statement(const Stmt& stmt, const Scope& scope, bool with_reads) {
    return std::visit(
        Overload{[&](const Assign& s) { return summarise(stmt, s, scope, with_reads); },
                 [&](const For& s) { return summarise(stmt, s, scope, with_reads); },
                 [&](const If& s) { return summarise(stmt, s, scope, with_reads); },
                 [&](const Free& s) {
                     const heap::Template yes = templates_.literal(value::Value::boolean(true));
                     return Summary{product(heap::location(ctx_, freed(scope.array(s.array).unique_name), {}),
                                            heap::value(ctx_, yes, {})),
                                    heap::no_locations(ctx_)};
                 },
                 [&](const Assert& s) {
                     return Summary{heap::empty_heap(ctx_), with_reads
                                                                ? locations(expressions_.reads(s.condition, scope))
                                                                : heap::no_locations(ctx_)};
                 },
                 [&](const Atomic&) -> Summary { throw Unsupported("atomic"); },
                 [&](const Accumulate&) -> Summary { throw Unsupported("reduction: accumulate"); },
                 [&](const Semaphore&) -> Summary { throw Unsupported(asynchronous); },
                 [&](const Acquire&) -> Summary { throw Unsupported(asynchronous); },
                 [&](const Release&) -> Summary { throw Unsupported(asynchronous); },
                 [&](const Fork&) -> Summary { throw Unsupported(asynchronous); },
                 [&](const auto&) -> Summary {
                     raise_internal_error(__FILE__, __LINE__, "a declaration is handled by its block");
                 }},
        stmt.node);
}

heap::Location Evaluation::location(const Write& write, const Scope& scope) const {
    std::vector<isl::pw_aff> indices;
    for (const Expr& index : write.indices) { indices.push_back(scope.index(index)); }
    return heap::location(ctx_, scope.array(write.array).unique_name, indices);
}

// { ℓ -> decompose(t) }, and Uninit where the write is garbage.
Heap Evaluation::write(const Write& write, const Scope& scope) const {
    if (write.accumulation) { throw Unsupported("reduction: accumulating assignment"); }
    const heap::Location target = location(write, scope);
    const value::Type type = scope.array(write.array).type;
    if (!write.prophecy) { return product(target, heap::value(ctx_, templates_.unknown(type), {})); }
    const heap::Value foretold = expressions_.prophecy(*write.prophecy, scope);
    foretold.foreach_set([&](const isl::set& part) {
        if (templates_.type(heap::Templates::of_tuple(affine::tuple_name(part))) != type) {
            throw Unsupported("a prophecy of another type than its array: " + sched::print(*write.prophecy));
        }
    });
    const auto garbage = garbage_.find(&write);
    if (garbage == garbage_.end()) { return product(target, foretold); }
    const heap::Value uninit = heap::value(ctx_, templates_.uninit(type), {});
    return product(
        target,
        foretold.intersect_params(garbage->second.complement()).unite(uninit.intersect_params(garbage->second)));
}

// T-Assign: what all writes and lanes leave.
Summary Evaluation::summarise(const Stmt&, const Assign& assign, const Scope& scope, bool with_reads) {
    std::string lane;
    const Scope inner = enter(assign, scope, lane);
    Summary summary{heap::empty_heap(ctx_), heap::no_locations(ctx_)};
    for (const Write& w : assign.writes) { summary.delta = heap::update(summary.delta, write(w, inner)); }
    if (assign.condition) { summary.delta = summary.delta.intersect_params(inner.condition(*assign.condition)); }
    if (with_reads) {
        for (const Write& w : assign.writes) {
            summary.reads = summary.reads.unite(locations(expressions_.reads(w.value, inner)));
        }
    }
    if (assign.lanes) {
        const isl::set lanes = inner.context();
        summary.delta = heap::choose(heap::iterated_union(summary.delta, lane, lanes_of(assign, inner)));
        summary.reads = heap::iterated_union(summary.reads, lane, lanes);
    }
    return summary;
}

// T-SeqLoop, T-ParLoop.
Summary Evaluation::summarise(const Stmt& stmt, const For& loop, const Scope& scope, bool with_reads) {
    const Loop inner = enter(loop, scope);
    const bool reads = with_reads || is_parallel(loop);
    Summary body = block(loop.body, 0, inner.scope, reads);
    Summary summary{heap::empty_heap(ctx_), heap::no_locations(ctx_)};
    summary.delta = is_parallel(loop)
                        ? heap::choose(heap::iterated_union(body.delta, inner.variable, inner.iterations))
                        : heap::iterated_update(body.delta, inner.variable, inner.iterations, scope.context());
    if (with_reads) { summary.reads = heap::iterated_union(body.reads, inner.variable, inner.iterations); }
    bodies_.insert_or_assign(&stmt, std::move(body));
    return summary;
}

// T-If.
Summary Evaluation::summarise(const Stmt&, const If& branch, const Scope& scope, bool with_reads) {
    const isl::set holds = scope.condition(branch.condition);
    Scope yes = scope, no = scope;
    yes.assume(holds);
    no.assume(holds.complement());
    const Summary then = block(branch.then, 0, yes, with_reads);
    const Summary otherwise = block(branch.otherwise, 0, no, with_reads);
    return {then.delta.intersect_params(holds).unite(otherwise.delta.intersect_params(holds.complement())),
            then.reads.intersect_params(holds).unite(otherwise.reads.intersect_params(holds.complement()))};
}

Locations Evaluation::locations(const std::vector<Read>& reads) const {
    Locations all = heap::no_locations(ctx_);
    for (const Read& read : reads) { all = all.unite(read.location); }
    return all;
}

// --- Symbolic evaluation, Fig. 5.4 -------------------------------------------------------------------------------

std::vector<Obligation> Evaluation::symbolic(const Block& body) {
    obligations_.clear();
    derivation_.start(scope_, initial_);
    walk(body, 0, scope_, initial_, 0);
    return std::move(obligations_);
}

// S-Seq, S-Let, S-Allocate.
void Evaluation::walk(const Block& block, std::size_t first, Scope scope, Heap heap, int level) {
    for (std::size_t i = first; i < block.size(); ++i) {
        const Stmt& stmt = block[i];
        heap = needed(heap, block, i, scope);
        derivation_.statement(level, stmt);
        if (const auto* let = std::get_if<Let>(&stmt.node)) {
            scope.define(let->name, let->value);
            derivation_.let(*let);
        } else if (const auto* value = std::get_if<LetValue>(&stmt.node)) {
            const Expr body{LetValueIn{value->name, value->lanes, value->type, value->value, Expr{Truth{true}}}};
            const std::vector<Read> reads = expressions_.reads(body, scope);
            oblige_reads(stmt, reads, scope, heap);
            ValueInScope known = expressions_.family(value->name, value->lanes, value->type, value->value, scope, heap);
            derivation_.let_value(reads, *known.value, scope, heap);
            scope.declare(value->name, std::move(known));
        } else if (const auto* array = std::get_if<Allocate>(&stmt.node)) {
            allocate(*array, scope);
            derivation_.allocation(scope.array(array->array), scope);
        } else {
            walk(stmt, scope, heap, level);
            if (i + 1 < block.size()) { heap = heap::update(heap, summaries_.at(&stmt).delta); }
        }
    }
}

void Evaluation::walk(const Stmt& stmt, const Scope& scope, const Heap& heap, int level) {
    std::visit(Overload{[&](const Assign& s) { walk_assign(stmt, s, scope, heap, level); },
                        [&](const For& s) { walk_loop(stmt, s, scope, heap, level); },
                        [&](const If& s) {
                            // S-If
                            const isl::set holds = scope.condition(s.condition);
                            Scope yes = scope, no = scope;
                            yes.assume(holds);
                            no.assume(holds.complement());
                            derivation_.enter_branch(level, s.condition, true);
                            walk(s.then, 0, yes, heap, level + 1);
                            if (!s.otherwise.empty()) { derivation_.enter_branch(level, s.condition, false); }
                            walk(s.otherwise, 0, no, heap, level + 1);
                            derivation_.leave(level, stmt, summaries_.at(&stmt), scope);
                        },
                        [&](const Assert& s) { walk_assert(stmt, s, scope, heap); },
                        [&](const Free& s) {
                            const ArrayInScope& array = scope.array(s.array);
                            const Heap before = heap::only(heap, freed(array.unique_name));
                            oblige(Kind::freed, stmt, "an array is freed once",
                                   scope.context().intersect(heap::environments(heap::domain(before))));
                            derivation_.leave(level, stmt, summaries_.at(&stmt), scope);
                        },
                        [](const auto&) {}},
               stmt.node);
}

void Evaluation::walk_assert(const Stmt& stmt, const Assert& assertion, const Scope& scope, const Heap& heap) {
    if (scope.is_condition(assertion.condition)) {
        oblige(Kind::assertion, stmt, "the condition holds",
               scope.context().subtract(scope.condition(assertion.condition)));
        return;
    }
    oblige_reads(stmt, expressions_.reads(assertion.condition, scope), scope, heap);
    const heap::Template yes = templates_.literal(value::Value::boolean(true));
    obligations_.push_back(
        {Kind::assertion,
         sched::headline(stmt),
         "the condition holds",
         {},
         Equation{heap::value(ctx_, yes, {}), expressions_.evaluate(assertion.condition, scope, heap), scope.context()},
         nullptr});
}

// S-Assign.
void Evaluation::walk_assign(const Stmt& stmt, const Assign& assign, const Scope& scope, const Heap& heap, int level) {
    std::string lane;
    const Scope inner = enter(assign, scope, lane);
    Heap all = heap::empty_heap(ctx_);
    derivation_.enter_assign(assign, lane, scope, inner);
    for (const Write& w : assign.writes) {
        const std::vector<Read> reads = expressions_.reads(w.value, inner);
        oblige_reads(stmt, reads, inner, heap);
        derivation_.operands(reads, inner, heap);
        const ArrayInScope& array = inner.array(w.array);
        if (array.is_input) { oblige(Kind::input_written, stmt, "S-Assign: an input is not written", inner.context()); }
        oblige_access(Kind::bounds_write, stmt, array, location(w, inner), inner.context(), heap);
        const Heap written = write(w, inner);
        const Locations twice = heap::domain(all).intersect(heap::domain(written)).intersect_params(inner.context());
        oblige(Kind::lanes, stmt, "the writes of an assignment are to different cells", heap::environments(twice));
        all = heap::update(all, written);
        isl::set where = inner.context();
        if (const auto garbage = garbage_.find(&w); garbage != garbage_.end()) {
            where = where.subtract(garbage->second);
        }
        if (!w.prophecy || where.is_empty()) { continue; }
        Equation equation{expressions_.prophecy(*w.prophecy, inner), expressions_.evaluate(w.value, inner, heap),
                          where};
        derivation_.equation(equation, inner);
        obligations_.push_back(
            {Kind::value, sched::headline(stmt), "S-Assign: ⟦e⟧_h = decompose(t)", {}, equation, &w});
    }
    if (assign.lanes) { oblige_agreement(Kind::lanes, stmt, lane, inner.context(), all); }
    derivation_.leave(level, stmt, summaries_.at(&stmt), scope);
}

// S-SeqLoop, S-ParLoop.
void Evaluation::walk_loop(const Stmt& stmt, const For& loop, const Scope& scope, const Heap& heap, int level) {
    const Loop inner = enter(loop, scope);
    const Summary& body = bodies_.at(&stmt);
    Heap at_iteration = needed(heap, loop.body, 0, scope);
    if (is_parallel(loop)) {
        oblige_race_freedom(stmt, inner, body);
        oblige_agreement(Kind::race_write_write, stmt, inner.variable, inner.scope.context(), body.delta);
    } else {
        // h ▷ ▶_{min <= z < x} Δh[x := z]
        const std::string z = inner.variable + "~";
        const Heap before = affine::rename(needed(body.delta, loop.body, 0, scope), inner.variable, z);
        const isl::pw_aff earlier = affine::parameter(ctx_, z);
        const isl::pw_aff x = inner.scope.index({Variable{loop.variable}});
        const isl::set iterations = scope.index(loop.min).le_set(earlier).intersect(earlier.lt_set(x));
        if (!before.is_empty()) {
            // Only cells that this iteration reads are of interest; with symbolic tiles the others are most of the
            // work.
            const Heap left =
                heap::iterated_update(restricted(before, body.reads), z, iterations, inner.scope.context());
            at_iteration = heap::update(restricted(at_iteration, body.reads), left);
        }
    }
    derivation_.enter_loop(stmt, inner.variable, inner.iterations, scope, inner.scope, at_iteration);
    walk(loop.body, 0, inner.scope, at_iteration, level + 1);
    derivation_.leave(level, stmt, summaries_.at(&stmt), scope);
    if (is_parallel(loop)) { derivation_.race_freedom(inner.variable, body, inner.scope); }
}

// Of the heap, the cells that are read, and what was freed.
Heap Evaluation::restricted(const Heap& heap, const Locations& reads) const {
    Heap result = heap::empty_heap(ctx_);
    for (const auto& [array, rank] : heap::arrays(heap)) {
        const Heap cells = heap::only(heap, array);
        result = result.unite(array.starts_with(freed("")) ? cells : cells.intersect_domain(reads));
    }
    return result;
}

// Of the heap, what the code from here on asks for.
Heap Evaluation::needed(const Heap& heap, const Block& block, std::size_t first, const Scope& scope) const {
    if (heap.is_empty()) { return heap; }
    const Arrays arrays = Arrays::of(block, first);
    std::set<std::string> names;
    for (const std::string& array : arrays.read) {
        if (!scope.has_array(array)) { continue; }
        names.insert(scope.array(array).unique_name);
        names.insert(freed(scope.array(array).unique_name));
    }
    for (const std::string& array : arrays.accessed) {
        if (scope.has_array(array)) { names.insert(freed(scope.array(array).unique_name)); }
    }
    return heap::only(heap, names);
}

// --- Obligations -------------------------------------------------------------------------------------------------

void Evaluation::oblige(Kind kind, const Stmt& stmt, std::string rule, const isl::set& violations) {
    obligations_.push_back({kind, sched::headline(stmt), std::move(rule), violations, {}, nullptr});
}

void Evaluation::oblige_access(Kind bounds, const Stmt& stmt, const ArrayInScope& array, const Locations& locations,
                               const isl::set& environments, const Heap& heap) {
    const Locations outside = locations.intersect_params(environments).subtract(array.cells.to_union_set());
    oblige(bounds, stmt, "the indices lie in the array", heap::environments(outside));
    const Heap gone = heap::only(heap, freed(array.unique_name));
    const isl::set absent = environments.subtract(array.exists);
    if (!absent.is_empty()) { oblige(Kind::freed, stmt, "the array is allocated", absent); }
    if (gone.is_empty()) { return; }
    oblige(Kind::freed, stmt, "the array is not freed", environments.intersect(heap::environments(heap::domain(gone))));
}

void Evaluation::oblige_reads(const Stmt& stmt, const std::vector<Read>& reads, const Scope& scope, const Heap& heap) {
    for (const Read& read : reads) {
        oblige_access(Kind::bounds_read, stmt, scope.array(read.array), read.location, read.environments, heap);
    }
}

// rw-safe(x, ι, dom(Δh), R): what an iteration writes no other one reads.
void Evaluation::oblige_race_freedom(const Stmt& stmt, const Loop& loop, const Summary& body) {
    const std::string y = loop.variable + "~";
    const Locations reads = affine::rename(body.reads, loop.variable, y);
    const isl::pw_aff one = affine::parameter(ctx_, loop.variable);
    const isl::pw_aff other = affine::parameter(ctx_, y);
    const isl::set pairs = loop.scope.context()
                               .intersect(affine::rename(loop.scope.context(), loop.variable, y))
                               .intersect(one.ne_set(other));
    const Locations races = heap::domain(body.delta).intersect(reads).intersect_params(pairs);
    oblige(Kind::race_read_write, stmt, "S-ParLoop: rw-safe(" + loop.variable + ", dom(Δh), R)",
           heap::environments(races));
    // Of what an iteration frees no other one accesses a cell, nor frees it.
    const Locations accesses = body.reads.unite(heap::domain(body.delta));
    for (const auto& [cell, rank] : heap::arrays(body.delta)) {
        if (!cell.starts_with(freed(""))) { continue; }
        const std::string array = cell.substr(freed("").size());
        const Locations of_array = accesses.subtract(heap::without(heap::without(accesses, array), cell));
        const isl::set frees = heap::environments(heap::domain(heap::only(body.delta, cell)));
        oblige(Kind::freed, stmt, "S-ParLoop: no iteration accesses what another one frees",
               pairs.intersect(frees).intersect(affine::rename(heap::environments(of_array), loop.variable, y)));
    }
}

// ww-covered: where two iterations (or lanes) write a cell, they write the same value.
void Evaluation::oblige_agreement(Kind kind, const Stmt& stmt, const std::string& x, const isl::set& context,
                                  const Heap& delta) {
    const Heap all = heap::iterated_union(delta, x, context);
    if (heap::is_single_valued(all) && !heap::mentions_unknown(all, templates_)) { return; }
    const std::string y = x + "~";
    const isl::pw_aff one = affine::parameter(ctx_, x);
    const isl::pw_aff other = affine::parameter(ctx_, y);
    const isl::set pairs = context.intersect(affine::rename(context, x, y)).intersect(one.lt_set(other));
    for (const auto& [array, rank] : heap::arrays(delta)) {
        std::vector<isl::pw_aff> cell;
        for (std::size_t d = 0; d < rank; ++d) { cell.push_back(affine::parameter(ctx_, "#" + std::to_string(d))); }
        const heap::Location here = heap::location(ctx_, array, cell);
        const Heap mine = heap::only(delta, array);
        const heap::Value a = heap::apply(mine, here), b = heap::apply(affine::rename(mine, x, y), here);
        const isl::set where = pairs.intersect(heap::environments(a)).intersect(heap::environments(b));
        if (where.is_empty()) { continue; }
        obligations_.push_back({kind,
                                sched::headline(stmt),
                                "ww-covered: both leave the same value in " + array,
                                {},
                                Equation{a, b, where},
                                nullptr});
    }
}

}  // namespace haruspex::validator
