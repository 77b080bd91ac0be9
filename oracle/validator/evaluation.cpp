#include "oracle/validator/evaluation.h"

#include <algorithm>

#include "generators/affine/parameters.h"
#include "generators/affine/sets.h"
#include "generators/affine/tuples.h"
#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "harness/sched/text.h"
#include "harness/sched/traverse.h"
#include "oracle/validator/arrays.h"
#include "oracle/validator/outline.h"

namespace haruspex::validator {
namespace {

using namespace sched;
using heap::Heap;
using heap::Locations;

// The cell that says that an array was freed.
std::string freed(const std::string& unique_name) { return "free " + unique_name; }

bool is_parallel(const For& loop) { return loop.kind == LoopKind::parallel; }

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

void Evaluation::enter(const Program& program, const isl::set& assumptions, const Sizes& sizes) {
    for (const std::string& parameter : program.parameters) {
        if (const auto size = sizes.find(parameter); size != sizes.end()) {
            scope_.define(parameter, scope_.constant(size->second));
        } else {
            scope_.declare_variable(parameter);
        }
    }
    scope_.assume(assumptions);
    for (const Array& array : program.arrays) {
        ArrayInScope here = array_of(scope_.unique_array_name(array.name), array.type, array.dimensions, scope_);
        here.is_input = array.role == Role::input;
        if (here.is_input) { initial_ = initial_.unite(input(array, here)); }
        scope_.declare(array.name, std::move(here));
    }
}

// { cell -> T(i, …) } of an input array.
Heap Evaluation::input(const Array& array, const ArrayInScope& here) const {
    const auto tensor = expressions_.tensors().find(array.tensor);
    const std::size_t rank = tensor == expressions_.tensors().end() ? array.dimensions.size() : tensor->second.rank;
    const heap::Template cell = templates_.cell(array.tensor, array.component, array.type, rank);
    if (rank == 0) { return product(cell_at(here, array.dimensions, {}, scope_), heap::value(ctx_, cell, {})); }
    const isl::id tuple = affine::identifier(ctx_, heap::Templates::tuple_name(cell));
    return cells_of_coordinates(here, array.dimensions, scope_).reverse().set_range_tuple(tuple).to_union_map();
}

heap::Location Evaluation::location(const Array& array, const std::vector<isl::pw_aff>& coordinates) const {
    return cell_at(scope_.array(array.name), array.dimensions, coordinates, scope_);
}

Evaluation::Iterations Evaluation::enter(const For& loop, const Scope& scope) const {
    const isl::pw_aff min = scope.index(loop.min);
    Iterations result{scope, {}, scope.context()};
    result.variable = result.scope.declare_variable(loop.variable);
    const isl::pw_aff x = affine::parameter(ctx_, result.variable);
    result.running = min.le_set(x).intersect(x.lt_set(min.add(scope.index(loop.extent))));
    result.scope.assume(result.running);
    return result;
}

Evaluation::Iterations Evaluation::enter(const Assign& assign, const Scope& scope) const {
    Iterations result{scope, {}, affine::everywhere(ctx_)};
    if (assign.lanes) {
        result.variable = result.scope.declare_variable(assign.lanes->variable);
        const isl::pw_aff x = affine::parameter(ctx_, result.variable);
        result.running = x.ge_set(scope.constant(0)).intersect(x.lt_set(scope.constant(assign.lanes->count)));
    }
    if (assign.condition) { result.running = result.running.intersect(result.scope.condition(*assign.condition)); }
    result.scope.assume(result.running);
    return result;
}

void Evaluation::allocate(const Allocate& allocate, Scope& scope) const {
    ArrayInScope array = array_of(scope.unique_array_name(allocate.array), allocate.type, allocate.dimensions, scope);
    if (allocate.condition) { array.exists = scope.condition(*allocate.condition); }
    scope.declare(allocate.array, std::move(array));
}

// --- Prophetic evaluation, Fig. 5.3 ------------------------------------------------------------------------------

Heap Evaluation::prophetic(const Block& body) { return block(body, 0, scope_).delta; }

// T-Seq, T-Let, T-Allocate.
Summary Evaluation::block(const Block& block, std::size_t first, Scope scope) {
    Summary summary{heap::empty_heap(ctx_), heap::no_locations(ctx_)};
    const std::size_t outer_lets = scope.lets();
    const auto then = [&](const Summary& next) {
        summary.delta = heap::update(summary.delta, next.delta);
        summary.reads = summary.reads.unite(next.reads);
    };
    const auto outside = [&] {
        return Summary{scope.resolved(summary.delta, outer_lets), scope.resolved(summary.reads, outer_lets)};
    };
    for (std::size_t i = first; i < block.size(); ++i) {
        const Stmt& stmt = block[i];
        if (const auto* let = std::get_if<Let>(&stmt.node)) {
            scope.define(let->name, let->value);
        } else if (const auto* value = std::get_if<LetValue>(&stmt.node)) {
            const Expr body{LetValueIn{value->name, value->lanes, value->type, value->value, Expr{Truth{true}}}};
            summary.reads = summary.reads.unite(locations(expressions_.reads(body, scope)));
            scope.declare(value->name, ValueInScope{value->type, {}, {}, value->lanes ? value->lanes->count : 1});
        } else if (const auto* array = std::get_if<Allocate>(&stmt.node)) {
            allocate(*array, scope);
            const std::string& unique = scope.array(array->array).unique_name;
            Summary rest = this->block(block, i + 1, scope);
            rest.delta = heap::without(heap::without(rest.delta, unique), freed(unique));
            rest.reads = heap::without(rest.reads, unique);
            then(rest);
            return outside();
        } else {
            const Summary next = statement(stmt, scope);
            summaries_.insert_or_assign(&stmt, next);
            then(next);
        }
    }
    return outside();
}

Summary Evaluation::statement(const Stmt& stmt, const Scope& scope) {
    return std::visit(
        Overload{[&](const Assign& s) { return summarise(stmt, s, scope); },
                 [&](const For& s) { return summarise(stmt, s, scope); },
                 [&](const If& s) { return summarise(stmt, s, scope); },
                 [&](const Free& s) {
                     const heap::Template yes = templates_.literal(value::Value::boolean(true));
                     return Summary{product(heap::location(ctx_, freed(scope.array(s.array).unique_name), {}),
                                            heap::value(ctx_, yes, {})),
                                    heap::no_locations(ctx_)};
                 },
                 [&](const Assert& s) {
                     return Summary{heap::empty_heap(ctx_), locations(expressions_.reads(s.condition, scope))};
                 },
                 // Between iterations nothing is gained by it: rw-safe and ww-covered are asked all the same.
                 [&](const Atomic& s) { return block(s.body, 0, scope); },
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

// { ℓ -> decompose(t) }, and Uninit where the write is garbage.
Heap Evaluation::write(const Write& write, const Scope& scope) const {
    if (write.accumulation) { throw Unsupported("reduction: accumulating assignment"); }
    const heap::Location target = scope.location(write.array, write.indices);
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
Summary Evaluation::summarise(const Stmt&, const Assign& assign, const Scope& scope) {
    const Iterations inner = enter(assign, scope);
    Summary summary{heap::empty_heap(ctx_), heap::no_locations(ctx_)};
    for (const Write& w : assign.writes) {
        summary.delta = heap::update(summary.delta, write(w, inner.scope));
        summary.reads = summary.reads.unite(locations(expressions_.reads(w.value, inner.scope)));
    }
    if (!assign.lanes) {
        summary.delta = summary.delta.intersect_params(inner.running);
        return summary;
    }
    summary.delta = heap::choose(heap::iterated_union(summary.delta, inner.variable, inner.running));
    summary.reads = heap::iterated_union(summary.reads, inner.variable, inner.scope.context());
    return summary;
}

// T-SeqLoop, T-ParLoop.
Summary Evaluation::summarise(const Stmt& stmt, const For& loop, const Scope& scope) {
    const Iterations inner = enter(loop, scope);
    Summary body = block(loop.body, 0, inner.scope);
    Summary summary{heap::empty_heap(ctx_), heap::iterated_union(body.reads, inner.variable, inner.running)};
    summary.delta = is_parallel(loop) ? heap::choose(heap::iterated_union(body.delta, inner.variable, inner.running))
                                      : heap::iterated_update(body.delta, inner.variable, inner.running, scope.known());
    bodies_.insert_or_assign(&stmt, std::move(body));
    return summary;
}

// T-If.
Summary Evaluation::summarise(const Stmt&, const If& branch, const Scope& scope) {
    const isl::set holds = scope.condition(branch.condition);
    Scope yes = scope, no = scope;
    yes.assume(holds);
    no.assume(holds.complement());
    const Summary then = block(branch.then, 0, yes);
    const Summary otherwise = block(branch.otherwise, 0, no);
    return {then.delta.intersect_params(holds).unite(otherwise.delta.intersect_params(holds.complement())),
            then.reads.intersect_params(holds).unite(otherwise.reads.intersect_params(holds.complement()))};
}

Locations Evaluation::locations(const Reads& reads) const {
    Locations all = heap::no_locations(ctx_);
    for (const Read& read : reads.of_memory) { all = all.unite(read.location); }
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
            const Reads reads = expressions_.reads(body, scope);
            oblige_reads(stmt, reads, scope, heap);
            ValueInScope known = expressions_.family(value->name, value->lanes, value->type, value->value, scope, heap);
            derivation_.let_value(reads.of_memory, *known.value, scope, heap);
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
                        [&](const Atomic& s) { walk(s.body, 0, scope, heap, level + 1); },
                        [&](const Free& s) {
                            const ArrayInScope& array = scope.array(s.array);
                            const Heap before = heap::only(heap, freed(array.unique_name));
                            oblige(Kind::freed, stmt, "an array is freed once",
                                   scope.context().intersect(heap::environments(heap::domain(before))), scope);
                            derivation_.leave(level, stmt, summaries_.at(&stmt), scope);
                        },
                        [](const auto&) {}},
               stmt.node);
}

void Evaluation::walk_assert(const Stmt& stmt, const Assert& assertion, const Scope& scope, const Heap& heap) {
    if (scope.is_condition(assertion.condition)) {
        oblige(Kind::assertion, stmt, "the condition holds",
               scope.context().subtract(scope.condition(assertion.condition)), scope);
        return;
    }
    oblige_reads(stmt, expressions_.reads(assertion.condition, scope), scope, heap);
    const heap::Template yes = templates_.literal(value::Value::boolean(true));
    oblige(Kind::assertion, stmt, "the condition holds",
           {heap::value(ctx_, yes, {}), expressions_.evaluate(assertion.condition, scope, heap), scope.context()},
           scope);
}

// S-Assign.
void Evaluation::walk_assign(const Stmt& stmt, const Assign& assign, const Scope& scope, const Heap& heap, int level) {
    const Iterations lanes = enter(assign, scope);
    const Scope& inner = lanes.scope;
    Heap all = heap::empty_heap(ctx_);
    derivation_.enter_assign(assign, lanes.variable, scope, inner);
    for (const Write& w : assign.writes) {
        const Reads reads = expressions_.reads(w.value, inner);
        oblige_reads(stmt, reads, inner, heap);
        derivation_.operands(reads.of_memory, inner, heap);
        const ArrayInScope& array = inner.array(w.array);
        if (array.is_input) {
            oblige(Kind::input_written, stmt, "S-Assign: an input is not written", inner.context(), inner);
        }
        oblige_access(Kind::bounds_write, stmt, array, inner.location(w.array, w.indices), inner.context(), inner,
                      heap);
        const Heap written = write(w, inner);
        const Locations twice = heap::domain(all).intersect(heap::domain(written)).intersect_params(inner.context());
        oblige(Kind::lanes, stmt, "the writes of an assignment are to different cells", heap::environments(twice),
               inner);
        all = heap::update(all, written);
        isl::set where = inner.context();
        if (const auto garbage = garbage_.find(&w); garbage != garbage_.end()) {
            where = where.subtract(garbage->second);
        }
        if (!w.prophecy || where.is_empty()) { continue; }
        const heap::Value foretold = expressions_.prophecy(*w.prophecy, inner);
        const Deferred<Equation> equation([&w, inner, heap, foretold, where, expressions = expressions_] {
            return Equation{inner.resolved(foretold), inner.resolved(expressions.evaluate(w.value, inner, heap)),
                            inner.resolved(where)};
        });
        derivation_.equation(equation, inner);
        oblige(Kind::value, stmt, "S-Assign: ⟦e⟧_h = decompose(t)", equation);
        obligations_.back().write = &w;
        const auto as_written = [&w, inner, heap, expressions = expressions_, &templates = templates_] {
            return outline(w.value, expressions, templates, inner, heap);
        };
        obligations_.back().outline = {foretold, Deferred<std::optional<Term>>(as_written),
                                       where.intersect(inner.known())};
    }
    if (assign.lanes) { oblige_agreement(Kind::lanes, stmt, lanes, all); }
    derivation_.leave(level, stmt, summaries_.at(&stmt), scope);
}

// S-SeqLoop, S-ParLoop.
void Evaluation::walk_loop(const Stmt& stmt, const For& loop, const Scope& scope, const Heap& heap, int level) {
    const Iterations inner = enter(loop, scope);
    const Summary& body = bodies_.at(&stmt);
    Heap at_iteration = needed(heap, loop.body, 0, scope);
    if (is_parallel(loop)) {
        oblige_race_freedom(stmt, inner, body);
        oblige_agreement(Kind::race_write_write, stmt, inner, body.delta);
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
            const Heap left = heap::iterated_update(restricted(before, body.reads), z, iterations, inner.scope.known());
            at_iteration = heap::update(restricted(at_iteration, body.reads), left);
        }
    }
    derivation_.enter_loop(stmt, inner.variable, inner.running, scope, inner.scope, at_iteration);
    walk(loop.body, 0, inner.scope, at_iteration, level + 1);
    derivation_.leave(level, stmt, summaries_.at(&stmt), scope);
    if (is_parallel(loop)) { derivation_.race_freedom(inner.variable, body, inner.scope); }
}

// Of the heap, the cells that are read, and what was freed. An array that is the same everywhere, as inputs are, would
// only be split by what is read of it.
Heap Evaluation::restricted(const Heap& heap, const Locations& reads) const {
    Heap result = heap::empty_heap(ctx_);
    for (const auto& [array, rank] : heap::arrays(heap)) {
        const Heap cells = heap::only(heap, array);
        const bool stays = array.starts_with(freed("")) || affine::disjuncts(cells) == 1;
        result = result.unite(stays ? cells : cells.intersect_domain(reads));
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

void Evaluation::oblige(Kind kind, const Stmt& stmt, std::string rule, const isl::set& violations, const Scope& scope) {
    const isl::set left = violations.is_disjoint(scope.known()) ? affine::nowhere(ctx_) : scope.resolved(violations);
    obligations_.push_back({kind, sched::headline(stmt), std::move(rule), left, {}, nullptr});
}

void Evaluation::oblige(Kind kind, const Stmt& stmt, std::string rule, const Deferred<Equation>& equation) {
    obligations_.push_back({kind, sched::headline(stmt), std::move(rule), {}, equation, nullptr});
}

void Evaluation::oblige(Kind kind, const Stmt& stmt, std::string rule, const Equation& equation, const Scope& scope) {
    oblige(kind, stmt, std::move(rule),
           Equation{scope.resolved(equation.specification), scope.resolved(equation.implementation),
                    scope.resolved(equation.environments)});
}

void Evaluation::oblige_access(Kind bounds, const Stmt& stmt, const ArrayInScope& array, const Locations& locations,
                               const isl::set& environments, const Scope& scope, const Heap& heap) {
    const Locations outside = locations.intersect_params(environments).subtract(array.cells.to_union_set());
    oblige(bounds, stmt, "the indices lie in the array", heap::environments(outside), scope);
    const Heap gone = heap::only(heap, freed(array.unique_name));
    const isl::set absent = environments.subtract(array.exists);
    if (!absent.is_empty()) { oblige(Kind::freed, stmt, "the array is allocated", absent, scope); }
    if (gone.is_empty()) { return; }
    oblige(Kind::freed, stmt, "the array is not freed", environments.intersect(heap::environments(heap::domain(gone))),
           scope);
}

void Evaluation::oblige_reads(const Stmt& stmt, const Reads& reads, const Scope& scope, const Heap& heap) {
    for (const Read& read : reads.of_memory) {
        oblige_access(Kind::bounds_read, stmt, scope.array(read.array), read.location, read.environments, scope, heap);
    }
    // That most reads of values have by the way they are written is no obligation.
    if (reads.beyond_lanes.is_disjoint(scope.known())) { return; }
    oblige(Kind::bounds_read, stmt, "a value is read at one of its lanes", reads.beyond_lanes, scope);
}

// rw-safe(x, ι, dom(Δh), R): what an iteration writes no other one reads.
void Evaluation::oblige_race_freedom(const Stmt& stmt, const Iterations& loop, const Summary& body) {
    const std::string y = loop.variable + "~";
    const Locations reads = affine::rename(body.reads, loop.variable, y);
    const isl::pw_aff one = affine::parameter(ctx_, loop.variable);
    const isl::pw_aff other = affine::parameter(ctx_, y);
    const isl::set pairs = loop.scope.context()
                               .intersect(affine::rename(loop.scope.context(), loop.variable, y))
                               .intersect(one.ne_set(other));
    const Locations races = heap::domain(body.delta).intersect(reads).intersect_params(pairs);
    oblige(Kind::race_read_write, stmt, "S-ParLoop: rw-safe(" + loop.variable + ", dom(Δh), R)",
           heap::environments(races), loop.scope);
    // Of what an iteration frees no other one accesses a cell, nor frees it.
    const Locations accesses = body.reads.unite(heap::domain(body.delta));
    for (const auto& [cell, rank] : heap::arrays(body.delta)) {
        if (!cell.starts_with(freed(""))) { continue; }
        const std::string array = cell.substr(freed("").size());
        const Locations of_array = accesses.subtract(heap::without(heap::without(accesses, array), cell));
        const isl::set frees = heap::environments(heap::domain(heap::only(body.delta, cell)));
        oblige(Kind::freed, stmt, "S-ParLoop: no iteration accesses what another one frees",
               pairs.intersect(frees).intersect(affine::rename(heap::environments(of_array), loop.variable, y)),
               loop.scope);
    }
}

// ww-covered: where two iterations (or lanes) write a cell, they write the same value.
void Evaluation::oblige_agreement(Kind kind, const Stmt& stmt, const Iterations& loop, const Heap& delta) {
    const isl::set& context = loop.scope.context();
    const std::string& x = loop.variable;
    const Heap all = heap::iterated_union(delta, x, context);
    const auto agree = [&](const Heap& heap) {
        return heap::is_single_valued(heap) && !heap::mentions_unknown(heap, templates_);
    };
    if (agree(all) || agree(loop.scope.resolved(all))) { return; }
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
        if (where.is_disjoint(loop.scope.known()) || loop.scope.resolved(where).is_empty()) { continue; }
        oblige(kind, stmt, "ww-covered: both leave the same value in " + array, {a, b, where}, loop.scope);
    }
}

}  // namespace haruspex::validator
