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
#include "oracle/validator/totality.h"

namespace haruspex::validator {
namespace {

using namespace sched;
using heap::Heap;
using heap::Locations;

// The cell that says that an array was freed.
std::string freed(const std::string& unique_name) { return "free " + unique_name; }

bool is_parallel(const For& loop) { return loop.kind == LoopKind::parallel; }

Heap product(const heap::Location& location, const heap::Value& value) {
    return isl::union_map::from_domain_and_range(location, value);
}

// What is not evaluated before it is of use reads no memory.
void refuse_reads(const Expr& expr, const char* what) {
    for_each_expr(expr, [&](const Expr& e) {
        if (std::holds_alternative<Load>(e.node) || std::holds_alternative<ValueVariable>(e.node)) {
            throw Unsupported("data-dependent " + std::string(what) + ": " + sched::print(expr));
        }
    });
}

Image image(const heap::Templates& templates, const TensorSignatures& tensors, heap::Template t) {
    const heap::Node& node = templates[t];
    const auto of = [&](heap::Template part) { return image(templates, tensors, part); };
    return std::visit(
        Overload{
            [](const heap::Literal& n) { return Image::of(n.value); },
            [&](const heap::Uninit&) { return Image::any(node.type, false); },
            [&](const heap::Unknown&) { return Image::any(node.type, false); },
            [&](const heap::Cell& n) { return Image::any(node.type, tensors.at(n.tensor).is_total); },
            [&](const heap::Embed&) { return Image::any(node.type, !value::overflow_is_undefined(node.type)); },
            [&](const heap::Unary& n) { return apply(n.op, templates.type(n.a), of(n.a)); },
            [&](const heap::Binary& n) { return apply(n.op, templates.type(n.a), of(n.a), of(n.b)); },
            [&](const heap::Cast& n) { return cast(templates.type(n.a), node.type, of(n.a)); },
            [&](const heap::Select& n) { return select(of(n.condition), node.type, of(n.if_true), of(n.if_false)); }},
        node.what);
}

// Programs with forks are interpreted under several interleavings, not proved.
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
        if (here.is_input) {
            initial_ = initial_.unite(input(array, here));
            inputs_.push_back(here.cells);
        }
        const auto tensor = expressions_.tensors().find(array.tensor);
        const auto component = static_cast<std::size_t>(array.component);
        if (array.role == Role::output && tensor != expressions_.tensors().end() &&
            component < tensor->second.types.size() && array.dimensions.size() == tensor->second.rank &&
            !has_strides(array.dimensions)) {
            outputs_.emplace(here.unique_name, templates_.cell(array.tensor, array.component,
                                                               tensor->second.types[component], tensor->second.rank));
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

heap::Delta Evaluation::prophetic(const Block& body) { return block(body, 0, scope_).delta; }

// T-Seq, T-Let, T-Allocate.
Summary Evaluation::block(const Block& block, std::size_t first, Scope scope) {
    std::vector<heap::Delta> deltas;
    std::vector<heap::Accesses> writes, reads;
    const std::size_t outer_lets = scope.lets();
    const auto then = [&](const Summary& next) {
        deltas.push_back(next.delta);
        writes.push_back(next.writes);
        reads.push_back(next.reads);
    };
    for (std::size_t i = first; i < block.size(); ++i) {
        const Stmt& stmt = block[i];
        if (const auto* let = std::get_if<Let>(&stmt.node)) {
            refuse_reads(let->value, "let");
            scope.define(let->name, let->value);
        } else if (const auto* value = std::get_if<LetValue>(&stmt.node)) {
            const Expr body{LetValueIn{value->name, value->lanes, value->type, value->value, Expr{Truth{true}}}};
            reads.push_back(heap::known(locations(expressions_.reads(body, scope))));
            scope.declare(value->name, ValueInScope{value->type, {}, value->lanes ? value->lanes->count : 1, {}, {}});
        } else if (const auto* array = std::get_if<Allocate>(&stmt.node)) {
            allocate(*array, scope);
            const std::string& unique = scope.array(array->array).unique_name;
            const std::set<std::string> hidden{unique, freed(unique)};
            const Summary rest = this->block(block, i + 1, scope);
            then({heap::without(rest.delta, hidden), heap::without(rest.writes, hidden),
                  heap::without(rest.reads, hidden)});
            break;
        } else {
            const Summary next = statement(stmt, scope);
            summaries_.insert_or_assign(&stmt, next);
            then(next);
        }
    }
    Summary all{heap::in_order(std::move(deltas)), heap::united(std::move(writes)), heap::united(std::move(reads))};
    if (scope.lets() == outer_lets) { return all; }
    const auto outside = [&](const auto& inside) {
        return heap::changed(inside,
                             [scope, outer_lets](const auto& part) { return scope.resolved(part, outer_lets); });
    };
    return {outside(all.delta), outside(all.writes), outside(all.reads)};
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

// { ℓ -> decompose(t) }, and Uninit, or whatever it is, where the write is garbage.
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
    const auto& [where, may_be_undef] = garbage->second;
    const heap::Value left = heap::value(ctx_, may_be_undef ? templates_.unknown(type) : templates_.uninit(type), {});
    return product(target, foretold.intersect_params(where.complement()).unite(left.intersect_params(where)));
}

// T-Assign: what all writes and lanes leave.
Summary Evaluation::summarise(const Stmt&, const Assign& assign, const Scope& scope) {
    const Iterations inner = enter(assign, scope);
    std::vector<heap::Delta> deltas;
    Locations read = heap::no_locations(ctx_);
    for (const Write& w : assign.writes) {
        deltas.push_back(heap::known(write(w, inner.scope)));
        read = read.unite(locations(expressions_.reads(w.value, inner.scope)));
    }
    const heap::Delta all = heap::in_order(std::move(deltas));
    const auto running = [&](const auto& change) {
        return heap::changed(all, [inner, change](const Heap& heap) { return change(heap, inner); });
    };
    const heap::Delta delta = running([](const Heap& heap, const Iterations& iterations) {
        if (iterations.variable.empty()) { return heap.intersect_params(iterations.running); }
        return heap::choose(heap::iterated_union(heap, iterations.variable, iterations.running));
    });
    if (assign.lanes) { read = heap::iterated_union(read, inner.variable, inner.scope.context()); }
    return {delta, heap::changed(delta, heap::domain), heap::known(read)};
}

// T-SeqLoop, T-ParLoop.
Summary Evaluation::summarise(const Stmt& stmt, const For& loop, const Scope& scope) {
    const Iterations inner = enter(loop, scope);
    const Summary body = block(loop.body, 0, inner.scope);
    bodies_.insert_or_assign(&stmt, body);
    const auto left = [x = inner.variable, running = inner.running, known = scope.known(),
                       in_any_order = is_parallel(loop)](const Heap& heap) {
        return in_any_order ? heap::choose(heap::iterated_union(heap, x, running))
                            : heap::iterated_update(heap, x, running, known);
    };
    const auto accessed = [x = inner.variable, running = inner.running](const Locations& cells) {
        return heap::iterated_union(cells, x, running);
    };
    return {heap::changed(body.delta, left), heap::changed(body.writes, accessed), heap::changed(body.reads, accessed)};
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
            either(then.reads, otherwise.reads)};
}

Locations Evaluation::locations(const Reads& reads) const {
    Locations all = heap::no_locations(ctx_);
    for (const Read& read : reads.of_memory) { all = all.unite(read.location); }
    return all;
}

// --- Symbolic evaluation, Fig. 5.4 -------------------------------------------------------------------------------

std::vector<Obligation> Evaluation::symbolic(const Block& body) {
    obligations_.clear();
    shared_.clear();
    const Lazy<Heap> within_bounds([this] {
        Heap inside = heap::empty_heap(ctx_);
        for (const Lazy<isl::set>& cells : inputs_) { inside = inside.unite(initial_.intersect_domain(cells())); }
        return inside;
    });
    derivation_.start(scope_, initial_, within_bounds);
    walk(body, scope_, initial_, 0);
    return std::move(obligations_);
}

// S-Seq, S-Let, S-Allocate.
void Evaluation::walk(const Block& block, Scope scope, heap::Memory memory, int level) {
    for (const Stmt& stmt : block) {
        derivation_.statement(level, stmt);
        if (const auto* let = std::get_if<Let>(&stmt.node)) {
            scope.define(let->name, let->value);
            derivation_.let(*let);
        } else if (const auto* value = std::get_if<LetValue>(&stmt.node)) {
            const Expr body{LetValueIn{value->name, value->lanes, value->type, value->value, Expr{Truth{true}}}};
            const Reads reads = expressions_.reads(body, scope);
            oblige_reads(stmt, reads, scope, memory);
            ValueInScope known =
                expressions_.family(value->name, value->lanes, value->type, value->value, scope, memory);
            derivation_.let_value(reads.of_memory, *known.value, scope, memory);
            scope.declare(value->name, std::move(known));
        } else if (const auto* array = std::get_if<Allocate>(&stmt.node)) {
            allocate(*array, scope);
            derivation_.allocation(scope.array(array->array), scope);
        } else {
            walk(stmt, scope, memory, level);
            memory.leave(summaries_.at(&stmt).delta);
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
                        [&](const Free& s) {
                            const ArrayInScope& array = scope.array(s.array);
                            const Locations before = memory.domain(freed(array.unique_name));
                            oblige(Kind::freed, stmt, "an array is freed once",
                                   scope.context().intersect(heap::environments(before)), scope);
                            derivation_.leave(level, stmt, summaries_.at(&stmt), scope);
                        },
                        [](const auto&) {}},
               stmt.node);
}

void Evaluation::walk_assert(const Stmt& stmt, const Assert& assertion, const Scope& scope,
                             const heap::Memory& memory) {
    if (scope.is_condition(assertion.condition)) {
        oblige(Kind::assertion, stmt, "the condition holds",
               scope.context().subtract(scope.condition(assertion.condition)), scope);
        return;
    }
    oblige_reads(stmt, expressions_.reads(assertion.condition, scope), scope, memory);
    const heap::Template yes = templates_.literal(value::Value::boolean(true));
    oblige(Kind::assertion, stmt, "the condition holds",
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
        derivation_.operands(reads.of_memory, inner, memory);
        const ArrayInScope& array = inner.array(w.array);
        if (array.is_input) {
            oblige(Kind::input_written, stmt, "S-Assign: an input is not written", inner.context(), inner);
        }
        oblige_access(Kind::bounds_write, stmt, array, inner.location(w.array, w.indices), inner.context(), inner,
                      memory);
        const Heap written = write(w, inner);
        const Locations twice = heap::domain(all).intersect(heap::domain(written)).intersect_params(inner.context());
        oblige(Kind::lanes, stmt, "the writes of an assignment are to different cells", heap::environments(twice),
               inner);
        all = heap::update(all, written);
        isl::set where = inner.context();
        if (const auto garbage = garbage_.find(&w); garbage != garbage_.end()) {
            where = where.subtract(garbage->second.environments);
        }
        if (!w.prophecy || where.is_empty()) { continue; }
        const heap::Value foretold = expressions_.prophecy(*w.prophecy, inner);
        const Deferred<Equation> equation([&w, inner, memory, foretold, where, expressions = expressions_] {
            return Equation{inner.resolved(foretold), inner.resolved(expressions.evaluate(w.value, inner, memory)),
                            inner.resolved(where)};
        });
        derivation_.equation(equation, inner);
        oblige(Kind::value, stmt, "S-Assign: ⟦e⟧_h = decompose(t)", equation);
        obligations_.back().write = &w;
        const auto as_written = [&w, inner, memory, expressions = expressions_, &templates = templates_] {
            return outline(w.value, expressions, templates, inner, memory);
        };
        obligations_.back().outline = {foretold, Deferred<std::optional<Term>>(as_written),
                                       where.intersect(inner.known()), expressions_.reads_written_out(w.value, inner)};
    }
    if (assign.lanes) { oblige_agreement(Kind::lanes, stmt, lanes, heap::known(all)); }
    derivation_.leave(level, stmt, summaries_.at(&stmt), scope);
}

// What the earlier iterations of a loop left, in the cells that this one reads: with symbolic tiles the others are most
// of the work.
heap::Delta Evaluation::before_iteration(const Summary& body, const Iterations& loop, const isl::set& earlier) {
    const auto left = [body, x = loop.variable, earlier, known = loop.scope.known()](const std::string& array) {
        const std::string z = x + "~";
        Heap before = affine::rename(body.delta.at(array), x, z);
        if (body.reads.has(array)) { before = before.intersect_domain(body.reads.at(array)); }
        return heap::iterated_update(before, z, earlier, known);
    };
    std::set<std::string> asked;
    for (const std::string& array : body.delta.arrays()) {
        if (body.reads.has(array) || array.starts_with(freed(""))) { asked.insert(array); }
    }
    return {std::move(asked), left};
}

// S-SeqLoop, S-ParLoop.
void Evaluation::walk_loop(const Stmt& stmt, const For& loop, const Scope& scope, const heap::Memory& memory,
                           int level) {
    const Iterations inner = enter(loop, scope);
    const Summary& body = bodies_.at(&stmt);
    heap::Memory at_iteration = memory;
    if (is_parallel(loop)) {
        oblige_race_freedom(stmt, inner, body);
        oblige_agreement(Kind::race_write_write, stmt, inner, body.delta);
    } else {
        // h ▷ ▶_{min <= z < x} Δh[x := z]
        const isl::pw_aff earlier = affine::parameter(ctx_, inner.variable + "~");
        const isl::pw_aff x = inner.scope.index({Variable{loop.variable}});
        const isl::set iterations = scope.index(loop.min).le_set(earlier).intersect(earlier.lt_set(x));
        at_iteration.leave(before_iteration(body, inner, iterations));
    }
    std::set<std::string> asked = body.reads.arrays();
    for (const heap::Accesses& some : {body.reads, body.writes}) {
        for (const std::string& array : some.arrays()) { asked.insert(freed(array)); }
    }
    derivation_.enter_loop(stmt, inner.variable, inner.running, scope, inner.scope, at_iteration, asked);
    walk(loop.body, inner.scope, at_iteration, level + 1);
    derivation_.leave(level, stmt, summaries_.at(&stmt), scope);
    if (is_parallel(loop)) { derivation_.race_freedom(inner.variable, body, inner.scope); }
}

bool Evaluation::shares_cells() const {
    return std::ranges::any_of(shared_, [](const Deferred<bool>& is_shared) { return is_shared(); });
}

// --- Obligations -------------------------------------------------------------------------------------------------

void Evaluation::oblige(Kind kind, const Stmt& stmt, std::string rule, const Deferred<isl::set>& violations,
                        const Scope& scope) {
    const Deferred<isl::set> left([violations, scope] {
        const isl::set some = violations();
        return scope.are_possible(some) ? scope.resolved(some) : affine::nowhere(scope.ctx());
    });
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
                               const isl::set& environments, const Scope& scope, const heap::Memory& memory) {
    const Deferred<isl::set> outside([locations, environments, beyond = array.beyond] {
        return heap::environments(locations.intersect_params(environments).intersect(beyond().to_union_set()));
    });
    oblige(bounds, stmt, "the indices lie in the array", outside, scope);
    const Locations gone = memory.domain(freed(array.unique_name));
    const isl::set absent = environments.subtract(array.exists);
    if (!absent.is_empty()) { oblige(Kind::freed, stmt, "the array is allocated", absent, scope); }
    if (gone.is_empty()) { return; }
    oblige(Kind::freed, stmt, "the array is not freed", environments.intersect(heap::environments(gone)), scope);
}

void Evaluation::oblige_reads(const Stmt& stmt, const Reads& reads, const Scope& scope, const heap::Memory& memory) {
    for (const Read& read : reads.of_memory) {
        oblige_access(Kind::bounds_read, stmt, scope.array(read.array), read.location, read.environments, scope,
                      memory);
    }
    // That most reads of values have by the way they are written is no obligation.
    if (reads.beyond_lanes.is_disjoint(scope.known())) { return; }
    oblige(Kind::bounds_read, stmt, "a value is read at one of its lanes", reads.beyond_lanes, scope);
}

// rw-safe(x, ι, dom(Δh), R): what an iteration writes no other one reads.
void Evaluation::oblige_race_freedom(const Stmt& stmt, const Iterations& loop, const Summary& body) {
    const std::string y = loop.variable + "~";
    const isl::pw_aff one = affine::parameter(ctx_, loop.variable);
    const isl::pw_aff other = affine::parameter(ctx_, y);
    const isl::set pairs = loop.scope.context()
                               .intersect(affine::rename(loop.scope.context(), loop.variable, y))
                               .intersect(one.ne_set(other));
    isl::set races = affine::nowhere(ctx_);
    for (const std::string& array : body.writes.arrays()) {
        if (!body.reads.has(array)) { continue; }
        const Locations reads = affine::rename(body.reads.at(array), loop.variable, y);
        races = races.unite(heap::environments(body.writes.at(array).intersect(reads)).intersect(pairs));
    }
    oblige(Kind::race_read_write, stmt, "S-ParLoop: rw-safe(" + loop.variable + ", dom(Δh), R)", races, loop.scope);
    // Of what an iteration frees no other one accesses a cell, nor frees it.
    for (const std::string& cell : body.writes.arrays()) {
        if (!cell.starts_with(freed(""))) { continue; }
        const std::string array = cell.substr(freed("").size());
        const isl::set frees = heap::environments(body.writes.at(cell));
        isl::set accesses = frees;
        for (const heap::Accesses& some : {body.reads, body.writes}) {
            if (some.has(array)) { accesses = accesses.unite(heap::environments(some.at(array))); }
        }
        oblige(Kind::freed, stmt, "S-ParLoop: no iteration accesses what another one frees",
               pairs.intersect(frees).intersect(affine::rename(accesses, loop.variable, y)), loop.scope);
    }
}

// { a[i, …] -> T(i, …) } of the array of an output T, and { a[i, …] -> T.n(i, …, k, …) } of each step that leads to it:
// the part of this template, if there is one.
Heap Evaluation::own_cells(const std::string& array, heap::Template t) const {
    const auto output = outputs_.find(array);
    const auto* cell = std::get_if<heap::Cell>(&templates_[t].what);
    if (output == outputs_.end() || cell == nullptr) { return heap::empty_heap(ctx_); }
    const auto& own = std::get<heap::Cell>(templates_[output->second].what);
    const TensorSignature& tensor = expressions_.tensors().at(cell->tensor);
    const std::size_t rank = expressions_.tensors().at(own.tensor).rank;
    const bool is_own = cell->tensor == own.tensor || tensor.staged == own.tensor;
    if (!is_own || cell->component != own.component || tensor.rank < rank) { return heap::empty_heap(ctx_); }
    std::vector<std::string> names;
    std::vector<isl::pw_aff> coordinates;
    for (std::size_t d = 0; d < tensor.rank; ++d) {
        names.push_back("#" + std::to_string(d));
        coordinates.push_back(affine::parameter(ctx_, names.back()));
    }
    const std::vector<isl::pw_aff> element(coordinates.begin(),
                                           coordinates.begin() + static_cast<std::ptrdiff_t>(rank));
    Heap all = product(heap::location(ctx_, array, element), heap::value(ctx_, t, coordinates));
    for (const std::string& name : names) { all = affine::project_out(all, name); }
    return all;
}

// With Unknown in the place of all that does not tell what is left: what a template says, and what `known` has of it.
Heap Evaluation::told(const Heap& heap, const std::function<bool(heap::Template)>& tells,
                      const std::function<Heap(heap::Template)>& known) const {
    Heap result = heap::empty_heap(ctx_);
    heap.foreach_map([&](const isl::map& map) {
        const heap::Template t = heap::Templates::of_tuple(map.range_tuple_id().name());
        const isl::union_map all = map.to_union_map();
        if (tells(t)) {
            result = result.unite(all);
            return;
        }
        const Heap kept = all.intersect(known(t));
        const heap::Value unknown = heap::value(ctx_, templates_.unknown(templates_.type(t)), {});
        result = result.unite(kept).unite(product(all.subtract(kept).domain(), unknown));
    });
    return result;
}

// ww-covered: where two iterations (or lanes) write a cell, they write the same value. Of garbage that is not known,
// nor where what is foretold may be Undef and then says nothing; but the cells of an output leave it open what they
// hold where they, or the steps that lead to them, are Undef.
void Evaluation::oblige_agreement(Kind kind, const Stmt& stmt, const Iterations& loop, const heap::Delta& delta) {
    const isl::set& context = loop.scope.context();
    const std::string& x = loop.variable;
    const auto is_foretold = [&](heap::Template t) {
        return !templates_.mentions_uninit(t) && !templates_.mentions_unknown(t);
    };
    const auto is_total = [&](heap::Template t) { return image(templates_, expressions_.tensors(), t).is_total; };
    const auto nothing = [&](heap::Template) { return heap::empty_heap(ctx_); };
    const auto agree = [&](const Heap& heap) {
        return heap::is_single_valued(heap) && !heap::mentions_unknown(heap, templates_);
    };
    const std::string y = x + "~";
    const isl::pw_aff one = affine::parameter(ctx_, x);
    const isl::pw_aff other = affine::parameter(ctx_, y);
    const isl::set pairs = context.intersect(affine::rename(context, x, y)).intersect(one.lt_set(other));
    for (const std::string& array : delta.arrays()) {
        const Heap& left = delta.at(array);
        shared_.emplace_back([left, x, y, pairs, scope = loop.scope] {
            const Locations cells = heap::domain(left);
            const Locations both = cells.intersect(affine::rename(cells, x, y));
            return scope.are_possible(heap::environments(both).intersect(pairs));
        });
        const auto output = outputs_.find(array);
        const auto own = [&](heap::Template t) { return own_cells(array, t); };
        const Heap total = told(left, is_total, own);
        const Heap all = heap::iterated_union(total, x, context);
        if (agree(all) || agree(loop.scope.resolved(all))) { continue; }
        std::vector<isl::pw_aff> cell;
        const std::size_t rank = heap::arrays(left).at(array);
        for (std::size_t d = 0; d < rank; ++d) { cell.push_back(affine::parameter(ctx_, "#" + std::to_string(d))); }
        const heap::Location here = heap::location(ctx_, array, cell);
        // What is foretold of an output may be Undef where the output is.
        const Heap mine = output == outputs_.end() ? total : told(left, is_foretold, nothing);
        const heap::Value a = heap::apply(mine, here), b = heap::apply(affine::rename(mine, x, y), here);
        const isl::set where = pairs.intersect(heap::environments(a)).intersect(heap::environments(b));
        if (!loop.scope.are_possible(where)) { continue; }
        // Where what is foretold of one is Undef, it may leave anything: that the other refines it is not enough.
        oblige(kind, stmt, "ww-covered: both leave the same value in " + array, {a, b, where}, loop.scope);
        oblige(kind, stmt, "ww-covered: and the other way round in " + array, {b, a, where}, loop.scope);
        if (output == outputs_.end()) { continue; }
        isl::set open = affine::nowhere(ctx_);
        a.foreach_set([&](const isl::set& part) {
            const heap::Template t = heap::Templates::of_tuple(affine::tuple_name(part));
            if (!is_foretold(t) || is_total(t)) { return; }
            const heap::Value others = part.to_union_set().subtract(heap::apply(own(t), here));
            open = open.unite(heap::environments(others).intersect(where));
        });
        if (!loop.scope.are_possible(open)) { continue; }
        const heap::Value meant = heap::value(ctx_, output->second, cell);
        oblige(kind, stmt, "ww-covered: which is Undef only where " + array + " may be", {meant, a, open}, loop.scope);
    }
}

}  // namespace haruspex::validator
