#include <algorithm>

#include "generators/schedule/halide/language.h"
#include "harness/compiler/compiler.h"
#include "harness/halide/translator.h"

namespace haruspex::halide {
namespace {

using namespace Halide::Internal;
using Halide::Expr;
using sched::IndexOp;
using sched::Relation;
using value::BinaryOp;

bool is_handle(const Expr& e) { return e.type().is_handle(); }

class ReadsBeyond : public IRGraphVisitor {
public:
    explicit ReadsBeyond(const Expr& predicate) : predicate_(predicate) {}

    bool in(const Expr& value) {
        value.accept(this);
        return found_;
    }

private:
    using IRGraphVisitor::visit;

    bool implies(const Expr& condition) const {
        if (equal(condition, predicate_)) { return true; }
        const auto* both = condition.as<And>();
        return both != nullptr && (implies(both->a) || implies(both->b));
    }

    void visit(const Load* load) override {
        found_ = found_ || !implies(load->predicate);
        IRGraphVisitor::visit(load);
    }
    void visit(const Call* call) override {
        found_ = found_ || call->call_type == Call::Halide || call->call_type == Call::Image;
        IRGraphVisitor::visit(call);
    }

    const Expr& predicate_;
    bool found_ = false;
};

}  // namespace

std::optional<value::Type> scalar_type(Halide::Type type) {
    if (type.is_float() && !type.is_bfloat()) {
        if (type.bits() == 32) { return value::Type::f32; }
        if (type.bits() == 64) { return value::Type::f64; }
        return std::nullopt;
    }
    if (type.is_uint() && type.bits() == 1) { return value::Type::boolean; }
    if (!type.is_int() && !type.is_uint()) { return std::nullopt; }
    for (const value::Type candidate : schedule::halide::language().types()) {
        const bool same_sign =
            type.is_int() ? value::is_signed_integer(candidate) : value::is_unsigned_integer(candidate);
        if (same_sign && value::bits(candidate) == type.bits()) { return candidate; }
    }
    return std::nullopt;
}

bool reads_beyond(const Expr& value, const Expr& predicate) {
    return !is_const_one(predicate) && ReadsBeyond(predicate).in(value);
}

ExpressionTranslator::ExpressionTranslator(const Interface& interface)
    : interface_(interface), bool_arrays_(interface.bool_arrays) {
    for (const std::string& p : interface.parameters) {
        scope_[p] = {Binding::Kind::variable, p, {sched::Kind::index}, false, {}};
    }
    const bool is_function = std::ranges::any_of(interface.functions, [&](const auto& f) { return f.second == lane_; });
    const bool is_buffer = std::ranges::any_of(interface.buffers, [&](const auto& b) { return b.tensor == lane_; });
    // Names in a specification have no dots.
    if (is_function || is_buffer || scope_.contains(lane_)) { lane_ = "vector.lane"; }
    for (const BufferArgument& b : interface.buffers) {
        for (int d = 0; d < b.rank; ++d) {
            for (const char* field : {".min.", ".extent.", ".stride."}) {
                const std::string part = field + std::to_string(d);
                scope_[b.compiler_name + part] = {
                    Binding::Kind::variable, b.name + part, {sched::Kind::index}, false, {}};
            }
        }
        arrays_[b.compiler_name] = b.name;
        if (b.components > 1) { tuples_.insert(b.compiler_name.substr(0, b.compiler_name.rfind('.'))); }
    }
}

sched::Lanes ExpressionTranslator::take_lanes(int count) {
    const std::size_t taken = lanes_taken_.size();
    return lanes_taken_.emplace_back(taken == 0 ? lane_ : lane_ + "." + std::to_string(taken), count);
}

std::string ExpressionTranslator::readable(const std::string& name) const {
    for (const auto& [function, tensor] : interface_.functions) {
        if (name == function) { return tensor; }
        if (name.starts_with(function + ".")) { return tensor + name.substr(function.size()); }
    }
    return name;
}

std::string ExpressionTranslator::array_of(const std::string& function, int component) const {
    const std::string name = tuples_.contains(function) ? function + "." + std::to_string(component) : function;
    const auto renamed = arrays_.find(name);
    return renamed == arrays_.end() ? name : renamed->second;
}

template <typename Node>
std::pair<Term, Term> ExpressionTranslator::operands(const Node& node, const Lane& lane) {
    Term a = translate(node.a, lane);
    return {std::move(a), translate(node.b, lane)};
}

// Host pointers are never null, and handles are not compared for anything else.
std::optional<bool> ExpressionTranslator::handle_comparison(const Expr& a, const Expr& b) {
    const auto mentions = [](const Expr& e) {
        const Expr* inner = reinterpreted(e);
        return is_handle(e) || (inner != nullptr && is_handle(*inner));
    };
    if (!mentions(a) && !mentions(b)) { return std::nullopt; }
    return false;
}

// Between integers of the same width: the wrap-around of a cast.
Term ExpressionTranslator::reinterpret(const Expr& value, Halide::Type to, const Lane& lane) {
    const auto is_integer = [](Halide::Type type) { return type.is_int_or_uint() && type.bits() > 1; };
    const auto type = scalar_type(to.element_of());
    const Halide::Type from = value.type();
    if (!type || !is_integer(from) || !is_integer(to) || from.bits() != to.bits() || from.lanes() != to.lanes()) {
        throw NotTranslated("reinterpret of other types than integers that are as wide");
    }
    return cast(*type, translate(value, lane));
}

Term ExpressionTranslator::translate(const Expr& e, const Lane& lane) {
    if (const Expr* value = reinterpreted(e)) { return reinterpret(*value, e.type(), lane); }
    switch (e.node_type()) {
        case IRNodeType::IntImm: {
            const std::int64_t n = e.as<IntImm>()->value;
            if (e.type().bits() == 32) { return integer(n); }
            const auto type = scalar_type(e.type());
            if (!type) { throw NotTranslated("a literal of a type that is no SCHED type"); }
            return literal_term(value::Value::integer(*type, n));
        }
        case IRNodeType::UIntImm: {
            const std::uint64_t n = e.as<UIntImm>()->value;
            if (e.type().bits() == 1) { return truth(n != 0); }
            const auto type = scalar_type(e.type());
            if (!type) { throw NotTranslated("a literal of a type that is no SCHED type"); }
            return literal_term(value::Value::from_bits(*type, n));
        }
        case IRNodeType::FloatImm: {
            const double x = e.as<FloatImm>()->value;
            if (e.type().bits() == 32) { return literal_term(value::Value::f32(static_cast<float>(x))); }
            if (e.type().bits() == 64) { return literal_term(value::Value::f64(x)); }
            throw NotTranslated("half floats");
        }
        case IRNodeType::StringImm: throw NotTranslated("StringImm");
        case IRNodeType::Broadcast: {
            const auto* b = e.as<Broadcast>();
            const int inner = b->value.type().lanes();
            return translate(b->value, inner == 1 ? Lane{} : Lane{lane_remainder(*lane, inner)});
        }
        case IRNodeType::Cast: {
            const auto* c = e.as<Cast>();
            const auto type = scalar_type(e.type().element_of());
            if (!type || is_handle(c->value)) { throw NotTranslated("Cast to or from a type that is no SCHED type"); }
            if (auto term = signed_widen_right(*c, lane)) { return std::move(*term); }
            return cast(*type, translate(c->value, lane));
        }
        case IRNodeType::Variable: return variable(*e.as<Variable>(), lane);
        case IRNodeType::Add: {
            auto [a, b] = operands(*e.as<Add>(), lane);
            return arithmetic(IndexOp::add, BinaryOp::add, std::move(a), std::move(b));
        }
        case IRNodeType::Sub: {
            auto [a, b] = operands(*e.as<Sub>(), lane);
            return arithmetic(IndexOp::sub, BinaryOp::sub, std::move(a), std::move(b));
        }
        case IRNodeType::Mul: {
            auto [a, b] = operands(*e.as<Mul>(), lane);
            return arithmetic(IndexOp::mul, BinaryOp::mul, std::move(a), std::move(b));
        }
        case IRNodeType::Div: {
            auto [a, b] = operands(*e.as<Div>(), lane);
            return arithmetic(IndexOp::div, BinaryOp::div, std::move(a), std::move(b));
        }
        case IRNodeType::Mod: {
            auto [a, b] = operands(*e.as<Mod>(), lane);
            return arithmetic(IndexOp::mod, BinaryOp::mod, std::move(a), std::move(b));
        }
        case IRNodeType::Min: {
            auto [a, b] = operands(*e.as<Min>(), lane);
            return arithmetic(IndexOp::min, BinaryOp::min, std::move(a), std::move(b));
        }
        case IRNodeType::Max: {
            auto [a, b] = operands(*e.as<Max>(), lane);
            return arithmetic(IndexOp::max, BinaryOp::max, std::move(a), std::move(b));
        }
        case IRNodeType::EQ: {
            const auto* n = e.as<EQ>();
            if (const auto same = handle_comparison(n->a, n->b)) { return truth(*same); }
            auto [a, b] = operands(*n, lane);
            return compare(Relation::eq, BinaryOp::eq, std::move(a), std::move(b));
        }
        case IRNodeType::NE: {
            const auto* n = e.as<NE>();
            if (const auto same = handle_comparison(n->a, n->b)) { return truth(!*same); }
            auto [a, b] = operands(*n, lane);
            return compare(Relation::ne, BinaryOp::ne, std::move(a), std::move(b));
        }
        case IRNodeType::LT: {
            auto [a, b] = operands(*e.as<LT>(), lane);
            return compare(Relation::lt, BinaryOp::lt, std::move(a), std::move(b));
        }
        case IRNodeType::LE: {
            auto [a, b] = operands(*e.as<LE>(), lane);
            return compare(Relation::le, BinaryOp::le, std::move(a), std::move(b));
        }
        case IRNodeType::GT: {
            auto [a, b] = operands(*e.as<GT>(), lane);
            return compare(Relation::gt, BinaryOp::gt, std::move(a), std::move(b));
        }
        case IRNodeType::GE: {
            auto [a, b] = operands(*e.as<GE>(), lane);
            return compare(Relation::ge, BinaryOp::ge, std::move(a), std::move(b));
        }
        case IRNodeType::And: {
            auto [a, b] = operands(*e.as<And>(), lane);
            return conjunction(std::move(a), std::move(b));
        }
        case IRNodeType::Or: {
            auto [a, b] = operands(*e.as<Or>(), lane);
            return disjunction(std::move(a), std::move(b));
        }
        case IRNodeType::Not: return negation(translate(e.as<Not>()->a, lane));
        case IRNodeType::Select: {
            const auto* s = e.as<Select>();
            Term condition = translate(s->condition, s->condition.type().is_scalar() ? Lane{} : lane);
            Term if_true = translate(s->true_value, lane);
            return select(std::move(condition), std::move(if_true), translate(s->false_value, lane));
        }
        case IRNodeType::Load: return load(*e.as<Load>(), lane);
        case IRNodeType::Ramp: return ramp(*e.as<Ramp>(), lane);
        case IRNodeType::Call: return call(*e.as<Call>(), lane);
        case IRNodeType::Let: return let(*e.as<Let>(), lane);
        case IRNodeType::Shuffle: return shuffle(*e.as<Shuffle>(), lane);
        case IRNodeType::VectorReduce: return vector_reduce(*e.as<VectorReduce>(), lane);
        default: break;
    }
    throw NotTranslated("an expression node");
}

Term ExpressionTranslator::variable(const Variable& v, const Lane& lane) {
    const auto found = scope_.find(v.name);
    if (found == scope_.end()) {
        // Before buffers are unpacked, their fields are free variables.
        const std::size_t dot = v.name.rfind('.');
        if (dot != std::string::npos) {
            if (auto known = known_field(v.name.substr(0, dot), v.name.substr(dot + 1))) { return *known; }
        }
        throw NotTranslated(compiler::FreeVariable{v.name});
    }
    const Binding binding = found->second;
    switch (binding.kind) {
        case Binding::Kind::variable: return {sched::Expr{sched::Variable{binding.name}}, binding.type};
        case Binding::Kind::value: {
            std::optional<Box<sched::Expr>> at;
            if (binding.has_lanes) { at = Box<sched::Expr>(*lane); }
            return {sched::Expr{sched::ValueVariable{binding.name, std::move(at)}}, binding.type};
        }
        case Binding::Kind::inlined: return translate(binding.definition, lane);
        case Binding::Kind::opaque: break;
    }
    throw NotTranslated("handle", v.name);
}

Term ExpressionTranslator::load(const Load& l, const Lane& lane) {
    const auto type = scalar_type(l.type.element_of());
    if (!type) { throw NotTranslated("Load of a type that is no SCHED type"); }
    sched::Load result{array_of(l.name, 0), {predicated_index(l.index, l.predicate, lane)}, std::nullopt};
    Term reached = translate(l.predicate, lane);
    if (reached_) { reached = conjunction(*reached_, std::move(reached)); }
    sched::Expr guard = as_guard(std::move(reached));
    if (!is_truth(guard, true)) { result.guard = Box<sched::Expr>(std::move(guard)); }
    if (is_bool_array(result.array)) {
        return cast(*type, value_term(sched::Expr{std::move(result)}, value::Type::boolean));
    }
    return value_term(sched::Expr{std::move(result)}, *type);
}

sched::Expr ExpressionTranslator::predicated_index(const Expr& e, const Expr& predicate, const Lane& lane) {
    if (reads_beyond(e, predicate)) { throw NotTranslated("an index that is read where a predicate does not hold"); }
    return index(e, lane);
}

TranslatedLet ExpressionTranslator::translate_let(const std::string& name, const Expr& value) {
    if (is_handle(value)) { return {{Binding::Kind::opaque, name, {}, false, value}, {}, {}}; }
    std::optional<sched::Lanes> lanes;
    Lane lane;
    if (value.type().is_vector()) {
        lanes = take_lanes(value.type().lanes());
        lane = sched::Expr{sched::Variable{lanes->variable}};
    }
    Term term = translate(value, lane);
    if (lanes) { release_lane(); }
    const Binding::Kind kind = term.is_value()     ? Binding::Kind::value
                               : lanes.has_value() ? Binding::Kind::inlined
                                                   : Binding::Kind::variable;
    return {{kind, name, term.type, lanes.has_value(), value}, lanes, std::move(term.expr)};
}

Term ExpressionTranslator::let(const Let& l, const Lane& lane) {
    TranslatedLet let = translate_let(l.name, l.value);
    const sched::ExprType type = let.binding.type;
    const Binding::Kind kind = let.binding.kind;
    const auto outer = scope_.find(l.name) == scope_.end() ? std::nullopt : std::optional(scope_[l.name]);
    scope_[l.name] = std::move(let.binding);
    Term body = translate(l.body, lane);
    if (outer) {
        scope_[l.name] = *outer;
    } else {
        scope_.erase(l.name);
    }
    if (kind == Binding::Kind::variable) {
        return {sched::Expr{sched::LetIn{l.name, std::move(let.value), std::move(body.expr)}}, body.type};
    }
    if (kind == Binding::Kind::value) {
        return {
            sched::Expr{sched::LetValueIn{l.name, let.lanes, type.type, std::move(let.value), std::move(body.expr)}},
            body.type};
    }
    return body;
}

}  // namespace haruspex::halide
