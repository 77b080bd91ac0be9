#include "oracle/validator/evaluation/evaluation.h"

#include <algorithm>
#include <set>

#include "generators/affine/parameters.h"
#include "generators/affine/sets.h"
#include "generators/affine/tuples.h"
#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "harness/sched/text.h"
#include "harness/sched/traverse.h"
#include "oracle/validator/evaluation/outline.h"
#include "oracle/validator/scope/arrays.h"

namespace haruspex::validator {
namespace {

using namespace sched;
using heap::Heap;
using heap::Locations;

bool is_parallel(const For& loop) { return loop.kind == LoopKind::parallel; }

Heap product(const heap::Location& location, const heap::Value& value) {
    return isl::union_map::from_domain_and_range(location, value);
}

// An expression that is evaluated only on use must not read memory.
void refuse_reads(const Expr& expr, const char* what) {
    for_each_expr(expr, [&](const Expr& e) {
        if (std::holds_alternative<Load>(e.node) || std::holds_alternative<ValueVariable>(e.node)) {
            throw Unsupported("data-dependent " + std::string(what), sched::print(expr));
        }
    });
}

// Programs with forks are interpreted under several interleavings, not proved.
constexpr const char* asynchronous = "asynchronous producers";

}  // namespace

Evaluation::Evaluation(isl::ctx ctx, heap::Templates& templates, const TensorSignatures& tensors,
                       const Garbage& garbage, const Accumulations& accumulations, bool are_numbers,
                       std::vector<Step>* steps)
    : ctx_(ctx),
      templates_(templates),
      expressions_(templates, tensors),
      garbage_(garbage),
      accumulations_(accumulations),
      interference_(ctx, templates, tensors, obligations_),
      are_numbers_(are_numbers),
      derivation_(templates, steps),
      scope_(ctx),
      initial_(heap::empty_heap(ctx)) {}

// --- Γ -----------------------------------------------------------------------------------------------------------

void Evaluation::enter(const Program& program, const isl::set& assumptions, const Sizes& sizes) {
    for (const std::string& parameter : program.parameters) {
        // Declared even if it is a number: a loop of the same name then gets another isl name, as everywhere.
        scope_.declare_variable(parameter);
        if (const auto size = sizes.find(parameter); size != sizes.end()) {
            scope_.define(parameter, scope_.constant(size->second));
        }
    }
    scope_.assume(assumptions);
    interference_.enter({program.parameters.begin(), program.parameters.end()}, are_numbers_);
    for (const Array& array : program.arrays) {
        ArrayInScope here = array_of(scope_.unique_array_name(array.name), array.type, array.dimensions, scope_);
        here.is_input = array.role == Role::input;
        if (here.is_input) {
            initial_ = initial_.unite(input(array, here));
            inputs_.push_back(here.cells);
        }
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
    const isl::map from_coordinates = cells_of_coordinates(here, array.dimensions, rank, scope_);
    ENSURE(from_coordinates.domain_tuple_dim() == rank, "an input has a cell for each of its tensor's: " + array.name);
    return from_coordinates.reverse().set_range_tuple(tuple).to_union_map();
}

heap::Location Evaluation::location(const Array& array, const std::vector<isl::pw_aff>& coordinates) const {
    return cell_at(scope_.array(array.name), array.dimensions, coordinates, scope_);
}

Iterations Evaluation::enter(const For& loop, const Scope& scope) const {
    const isl::pw_aff min = scope.index(loop.min);
    Iterations result{scope, {}, scope.context()};
    result.variable = result.scope.declare_variable(loop.variable);
    const isl::pw_aff x = affine::parameter(ctx_, result.variable);
    result.running = min.le_set(x).intersect(x.lt_set(min.add(scope.index(loop.extent))));
    result.scope.assume(result.running);
    return result;
}

Iterations Evaluation::enter(const Assign& assign, const Scope& scope) const {
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
    for (const Dimension& dimension : allocate.dimensions) {
        refuse_reads(dimension.min, "extent");
        refuse_reads(dimension.extent, "extent");
    }
    ArrayInScope array =
        allocation_of(scope.unique_array_name(allocate.array), allocate.type, allocate.dimensions, scope);
    if (allocate.condition) { array.exists = scope.condition(*allocate.condition); }
    scope.declare(allocate.array, std::move(array));
}

// --- Prophetic evaluation, Fig. 5.3 ------------------------------------------------------------------------------

heap::Delta Evaluation::prophetic(const Block& body) {
    const Summary all = block(body, 0, scope_);
    ENSURE(all.reduced.arrays().empty(), "the scope of a reduction ends before the program");
    return all.delta;
}

// T-Seq, T-Let, T-Allocate, P-Accumulate.
Summary Evaluation::block(const Block& block, std::size_t first, Scope scope) {
    std::vector<heap::Delta> deltas, reduced;
    std::vector<heap::Accesses> writes, reads, updated;
    const std::size_t outer_lets = scope.lets();
    const auto then = [&](const Summary& next) {
        deltas.push_back(next.delta);
        writes.push_back(next.writes);
        reads.push_back(next.reads);
        updated.push_back(next.updated);
        if (!next.reduced.arrays().empty()) { reduced.push_back(next.reduced); }
    };
    // The scope of a reduction ends: what was reduced becomes a value.
    const auto summarise = [&](const Accumulation& accumulation) {
        const std::string& array = scope.array(accumulation.array).unique_name;
        const heap::Delta all = heap::united(reduced);
        if (!all.has(array)) { return; }  // none of its writes ever runs
        for (heap::Delta& some : reduced) { some = heap::without(some, {array}); }
        // Scopes in two iterations would both reduce all steps, so what is outside sees them as ordinary accesses.
        for (heap::Accesses& some : updated) {
            writes.push_back(heap::only(some, {array}));
            reads.push_back(writes.back());
            some = heap::without(some, {array});
        }
        const heap::Delta left(
            {array}, [all, one = summarised(accumulation)](const std::string& name) { return one.left(all.at(name)); });
        reduced_.insert_or_assign(&accumulation, all);
        left_.insert_or_assign(&accumulation, left);
        deltas.push_back(left);
    };
    for (std::size_t i = first; i < block.size(); ++i) {
        const Stmt& stmt = block[i];
        if (const auto* let = std::get_if<Let>(&stmt.node)) {
            refuse_reads(let->value, "let");
            scope.define(let->name, let->value);
        } else if (const auto* value = std::get_if<LetValue>(&stmt.node)) {
            const Expr body{LetValueIn{value->name, value->lanes, value->type, value->value, Expr{Truth{true}}}};
            const heap::Accesses here = heap::known(locations(expressions_.reads(body, scope)));
            // A let for an update in the same atomic block reads the array with it.
            std::set<std::string> own;
            if (const Accumulation* accumulation = accumulations_.of(*value); accumulation != nullptr && is_atomic_) {
                own.insert(scope.array(accumulation->array).unique_name);
            }
            reads.push_back(heap::without(here, own));
            updated.push_back(heap::only(here, own));
            scope.declare(value->name, ValueInScope{value->type, {}, value->lanes ? value->lanes->count : 1, {}, {}});
        } else if (const auto* array = std::get_if<Allocate>(&stmt.node)) {
            allocate(*array, scope);
            const std::string& unique = scope.array(array->array).unique_name;
            const std::set<std::string> hidden{unique, freed(unique)};
            const Summary rest = this->block(block, i + 1, scope);
            ENSURE(!rest.reduced.has(unique), "the scope of a reduction ends before its array's");
            then({heap::without(rest.delta, hidden), heap::without(rest.writes, hidden),
                  heap::without(rest.reads, hidden), rest.reduced, heap::without(rest.updated, hidden)});
            break;
        } else {
            const Summary next = statement(stmt, scope);
            summaries_.insert_or_assign(&stmt, next);
            then(next);
            for (const Accumulation* one : accumulations_.ending(block, i)) { summarise(*one); }
        }
    }
    Summary all{heap::in_order(std::move(deltas)), heap::united(std::move(writes)), heap::united(std::move(reads)),
                heap::united(std::move(reduced)), heap::united(std::move(updated))};
    if (scope.lets() == outer_lets) { return all; }
    const auto outside = [&](const auto& inside) {
        return heap::changed(inside,
                             [scope, outer_lets](const auto& part) { return scope.resolved(part, outer_lets); });
    };
    return {outside(all.delta), outside(all.writes), outside(all.reads), outside(all.reduced), outside(all.updated)};
}

Summary Evaluation::statement(const Stmt& stmt, const Scope& scope) {
    return std::visit(
        Overload{[&](const Assign& s) { return summarise(stmt, s, scope); },
                 [&](const For& s) { return summarise(stmt, s, scope); },
                 [&](const If& s) { return summarise(stmt, s, scope); },
                 [&](const Free& s) {
                     const heap::Template yes = templates_.literal(value::Value::boolean(true));
                     const heap::Location cell = heap::location(ctx_, freed(scope.array(s.array).unique_name), {});
                     return Summary{heap::known(product(cell, heap::value(ctx_, yes, {}))), heap::known(cell), {}};
                 },
                 [&](const Assert& s) {
                     return Summary{{}, {}, heap::known(locations(expressions_.reads(s.condition, scope)))};
                 },
                 // Only accumulations gain by `atomic`: rw-safe and ww-covered are obliged of all else.
                 [&](const Atomic& s) {
                     const bool outer = std::exchange(is_atomic_, true);
                     Summary inside = block(s.body, 0, scope);
                     is_atomic_ = outer;
                     return inside;
                 },
                 // Scopes of reductions are inferred.
                 [&](const Accumulate& s) { return block(s.body, 0, scope); },
                 [&](const Semaphore&) -> Summary { throw Unsupported(asynchronous); },
                 [&](const Acquire&) -> Summary { throw Unsupported(asynchronous); },
                 [&](const Release&) -> Summary { throw Unsupported(asynchronous); },
                 [&](const Fork&) -> Summary { throw Unsupported(asynchronous); },
                 [&](const auto&) -> Summary {
                     raise_internal_error(__FILE__, __LINE__, "a declaration is handled by its block");
                 }},
        stmt.node);
}

// { ℓ -> decompose(t) }; Uninit or Unknown where the write is garbage.
Heap Evaluation::write(const Write& write, const Scope& scope) const {
    if (write.accumulation) { throw Unsupported("reduction", "accumulating assignment"); }
    const heap::Location target = scope.location(write.array, write.indices);
    const value::Type type = scope.array(write.array).type;
    if (!write.prophecy) { return product(target, heap::value(ctx_, templates_.unknown(type), {})); }
    const heap::Value prophesied = expressions_.prophecy(*write.prophecy, scope);
    prophesied.foreach_set([&](const isl::set& part) {
        if (templates_.type(heap::Templates::of_tuple(affine::tuple_name(part))) != type) {
            throw Unsupported("a prophecy of another type than its array", sched::print(*write.prophecy));
        }
    });
    const auto garbage = garbage_.find(&write);
    if (garbage == garbage_.end()) { return product(target, prophesied); }
    const auto& [where, may_be_undef] = garbage->second;
    const heap::Value left = heap::value(ctx_, may_be_undef ? templates_.unknown(type) : templates_.uninit(type), {});
    return product(target, prophesied.intersect_params(where.complement()).unite(left.intersect_params(where)));
}

// T-Assign: Δh of all writes and lanes.
Summary Evaluation::summarise(const Stmt&, const Assign& assign, const Scope& scope) {
    const Iterations inner = enter(assign, scope);
    std::vector<heap::Delta> deltas;
    Locations read = heap::no_locations(ctx_);
    Heap steps = heap::empty_heap(ctx_);
    Locations accumulated = heap::no_locations(ctx_);  // what updates read of their arrays
    for (const Write& w : assign.writes) {
        const Accumulation* accumulation = accumulations_.of(w);
        const Locations operands = locations(expressions_.reads(w.value, inner.scope));
        if (accumulation == nullptr) {
            read = read.unite(operands);
            deltas.push_back(heap::known(write(w, inner.scope)));
            continue;
        }
        summarised(*accumulation);
        steps = steps.unite(reduced(w, *accumulation, inner.scope));
        const Locations cell = inner.scope.location(w.array, w.indices);
        const Locations own = operands.intersect(cell.universe());
        accumulated = accumulated.unite(own).unite(cell);
        read = read.unite(operands.subtract(own));
    }
    const heap::Delta all = heap::in_order(std::move(deltas));
    const auto running = [&](const auto& change) {
        return heap::changed(all, [inner, change](const Heap& heap) { return change(heap, inner); });
    };
    const heap::Delta delta = running([](const Heap& heap, const Iterations& iterations) {
        if (iterations.variable.empty()) { return heap.intersect_params(iterations.running); }
        return heap::choose(heap::iterated_union(heap, iterations.variable, iterations.running));
    });
    if (!is_atomic_) { read = read.unite(accumulated); }
    if (assign.lanes) {
        read = heap::iterated_union(read, inner.variable, inner.scope.context());
        accumulated = heap::iterated_union(accumulated, inner.variable, inner.scope.context());
    }
    if (steps.is_empty()) { return {delta, heap::changed(delta, heap::domain), heap::known(read)}; }
    steps = steps.intersect_params(inner.running);
    if (assign.lanes) { steps = heap::iterated_union(steps, inner.variable, inner.running); }
    const heap::Delta all_steps = heap::known(steps);
    const heap::Accesses written = heap::changed(delta, heap::domain);
    const heap::Accesses cells = heap::changed(all_steps, heap::domain);
    if (is_atomic_) {
        return {delta, written, heap::known(read), all_steps, heap::united({cells, heap::known(accumulated)})};
    }
    return {delta, heap::united({written, cells}), heap::known(read), all_steps};
}

// T-SeqLoop, T-ParLoop.
Summary Evaluation::summarise(const Stmt& stmt, const For& loop, const Scope& scope) {
    const Iterations inner = enter(loop, scope);
    // An atomic block around a parallel loop does not order its iterations.
    const bool outer = std::exchange(is_atomic_, is_atomic_ && !is_parallel(loop));
    const Summary body = block(loop.body, 0, inner.scope);
    is_atomic_ = outer;
    bodies_.insert_or_assign(&stmt, body);
    const auto left = [x = inner.variable, running = inner.running, known = scope.known(),
                       in_any_order = is_parallel(loop)](const Heap& heap) {
        return in_any_order ? heap::choose(heap::iterated_union(heap, x, running))
                            : heap::iterated_update(heap, x, running, known);
    };
    const auto accessed = [x = inner.variable, running = inner.running](const Locations& cells) {
        return heap::iterated_union(cells, x, running);
    };
    const auto reduced = [x = inner.variable, running = inner.running](const Heap& heap) {
        return heap::iterated_union(heap, x, running);
    };
    return {heap::changed(body.delta, left), heap::changed(body.writes, accessed), heap::changed(body.reads, accessed),
            heap::changed(body.reduced, reduced), heap::changed(body.updated, accessed)};
}

// T-If.
Summary Evaluation::summarise(const Stmt&, const If& branch, const Scope& scope) {
    const isl::set holds = scope.condition(branch.condition);
    Scope yes = scope, no = scope;
    yes.assume(holds);
    no.assume(holds.complement());
    const Summary then = block(branch.then, 0, yes);
    const Summary otherwise = block(branch.otherwise, 0, no);
    const auto either = [&](auto a, auto b) {
        const auto only = [](const auto& of, const isl::set& where) {
            return heap::changed(of, [where](const auto& part) { return part.intersect_params(where); });
        };
        return heap::united(std::vector{only(a, holds), only(b, holds.complement())});
    };
    return {either(then.delta, otherwise.delta), either(then.writes, otherwise.writes),
            either(then.reads, otherwise.reads), either(then.reduced, otherwise.reduced),
            either(then.updated, otherwise.updated)};
}

Locations Evaluation::locations(const Reads& reads) const {
    Locations all = heap::no_locations(ctx_);
    for (const Read& read : reads.of_memory) { all = all.unite(read.location); }
    return all;
}

// --- Symbolic evaluation, Fig. 5.4 -------------------------------------------------------------------------------

std::vector<Obligation> Evaluation::symbolic(const Block& body) {
    const Lazy<Heap> within_bounds([this] {
        Heap inside = heap::empty_heap(ctx_);
        for (const Lazy<isl::set>& cells : inputs_) { inside = inside.unite(initial_.intersect_domain(cells())); }
        return inside;
    });
    derivation_.start(scope_, initial_, within_bounds);
    walk(body, scope_, initial_, 0);
    return obligations_.take();
}

// S-Seq, S-Let, S-Allocate; update-ok of P-Seq; P-Accumulate.
void Evaluation::walk(const Block& block, Scope scope, heap::Memory memory, int level) {
    std::map<const Accumulation*, heap::Memory> before;
    std::map<std::string, std::vector<heap::Delta>> reduced;
    heap::Delta inside;
    for (std::size_t i = 0; i < block.size(); ++i) {
        const Stmt& stmt = block[i];
        for (const Accumulation* one : accumulations_.beginning(block, i)) {
            before.insert_or_assign(one, memory);
            inside = heap::in_order({inside, unknown_cells(*one, scope)});
        }
        heap::Memory here = memory;
        here.leave(inside);
        derivation_.statement(level, stmt);
        if (const auto* let = std::get_if<Let>(&stmt.node)) {
            scope.define(let->name, let->value);
            derivation_.let(*let);
        } else if (const auto* value = std::get_if<LetValue>(&stmt.node)) {
            const Expr body{LetValueIn{value->name, value->lanes, value->type, value->value, Expr{Truth{true}}}};
            const Reads reads = expressions_.reads(body, scope);
            oblige_reads(stmt, reads, scope, here);
            ValueInScope known = expressions_.family(value->name, value->lanes, value->type, value->value, scope, here);
            derivation_.let_value(reads.of_memory, *known.value, scope, here);
            scope.declare(value->name, std::move(known));
        } else if (const auto* array = std::get_if<Allocate>(&stmt.node)) {
            allocate(*array, scope);
            derivation_.allocation(scope.array(array->array), scope);
        } else {
            walk(stmt, scope, here, level);
            const Summary& summary = summaries_.at(&stmt);
            memory.leave(summary.delta);
            for (const std::string& array : summary.reduced.arrays()) {
                std::vector<heap::Delta>& earlier = reduced[array];
                if (!earlier.empty()) {
                    const Deferred<isl::set> twice(
                        [array, all = heap::united(earlier), now = summary.reduced, context = scope.context()] {
                            return reduced_by_both(all.at(array), now.at(array)).intersect(context);
                        });
                    obligations_.add(Kind::value, stmt, "P-Seq: update-ok, no step is reduced twice", twice, scope)
                        .depends_on_values = true;
                }
                earlier.push_back(summary.reduced);
            }
            for (const Accumulation* one : accumulations_.ending(block, i)) {
                inside = heap::without(inside, {scope.array(one->array).unique_name});
                if (!left_.contains(one)) { continue; }
                oblige_summary(stmt, *one, scope, before.at(one));
                memory.leave(left_.at(one));
                reduced.erase(scope.array(one->array).unique_name);
            }
        }
    }
}

void Evaluation::walk(const Stmt& stmt, const Scope& scope, const heap::Memory& memory, int level) {
    std::visit(Overload{[&](const Assign& s) { walk_assign(stmt, s, scope, memory, level); },
                        [&](const For& s) { walk_loop(stmt, s, scope, memory, level); },
                        [&](const If& s) {
                            // S-If
                            const isl::set holds = scope.condition(s.condition);
                            Scope yes = scope, no = scope;
                            yes.assume(holds);
                            no.assume(holds.complement());
                            derivation_.enter_branch(level, s.condition, true);
                            walk(s.then, yes, memory, level + 1);
                            if (!s.otherwise.empty()) { derivation_.enter_branch(level, s.condition, false); }
                            walk(s.otherwise, no, memory, level + 1);
                            derivation_.leave(level, stmt, summaries_.at(&stmt), scope);
                        },
                        [&](const Assert& s) { walk_assert(stmt, s, scope, memory); },
                        [&](const Atomic& s) { walk(s.body, scope, memory, level + 1); },
                        [&](const Accumulate& s) { walk(s.body, scope, memory, level + 1); },
                        [&](const Free& s) {
                            const ArrayInScope& array = scope.array(s.array);
                            const Locations before = memory.domain(freed(array.unique_name));
                            obligations_.add(Kind::freed, stmt, "an array is freed once",
                                             scope.context().intersect(heap::environments(before)), scope);
                            derivation_.leave(level, stmt, summaries_.at(&stmt), scope);
                        },
                        [](const auto&) {}},
               stmt.node);
}

void Evaluation::walk_assert(const Stmt& stmt, const Assert& assertion, const Scope& scope,
                             const heap::Memory& memory) {
    if (scope.is_condition(assertion.condition)) {
        obligations_.add(Kind::assertion, stmt, "the condition holds",
                         scope.context().subtract(scope.condition(assertion.condition)), scope);
        return;
    }
    oblige_reads(stmt, expressions_.reads(assertion.condition, scope), scope, memory);
    const heap::Template yes = templates_.literal(value::Value::boolean(true));
    obligations_.add(
        Kind::assertion, stmt, "the condition holds",
        {heap::value(ctx_, yes, {}), expressions_.evaluate(assertion.condition, scope, memory), scope.context()},
        scope);
}

// S-Assign.
void Evaluation::walk_assign(const Stmt& stmt, const Assign& assign, const Scope& scope, const heap::Memory& memory,
                             int level) {
    const Iterations lanes = enter(assign, scope);
    const Scope& inner = lanes.scope;
    Heap all = heap::empty_heap(ctx_);
    derivation_.enter_assign(assign, lanes.variable, scope, inner);
    for (const Write& w : assign.writes) {
        const Reads reads = expressions_.reads(w.value, inner);
        oblige_reads(stmt, reads, inner, memory);
        const ArrayInScope& array = inner.array(w.array);
        if (array.is_input) {
            obligations_.add(Kind::input_written, stmt, "S-Assign: an input is not written", inner.context(), inner);
        }
        oblige_access(Kind::bounds_write, stmt, array, inner.location(w.array, w.indices), inner.context(), inner,
                      memory);
        if (const Accumulation* accumulation = accumulations_.of(w)) {
            walk_accumulation(stmt, w, *accumulation, inner, memory);
            continue;
        }
        derivation_.operands(reads.of_memory, inner, memory);
        const Heap written = write(w, inner);
        all = heap::update(all, written);
        isl::set where = inner.context();
        if (const auto garbage = garbage_.find(&w); garbage != garbage_.end()) {
            where = where.subtract(garbage->second.environments);
        }
        if (!w.prophecy || where.is_empty()) { continue; }
        const heap::Value prophesied = expressions_.prophecy(*w.prophecy, inner);
        const Deferred<Equation> equation([&w, inner, memory, prophesied, where, expressions = expressions_] {
            return Equation{inner.resolved(prophesied), inner.resolved(expressions.evaluate(w.value, inner, memory)),
                            inner.resolved(where)};
        });
        derivation_.equation(equation, inner);
        interference_.add_write(prophesied, equation);
        Obligation& obligation = obligations_.add(Kind::value, stmt, "S-Assign: ⟦e⟧_h = decompose(t)", equation);
        obligation.write = &w;
        const auto as_written = [&w, inner, memory, expressions = expressions_, &templates = templates_] {
            return outline(w.value, expressions, templates, inner, memory);
        };
        obligation.outline = {prophesied, Deferred<std::optional<Term>>(as_written), where.intersect(inner.known()),
                              expressions_.reads_written_out(w.value, inner)};
    }
    if (assign.lanes) { interference_.oblige_agreement(Kind::lanes, stmt, lanes, heap::known(all)); }
    oblige_distinct_cells(stmt, assign, lanes);
    derivation_.leave(level, stmt, summaries_.at(&stmt), scope);
}

// Δh of the earlier iterations of a loop, in the cells that this iteration reads, R of its body. No other cells are
// requested inside, and with symbolic tiles they are most of the work. What the loop leaves behind is summarised
// elsewhere.
heap::Delta Evaluation::before_iteration(const Summary& body, const Iterations& loop, const isl::set& earlier) {
    const heap::Accesses reads = body.all_reads();
    const auto left = [body, reads, x = loop.variable, earlier, known = loop.scope.known()](const std::string& array) {
        const std::string z = x + "~";
        Heap before = affine::rename(body.delta.at(array), x, z);
        if (reads.has(array)) { before = before.intersect_domain(reads.at(array)); }
        return heap::iterated_update(before, z, earlier, known);
    };
    std::set<std::string> asked;
    for (const std::string& array : body.delta.arrays()) {
        if (reads.has(array) || freed_array(array)) { asked.insert(array); }
    }
    return {std::move(asked), left};
}

// S-SeqLoop, S-ParLoop.
void Evaluation::walk_loop(const Stmt& stmt, const For& loop, const Scope& scope, const heap::Memory& memory,
                           int level) {
    const Iterations inner = enter(loop, scope);
    const Summary& body = bodies_.at(&stmt);
    oblige_distinct_steps(stmt, inner, body, is_parallel(loop));
    heap::Memory at_iteration = memory;
    if (is_parallel(loop)) {
        interference_.oblige_race_freedom(stmt, inner, body);
        interference_.oblige_agreement(Kind::race_write_write, stmt, inner, body.delta);
    } else {
        // h ▷ ▶_{min <= z < x} Δh[x := z]
        const isl::pw_aff earlier = affine::parameter(ctx_, inner.variable + "~");
        const isl::pw_aff x = inner.scope.index({Variable{loop.variable}});
        const isl::set iterations = scope.index(loop.min).le_set(earlier).intersect(earlier.lt_set(x));
        at_iteration.leave(before_iteration(body, inner, iterations));
    }
    const heap::Accesses reads = body.all_reads();
    std::set<std::string> asked = reads.arrays();
    for (const heap::Accesses& some : {reads, body.writes}) {
        for (const std::string& array : some.arrays()) { asked.insert(freed(array)); }
    }
    derivation_.enter_loop(stmt, inner.variable, inner.running, scope, inner.scope, at_iteration, asked);
    walk(loop.body, inner.scope, at_iteration, level + 1);
    derivation_.leave(level, stmt, summaries_.at(&stmt), scope);
    if (is_parallel(loop)) { derivation_.race_freedom(inner.variable, body, inner.scope); }
}

bool Evaluation::shares_cells() const { return interference_.shares_cells(); }

// --- Obligations -------------------------------------------------------------------------------------------------

void Evaluation::oblige_access(Kind bounds, const Stmt& stmt, const ArrayInScope& array, const Locations& locations,
                               const isl::set& environments, const Scope& scope, const heap::Memory& memory) {
    const Deferred<isl::set> outside([locations, environments, beyond = array.beyond] {
        return heap::environments(locations.intersect_params(environments).intersect(beyond().to_union_set()));
    });
    obligations_.add(bounds, stmt, "the indices lie in the array", outside, scope);
    const Locations gone = memory.domain(freed(array.unique_name));
    const isl::set absent = environments.subtract(array.exists);
    if (!absent.is_empty()) { obligations_.add(Kind::freed, stmt, "the array is allocated", absent, scope); }
    if (gone.is_empty()) { return; }
    obligations_.add(Kind::freed, stmt, "the array is not freed", environments.intersect(heap::environments(gone)),
                     scope);
}

void Evaluation::oblige_reads(const Stmt& stmt, const Reads& reads, const Scope& scope, const heap::Memory& memory) {
    for (const Read& read : reads.of_memory) {
        oblige_access(Kind::bounds_read, stmt, scope.array(read.array), read.location, read.environments, scope,
                      memory);
    }
    // For most reads of values this holds by construction, so nothing is obliged.
    if (reads.beyond_lanes.is_disjoint(scope.known())) { return; }
    obligations_.add(Kind::bounds_read, stmt, "a value is read at one of its lanes", reads.beyond_lanes, scope);
}

}  // namespace haruspex::validator
