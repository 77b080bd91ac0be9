#include <algorithm>
#include <utility>

#include "harness/halide/loose_floats.h"
#include "harness/halide/translator.h"

namespace haruspex::halide {
namespace {

using namespace Halide::Internal;
using Halide::Expr;

class StatementTranslator {
public:
    StatementTranslator(const Interface& interface, Dialect dialect)
        : interface_(interface), dialect_(dialect), expressions_(interface) {}

    sched::Program program(const Stmt& statement) {
        sched::Program p;
        p.name = interface_.name;
        p.parameters = interface_.parameters;
        p.has_loose_floats = interface_.has_strict_floats && has_loose_floats(statement);
        for (const BufferArgument& b : interface_.buffers) {
            sched::Array array{b.role, b.name, b.tensor, b.component, b.type, {}};
            for (int d = 0; d < b.rank; ++d) {
                const std::string at = "." + std::to_string(d);
                for (const char* field : {".min", ".extent", ".stride"}) {
                    p.parameters.push_back(b.name + field + at);
                }
                sched::Dimension dimension{variable(b.name + ".extent" + at), variable(b.name + ".min" + at),
                                           std::nullopt};
                if (dialect_ == Dialect::linear) { dimension.stride = variable(b.name + ".stride" + at); }
                array.dimensions.push_back(std::move(dimension));
            }
            // A scalar has one cell, which linear memory also accesses by an index.
            if (b.rank == 0 && dialect_ == Dialect::linear) {
                array.dimensions.push_back(
                    {sched::Expr{sched::Integer{1}}, sched::Expr{sched::Integer{0}}, sched::Expr{sched::Integer{1}}});
            }
            p.arrays.push_back(std::move(array));
        }
        taken_.insert(p.parameters.begin(), p.parameters.end());
        for (const sched::Array& array : p.arrays) { taken_.insert(array.name); }
        emit(statement, p.body);
        return p;
    }

private:
    static sched::Expr variable(std::string name) { return sched::Expr{sched::Variable{std::move(name)}}; }

    // Returns a name that hides none. In Halide a let ends with its body, in SCHED with the block, where other
    // statements may follow the body.
    std::string declare(const std::string& name) {
        std::string fresh = name;
        for (int i = 1; !taken_.insert(fresh).second; ++i) { fresh = name + "$" + std::to_string(i); }
        names_.push_back(fresh);
        return fresh;
    }

    sched::Block block(const Stmt& statement) {
        const std::size_t outside = names_.size();
        sched::Block result;
        if (statement.defined()) { emit(statement, result); }
        for (std::size_t n = outside; n < names_.size(); ++n) { taken_.erase(names_[n]); }
        names_.resize(outside);
        return result;
    }
    void emit(const Stmt& s, sched::Block& out) {
        if (only_fetches(s) && !reads_memory(s)) { return; }
        switch (s.node_type()) {
            case IRNodeType::LetStmt: return let(*s.as<LetStmt>(), out);
            case IRNodeType::AssertStmt: return assertion(*s.as<AssertStmt>(), out);
            case IRNodeType::ProducerConsumer: return emit(s.as<ProducerConsumer>()->body, out);
            case IRNodeType::For: return loop(*s.as<For>(), out);
            case IRNodeType::Acquire: return acquire(*s.as<Acquire>(), out);
            case IRNodeType::Store: return store(*s.as<Store>(), out);
            case IRNodeType::Provide: return provide(*s.as<Provide>(), out);
            case IRNodeType::Allocate: return allocate(*s.as<Allocate>(), out);
            case IRNodeType::Free: {
                const auto* f = s.as<Free>();
                if (!skipped_.contains(f->name)) {
                    out.push_back({sched::Free{expressions_.array_of(f->name, 0)}});
                    freed_.insert(f->name);
                }
                return;
            }
            case IRNodeType::Realize: return realize(*s.as<Realize>(), out);
            case IRNodeType::Block: {
                const auto* b = s.as<Block>();
                emit(b->first, out);
                return emit(b->rest, out);
            }
            case IRNodeType::Fork: return fork(*s.as<Fork>(), out);
            case IRNodeType::IfThenElse: return if_then_else(*s.as<IfThenElse>(), out);
            case IRNodeType::Evaluate: return evaluate(*s.as<Evaluate>(), out);
            case IRNodeType::Prefetch: return emit(s.as<Prefetch>()->body, out);
            case IRNodeType::Atomic: out.push_back({sched::Atomic{block(s.as<Atomic>()->body)}}); return;
            default: break;
        }
        const auto hoisted = hoisted_storage(s);
        if (!hoisted) { throw NotTranslated("a statement node"); }
        hoist(*hoisted, out);
    }

    // Until storage is flattened, every iteration of the loops inside has storage of its own, where the Realize is.
    void hoist(const Hoisted& hoisted, sched::Block& out) {
        const bool is_new = hoisted_.insert(hoisted.name).second;
        emit(hoisted.body, out);
        if (is_new) { hoisted_.erase(hoisted.name); }
    }

    // A producer and a consumer with a ring buffer both have the Realize, and share the storage that is allocated
    // around them.
    void check_storage(const Fork& f) const {
        class Realized : public IRVisitor {
        public:
            std::set<std::string> names;

        private:
            using IRVisitor::visit;
            void visit(const Realize* r) override {
                names.insert(r->name);
                IRVisitor::visit(r);
            }
        };
        Realized first, rest;
        f.first.accept(&first);
        f.rest.accept(&rest);
        for (const std::string& name : first.names) {
            if (hoisted_.contains(name) && rest.names.contains(name)) {
                throw NotTranslated("a ring buffer of two tasks before storage is flattened", name);
            }
        }
    }

    // Whether the statement does nothing but fetch into the cache, which has no meaning here.
    static bool only_fetches(const Stmt& s) {
        if (const auto* e = s.as<Evaluate>()) {
            // Common subexpressions are bound within the expression.
            Expr value = e->value;
            while (const auto* let = value.as<Let>()) { value = let->body; }
            return Call::as_intrinsic(value, {Call::prefetch}) != nullptr;
        }
        if (const auto* b = s.as<Block>()) { return only_fetches(b->first) && only_fetches(b->rest); }
        if (const auto* l = s.as<LetStmt>()) { return only_fetches(l->body); }
        if (const auto* f = s.as<For>()) { return only_fetches(f->body); }
        if (const auto* i = s.as<IfThenElse>()) {
            return only_fetches(i->then_case) && (!i->else_case.defined() || only_fetches(i->else_case));
        }
        return false;
    }

    // Whether addresses or conditions load. What a prefetch is to fetch may depend on another array, which is read as far
    // ahead, and that can be outside of it: such a read is not dropped.
    static bool reads_memory(const Stmt& s) {
        class Reads : public IRVisitor {
        public:
            bool any = false;

        private:
            using IRVisitor::visit;
            void visit(const Load*) override { any = true; }
            void visit(const Call* c) override {
                any = any || c->call_type == Call::Halide || c->call_type == Call::Image;
                IRVisitor::visit(c);
            }
        } reads;
        s.accept(&reads);
        return reads.any;
    }

    // Calls `inside` while a Halide name has this meaning.
    template <typename Inside>
    void with(const std::string& name, Binding binding, Inside inside) {
        Bindings& scope = expressions_.scope();
        const auto outer = scope.find(name) == scope.end() ? std::nullopt : std::optional(scope[name]);
        scope[name] = std::move(binding);
        inside();
        if (outer) {
            scope[name] = *outer;
        } else {
            scope.erase(name);
        }
    }

    template <typename Inside>
    void with_array(const std::string& name, const std::string& renamed, Inside inside) {
        auto& arrays = expressions_.arrays();
        const auto outer = arrays.find(name) == arrays.end() ? std::nullopt : std::optional(arrays[name]);
        arrays[name] = renamed;
        inside();
        if (outer) {
            arrays[name] = *outer;
        } else {
            arrays.erase(name);
        }
    }

    // Whether a let is of a buffer's field that is already a parameter of this name.
    bool restates_parameter(const std::string& name, const TranslatedLet& let) {
        const auto* v = std::get_if<sched::Variable>(&let.value.node);
        const auto known = expressions_.scope().find(name);
        return v != nullptr && known != expressions_.scope().end() && known->second.name == v->name;
    }

    void let(const LetStmt& l, sched::Block& out) {
        if (l.value.type() == Halide::type_of<halide_semaphore_t*>()) { return let_semaphore(l, out); }
        TranslatedLet let = expressions_.translate_let(l.name, l.value);
        if (let.binding.kind == Binding::Kind::variable) {
            if (restates_parameter(l.name, let)) { return emit(l.body, out); }
            let.binding.name = declare(l.name);
            out.push_back({sched::Let{let.binding.name, std::move(let.value)}});
        } else if (let.binding.kind == Binding::Kind::value) {
            let.binding.name = declare(l.name);
            out.push_back({sched::LetValue{let.binding.name, let.lanes, let.binding.type.type, std::move(let.value)}});
        }
        with(l.name, std::move(let.binding), [&] { emit(l.body, out); });
    }

    // The semaphore gets its units at the call in its let, or at a later call.
    void let_semaphore(const LetStmt& l, sched::Block& out) {
        const std::map<std::string, std::string> outside = semaphores_;
        const auto* made = l.value.as<Call>();
        if (made != nullptr && made->name == "halide_make_semaphore") { declare_semaphore(l.name, made->args[0], out); }
        emit(l.body, out);
        semaphores_ = outside;
    }

    void declare_semaphore(const std::string& name, const Expr& units, sched::Block& out) {
        semaphores_[name] = declare(expressions_.readable(name));
        out.push_back({sched::Semaphore{semaphores_[name], expressions_.index(units)}});
    }

    std::string semaphore(const Expr& handle) const {
        const auto* v = handle.as<Variable>();
        const auto known = v == nullptr ? semaphores_.end() : semaphores_.find(v->name);
        if (known == semaphores_.end()) { throw NotTranslated("a semaphore of unknown origin"); }
        return known->second;
    }

    void acquire(const Acquire& a, sched::Block& out) {
        out.push_back({sched::Acquire{semaphore(a.semaphore), expressions_.index(a.count)}});
        emit(a.body, out);
    }

    void fork(const Fork& f, sched::Block& out) {
        check_storage(f);
        sched::Block first = block(f.first);
        out.push_back({sched::Fork{std::move(first), block(f.rest)}});
    }

    static sched::AssertKind kind_of_assertion(const std::string& message) {
        if (message.starts_with("halide_error_bad_type")) { return sched::AssertKind::type; }
        const bool is_of_size = message.starts_with("halide_error_buffer_allocation_too_large") ||
                                message.starts_with("halide_error_buffer_extents_too_large");
        return is_of_size ? sched::AssertKind::size : sched::AssertKind::plain;
    }

    void assertion(const AssertStmt& a, sched::Block& out) {
        sched::Expr condition = as_guard(expressions_.translate(a.condition, {}));
        if (is_truth(condition, true)) { return; }
        std::string message = "assertion";
        Expr words = a.message;
        while (const auto* let = words.as<Let>()) { words = let->body; }
        if (const auto* c = words.as<Call>()) {
            message = c->name;
            for (const Expr& argument : c->args) {
                if (const auto* text = argument.as<StringImm>()) { message += ": " + text->value; }
            }
        }
        const sched::AssertKind kind = kind_of_assertion(message);
        out.push_back({sched::Assert{std::move(condition), std::move(message), kind}});
    }

    void loop(const For& f, sched::Block& out) {
        sched::For result;
        switch (f.for_type) {
            case ForType::Serial: result.kind = sched::LoopKind::serial; break;
            case ForType::Parallel: result.kind = sched::LoopKind::parallel; break;
            case ForType::Vectorized: result.kind = sched::LoopKind::vector; break;
            case ForType::Unrolled: result.kind = sched::LoopKind::unrolled; break;
            default: throw NotTranslated("a loop of another kind", f.name);
        }
        result.variable = f.name;
        result.min = expressions_.index(f.min);
        result.extent = expressions_.index(f.extent);
        const bool hides_none = taken_.insert(f.name).second;
        with(f.name, {Binding::Kind::variable, f.name, {sched::Kind::index}, false, {}},
             [&] { result.body = block(f.body); });
        if (hides_none) { taken_.erase(f.name); }
        out.push_back({std::move(result)});
    }

    // The predicate restricts only the store: the value is first computed for all lanes.
    sched::Expr stored(Term value, const Expr& source, const Expr& predicate, const std::string& name,
                       const std::optional<sched::Lanes>& lanes, sched::Block& out) {
        if (!reads_beyond(source, predicate)) { return std::move(value.expr); }
        const std::string let = declare(expressions_.readable(name) + ".stored");
        std::optional<Box<sched::Expr>> at;
        if (lanes) { at = Box<sched::Expr>(variable(lanes->variable)); }
        out.push_back({sched::LetValue{let, lanes, value.type.type, std::move(value.expr)}});
        return sched::Expr{sched::ValueVariable{let, std::move(at)}};
    }

    void store(const Store& s, sched::Block& out) {
        sched::Assign assign;
        Lane lane;
        if (s.value.type().is_vector()) {
            assign.lanes = expressions_.take_lanes(s.value.type().lanes());
            lane = variable(assign.lanes->variable);
        }
        sched::Expr condition = as_guard(expressions_.translate(s.predicate, lane));
        if (!is_truth(condition, true)) { assign.condition = std::move(condition); }
        sched::Write write;
        write.array = expressions_.array_of(s.name, 0);
        write.indices.push_back(expressions_.predicated_index(s.index, s.predicate, lane));
        write.prophecy = expressions_.prophecy(s.value, s.name, lane);
        Term value = as_value(expressions_.translate(s.value, lane));
        if (expressions_.is_bool_array(write.array)) { value = cast(value::Type::boolean, std::move(value)); }
        write.value = stored(std::move(value), s.value, s.predicate, s.name, assign.lanes, out);
        assign.writes.push_back(std::move(write));
        if (assign.lanes) { expressions_.release_lane(); }
        out.push_back({std::move(assign)});
    }

    void provide(const Provide& p, sched::Block& out) {
        sched::Assign assign;
        int lanes = 1;
        for (const Expr& argument : p.args) { lanes = std::max(lanes, argument.type().lanes()); }
        for (const Expr& value : p.values) { lanes = std::max(lanes, value.type().lanes()); }
        Lane lane;
        if (lanes > 1) {
            assign.lanes = expressions_.take_lanes(lanes);
            lane = variable(assign.lanes->variable);
        }
        const auto at = [&](const Expr& e) { return e.type().is_vector() ? lane : Lane{}; };
        sched::Expr condition = as_guard(expressions_.translate(p.predicate, at(p.predicate)));
        if (!is_truth(condition, true)) { assign.condition = std::move(condition); }
        for (std::size_t k = 0; k < p.values.size(); ++k) {
            sched::Write write;
            write.array = expressions_.array_of(p.name, static_cast<int>(k));
            for (const Expr& argument : p.args) {
                write.indices.push_back(expressions_.predicated_index(argument, p.predicate, at(argument)));
            }
            const std::string name = p.values.size() > 1 ? p.name + "." + std::to_string(k) : p.name;
            write.prophecy = expressions_.prophecy(p.values[k], name, at(p.values[k]));
            Term value = as_value(expressions_.translate(p.values[k], at(p.values[k])));
            write.value = stored(std::move(value), p.values[k], p.predicate, name, assign.lanes, out);
            assign.writes.push_back(std::move(write));
        }
        if (assign.lanes) { expressions_.release_lane(); }
        out.push_back({std::move(assign)});
    }

    // Without a Free inside, memory ends with the statement.
    template <typename Body>
    void scoped_arrays(const std::string& name, const std::vector<std::string>& arrays, sched::Block& out, Body body) {
        freed_.erase(name);
        body();
        if (freed_.erase(name) == 0) {
            for (const std::string& array : arrays) { out.push_back({sched::Free{array}}); }
        }
    }

    void allocate(const Allocate& a, sched::Block& out) {
        if (a.type.is_handle() || a.name.ends_with(".mutex")) {
            skipped_.insert(a.name);
            return emit(a.body, out);
        }
        const auto type = scalar_type(a.type);
        if (!type || a.new_expr.defined()) { throw NotTranslated("Allocate of something unusual", a.name); }
        sched::Allocate result;
        result.array = declare(expressions_.readable(a.name));
        result.type = interface_.bool_arrays.contains(expressions_.readable(a.name)) ? value::Type::boolean : *type;
        if (result.type == value::Type::boolean) { expressions_.bool_arrays().insert(result.array); }
        // The product of the extents, unevaluated as in 388*8 and 1*(2*n)*m, so that it shows where each extent ends.
        // Unless the first extent is a number, it is multiplied by 1, since it may be a product itself.
        sched::Expr size{sched::Integer{1}};
        for (const Expr& e : a.extents) {
            sched::Expr extent = expressions_.index(e);
            const bool is_first_number =
                &e == &a.extents.front() && std::holds_alternative<sched::Integer>(extent.node);
            size = is_first_number
                       ? std::move(extent)
                       : sched::Expr{sched::IndexBinary{sched::IndexOp::mul, std::move(size), std::move(extent)}};
        }
        result.dimensions.push_back({std::move(size), sched::Expr{sched::Integer{0}}, std::nullopt});
        sched::Expr condition = as_guard(expressions_.translate(a.condition, {}));
        if (!is_truth(condition, true)) { result.condition = std::move(condition); }
        const std::string array = result.array;
        out.push_back({std::move(result)});
        with_array(a.name, array, [&] { scoped_arrays(a.name, {array}, out, [&] { emit(a.body, out); }); });
    }

    void realize(const Realize& r, sched::Block& out) {
        sched::Expr condition = as_guard(expressions_.translate(r.condition, {}));
        std::vector<sched::Dimension> dimensions;
        for (const Halide::Range& range : r.bounds) {
            dimensions.push_back({expressions_.index(range.extent), expressions_.index(range.min), std::nullopt});
        }
        const bool is_tuple = r.types.size() > 1;
        const bool was_tuple = expressions_.tuples().contains(r.name);
        if (is_tuple) { expressions_.tuples().insert(r.name); }
        std::vector<std::pair<std::string, std::string>> renamed;
        for (std::size_t k = 0; k < r.types.size(); ++k) {
            const auto type = scalar_type(r.types[k]);
            if (!type) { throw NotTranslated("Realize of a type that is no SCHED type"); }
            const std::string name = is_tuple ? r.name + "." + std::to_string(k) : r.name;
            sched::Allocate result{declare(expressions_.readable(name)), *type, dimensions, std::nullopt};
            if (!is_truth(condition, true)) { result.condition = condition; }
            renamed.emplace_back(name, result.array);
            out.push_back({std::move(result)});
        }
        realize_components(r, renamed, 0, out);
        if (is_tuple && !was_tuple) { expressions_.tuples().erase(r.name); }
    }

    void realize_components(const Realize& r, const std::vector<std::pair<std::string, std::string>>& renamed,
                            std::size_t k, sched::Block& out) {
        if (k < renamed.size()) {
            return with_array(renamed[k].first, renamed[k].second, [&] { realize_components(r, renamed, k + 1, out); });
        }
        std::vector<std::string> arrays;
        for (const auto& [name, array] : renamed) { arrays.push_back(array); }
        scoped_arrays(r.name, arrays, out, [&] { emit(r.body, out); });
    }

    void if_then_else(const IfThenElse& i, sched::Block& out) {
        sched::Expr condition = as_guard(expressions_.translate(i.condition, {}));
        if (is_truth(condition, true)) { return emit(i.then_case, out); }
        if (is_truth(condition, false)) {
            if (i.else_case.defined()) { emit(i.else_case, out); }
            return;
        }
        sched::Block then = block(i.then_case);
        out.push_back({sched::If{std::move(condition), std::move(then), block(i.else_case)}});
    }

    // Drops only calls without an effect.
    void evaluate(const Evaluate& e, sched::Block& out) {
        if (const auto* c = e.value.as<Call>()) {
            if (c->name == "halide_semaphore_init") {
                const auto* v = c->args[0].as<Variable>();
                if (v == nullptr) { throw NotTranslated("call", c->name); }
                return declare_semaphore(v->name, c->args[1], out);
            }
            if (c->name == "halide_semaphore_release") {
                out.push_back({sched::Release{semaphore(c->args[0]), expressions_.index(c->args[1])}});
                return;
            }
            // Locks: atomic blocks express them.
            if (c->name == "halide_mutex_array_lock" || c->name == "halide_mutex_array_unlock") { return; }
            // Markers where later passes will put checks of the buffers, skipped stages and sliding windows.
            if (c->name == "add_image_checks_marker" || c->name == "skip_stages_marker" ||
                c->name == "sliding_window_marker") {
                return;
            }
            if (c->is_pure()) { return; }
            throw NotTranslated("call", c->name);
        }
        if (!is_const(e.value) && !is_pure(e.value)) { throw NotTranslated("Evaluate"); }
    }

    const Interface& interface_;
    Dialect dialect_;
    ExpressionTranslator expressions_;
    std::vector<std::string> names_;  // declared in the open blocks, innermost last
    std::set<std::string> taken_;     // these, and the names of loops and of the program
    std::set<std::string> skipped_;   // allocations that are not translated
    std::set<std::string> freed_;
    std::set<std::string> hoisted_;                  // whose allocation is around the statement
    std::map<std::string, std::string> semaphores_;  // in scope, by Halide's names
};

}  // namespace

std::expected<sched::Program, Untranslated> translate(const Stmt& statement, const Interface& interface,
                                                      Dialect dialect) {
    try {
        return StatementTranslator(interface, dialect).program(statement);
    } catch (const NotTranslated& e) { return std::unexpected(e.feature()); }
}

}  // namespace haruspex::halide
