#include <algorithm>

#include "harness/halide/prophecy.h"
#include "harness/halide/translator.h"

namespace haruspex::halide {
namespace {

using namespace Halide::Internal;
using Halide::Expr;
using sched::IndexOp;
using sched::Relation;
using value::BinaryOp;

bool is_handle(const Expr& e) { return e.type().is_handle(); }

}  // namespace

std::optional<value::Type> scalar_type(Halide::Type type) {
    if (type.is_float() && !type.is_bfloat()) {
        if (type.bits() == 32) { return value::Type::f32; }
        if (type.bits() == 64) { return value::Type::f64; }
        return std::nullopt;
    }
    if (type.is_uint() && type.bits() == 1) { return value::Type::boolean; }
    if (!type.is_int() && !type.is_uint()) { return std::nullopt; }
    for (const value::Type candidate : value::all_types) {
        const bool same_sign =
            type.is_int() ? value::is_signed_integer(candidate) : value::is_unsigned_integer(candidate);
        if (same_sign && value::bits(candidate) == type.bits()) { return candidate; }
    }
    return std::nullopt;
}

sched::Expr lane_quotient(const sched::Expr& lane, int divisor) {
    if (divisor == 1) { return lane; }
    return as_index(arithmetic(IndexOp::div, BinaryOp::div, index_term(lane), integer(divisor)));
}

sched::Expr lane_remainder(const sched::Expr& lane, int divisor) {
    if (divisor == 1) { return sched::Expr{sched::Integer{0}}; }
    return as_index(arithmetic(IndexOp::mod, BinaryOp::mod, index_term(lane), integer(divisor)));
}

ExpressionTranslator::ExpressionTranslator(const Interface& interface)
    : interface_(interface), bool_arrays_(interface.bool_arrays) {
    for (const std::string& p : interface.parameters) {
        scope_[p] = {Binding::Kind::variable, p, {sched::Kind::index}, false, {}};
    }
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

std::string ExpressionTranslator::take_lane() {
    const int taken = lanes_taken_++;
    return taken == 0 ? "lane" : "lane." + std::to_string(taken);
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

// Host pointers are never null, and that is all that is asked of a handle.
std::optional<bool> ExpressionTranslator::handle_comparison(const Expr& a, const Expr& b) {
    const auto mentions = [](const Expr& e) {
        const auto* c = e.as<Call>();
        return is_handle(e) || (c != nullptr && c->name == "reinterpret" && is_handle(c->args[0]));
    };
    if (!mentions(a) && !mentions(b)) { return std::nullopt; }
    return false;
}

Term ExpressionTranslator::translate(const Expr& e, const Lane& lane) {
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
    // Reinterpret is a node of its own since version 15.
    throw NotTranslated("an expression node");
}

Term ExpressionTranslator::variable(const Variable& v, const Lane& lane) {
    const auto found = scope_.find(v.name);
    if (found == scope_.end()) {
        // Before the buffers are unpacked their fields are free variables.
        const std::size_t dot = v.name.rfind('.');
        if (dot != std::string::npos) {
            if (auto known = known_field(v.name.substr(0, dot), v.name.substr(dot + 1))) { return *known; }
        }
        throw NotTranslated("the free variable " + v.name);
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
    throw NotTranslated("the handle " + v.name);
}

Term ExpressionTranslator::ramp(const Ramp& r, const Lane& lane) {
    const int inner = r.base.type().lanes();
    const Lane within = inner == 1 ? Lane{} : Lane{lane_remainder(*lane, inner)};
    Term base = translate(r.base, within);
    Term stride = translate(r.stride, within);
    Term step = index_term(lane_quotient(*lane, inner));
    // The lane takes part in arithmetic of the ramp's own type.
    if (!base.is_index() || !stride.is_index()) { step = cast(as_value(base).type.type, std::move(step)); }
    Term offset = arithmetic(IndexOp::mul, BinaryOp::mul, std::move(step), std::move(stride));
    return arithmetic(IndexOp::add, BinaryOp::add, std::move(base), std::move(offset));
}

Term ExpressionTranslator::load(const Load& l, const Lane& lane) {
    const auto type = scalar_type(l.type.element_of());
    if (!type) { throw NotTranslated("Load of a type that is no SCHED type"); }
    sched::Load result{array_of(l.name, 0), {index(l.index, lane)}, std::nullopt};
    Term reached = translate(l.predicate, lane);
    if (reached_) { reached = conjunction(*reached_, std::move(reached)); }
    sched::Expr guard = as_guard(std::move(reached));
    if (!is_truth(guard, true)) { result.guard = Box<sched::Expr>(std::move(guard)); }
    if (is_bool_array(result.array)) {
        return cast(*type, value_term(sched::Expr{std::move(result)}, value::Type::boolean));
    }
    return value_term(sched::Expr{std::move(result)}, *type);
}

Binding ExpressionTranslator::let_binding(const std::string& name, const Expr& value) {
    if (is_handle(value)) { return {Binding::Kind::opaque, name, {}, false, value}; }
    const bool has_lanes = value.type().is_vector();
    std::optional<Term> term;
    if (has_lanes) {
        const std::string lane = take_lane();
        term = translate(value, Lane{sched::Expr{sched::Variable{lane}}});
        release_lane();
    } else {
        term = translate(value, {});
    }
    if (term->is_value()) { return {Binding::Kind::value, name, term->type, has_lanes, value}; }
    if (has_lanes) { return {Binding::Kind::inlined, name, term->type, true, value}; }
    return {Binding::Kind::variable, name, term->type, false, value};
}

Term ExpressionTranslator::let(const Let& l, const Lane& lane) {
    Binding binding = let_binding(l.name, l.value);
    std::optional<sched::Expr> value;
    std::optional<sched::Lanes> lanes;
    if (binding.kind == Binding::Kind::variable) { value = translate(l.value, {}).expr; }
    if (binding.kind == Binding::Kind::value) {
        Lane at;
        if (binding.has_lanes) {
            lanes = sched::Lanes{take_lane(), l.value.type().lanes()};
            at = sched::Expr{sched::Variable{lanes->variable}};
        }
        value = translate(l.value, at).expr;
        if (lanes) { release_lane(); }
    }
    const auto outer = scope_.find(l.name) == scope_.end() ? std::nullopt : std::optional(scope_[l.name]);
    const sched::ExprType type = binding.type;
    const Binding::Kind kind = binding.kind;
    scope_[l.name] = std::move(binding);
    Term body = translate(l.body, lane);
    if (outer) {
        scope_[l.name] = *outer;
    } else {
        scope_.erase(l.name);
    }
    if (kind == Binding::Kind::variable) {
        return {sched::Expr{sched::LetIn{l.name, std::move(*value), std::move(body.expr)}}, body.type};
    }
    if (kind == Binding::Kind::value) {
        return {sched::Expr{sched::LetValueIn{l.name, lanes, type.type, std::move(*value), std::move(body.expr)}},
                body.type};
    }
    return body;
}

// A shuffle takes lanes by constant numbers from its vectors laid end to end.
Term ExpressionTranslator::shuffle(const Shuffle& s, const Lane& lane) {
    const auto element = [&](int number) {
        for (const Expr& vector : s.vectors) {
            const int lanes = vector.type().lanes();
            if (number < lanes) {
                return translate(vector, lanes == 1 ? Lane{} : Lane{sched::Expr{sched::Integer{number}}});
            }
            number -= lanes;
        }
        throw NotTranslated("Shuffle beyond its vectors");
    };
    if (s.indices.size() == 1) { return element(s.indices[0]); }
    const sched::Expr& at = *lane;
    if (const auto* constant = std::get_if<sched::Integer>(&at.node)) {
        return element(s.indices.at(static_cast<std::size_t>(constant->value)));
    }
    if (s.vectors.size() == 1) {
        // One vector in regular steps.
        const int first = s.indices[0];
        const int step = s.indices[1] - s.indices[0];
        bool regular = true;
        for (std::size_t i = 1; i < s.indices.size(); ++i) {
            regular = regular && s.indices[i] - s.indices[i - 1] == step;
        }
        if (regular && s.vectors[0].type().is_vector()) {
            const Term scaled = arithmetic(IndexOp::mul, BinaryOp::mul, index_term(at), integer(step));
            return translate(s.vectors[0], as_index(arithmetic(IndexOp::add, BinaryOp::add, scaled, integer(first))));
        }
    }
    const int count = static_cast<int>(s.vectors.size());
    if (s.is_interleave()) {
        Term result = translate(s.vectors.back(), lane_quotient(at, count));
        for (int v = count - 1; v-- > 0;) {
            Term is_this = compare(Relation::eq, BinaryOp::eq, index_term(lane_remainder(at, count)), integer(v));
            result =
                select(std::move(is_this), translate(s.vectors[static_cast<std::size_t>(v)], lane_quotient(at, count)),
                       std::move(result));
        }
        return result;
    }
    // Each lane by itself.
    const std::size_t size = s.indices.size();
    Term result = element(s.indices[size - 1]);
    for (std::size_t i = size - 1; i-- > 0;) {
        Term is_this = compare(Relation::eq, BinaryOp::eq, index_term(at), integer(static_cast<std::int64_t>(i)));
        result = select(std::move(is_this), element(s.indices[i]), std::move(result));
    }
    return result;
}

Term ExpressionTranslator::vector_reduce(const VectorReduce& r, const Lane& lane) {
    const auto op = [&] {
        switch (r.op) {
            case VectorReduce::Add: return value::ReductionOp::sum;
            case VectorReduce::Mul: return value::ReductionOp::prod;
            case VectorReduce::Min: return value::ReductionOp::min;
            case VectorReduce::Max: return value::ReductionOp::max;
            case VectorReduce::And: return value::ReductionOp::logical_and;
            case VectorReduce::Or: return value::ReductionOp::logical_or;
            default: throw NotTranslated("VectorReduce with saturation");
        }
    }();
    const int factor = r.value.type().lanes() / r.type.lanes();
    const sched::Lanes lanes{take_lane(), factor};
    Term at = index_term(sched::Expr{sched::Variable{lanes.variable}});
    if (r.type.is_vector()) {
        at = arithmetic(IndexOp::add, BinaryOp::add,
                        arithmetic(IndexOp::mul, BinaryOp::mul, index_term(*lane), integer(factor)), std::move(at));
    }
    Term body = as_value(translate(r.value, at.expr));
    release_lane();
    const value::Type type = body.type.type;
    return value_term(sched::Expr{sched::LaneReduce{op, lanes, std::move(body.expr)}}, type);
}

Term ExpressionTranslator::access(const Call& c, const Lane& lane) {
    const auto type = scalar_type(c.type.element_of());
    if (!type) { throw NotTranslated("a read of a type that is no SCHED type"); }
    sched::Load result{array_of(c.name, c.value_index), {}, std::nullopt};
    for (const Expr& argument : c.args) {
        result.indices.push_back(index(argument, argument.type().is_scalar() ? Lane{} : lane));
    }
    if (reached_) { result.guard = Box<sched::Expr>(as_guard(*reached_)); }
    return value_term(sched::Expr{std::move(result)}, *type);
}

std::optional<Term> ExpressionTranslator::known_field(const std::string& buffer_name, const std::string& field) const {
    const auto buffer = std::ranges::find(interface_.buffers, buffer_name, &BufferArgument::compiler_name);
    if (buffer == interface_.buffers.end()) { return std::nullopt; }
    if (field == "is_bounds_query" || field == "device_dirty" || field == "host_dirty") { return truth(false); }
    if (field == "dimensions") { return integer(buffer->rank); }
    if (field != "type") { return std::nullopt; }
    // halide_type_t: code, bits and lanes.
    const value::Type type = buffer->type;
    const std::uint64_t code = value::is_float(type) ? 2 : value::is_signed_integer(type) ? 0 : 1;
    const std::uint64_t bits = code | static_cast<std::uint64_t>(value::bits(type)) << 8 | std::uint64_t{1} << 16;
    return literal_term(value::Value::from_bits(value::Type::u32, bits));
}

// A field of a halide_buffer_t, asked of the run-time.
std::optional<Term> ExpressionTranslator::buffer_field(const Call& c) {
    const std::string start = "_halide_buffer_";
    if (!c.name.starts_with(start) || c.args.empty()) { return std::nullopt; }
    const auto* handle = c.args[0].as<Variable>();
    if (handle == nullptr || !handle->name.ends_with(".buffer")) { return std::nullopt; }
    const std::string name = handle->name.substr(0, handle->name.size() - 7);
    std::string field = c.name.substr(start.size());
    if (field.starts_with("get_")) { field = field.substr(4); }
    if (auto known = known_field(name, field)) { return known; }
    const auto* d = c.args.size() == 2 ? c.args[1].as<IntImm>() : nullptr;
    if (d == nullptr) { return std::nullopt; }
    const auto parameter = [&](const std::string& of) {
        return translate(Variable::make(Halide::Int(32), name + "." + of + "." + std::to_string(d->value)), {});
    };
    if (field == "max") {
        const Term end = arithmetic(IndexOp::add, BinaryOp::add, parameter("min"), parameter("extent"));
        return arithmetic(IndexOp::sub, BinaryOp::sub, end, integer(1));
    }
    if (field == "min" || field == "extent" || field == "stride") { return parameter(field); }
    return std::nullopt;
}

Term ExpressionTranslator::call(const Call& c, const Lane& lane) {
    if (c.call_type == Call::Halide || c.call_type == Call::Image) { return access(c, lane); }
    if (prophecy_of(c)) { return translate(c.args[0], lane); }
    if (auto field = buffer_field(c)) { return *field; }
    if (c.call_type == Call::PureExtern) {
        const auto type = scalar_type(c.type.element_of());
        const auto is = [&](const char* name) { return c.name.starts_with(name) && c.args.empty() && type; };
        const double infinity = std::numeric_limits<double>::infinity();
        const auto number = [&](double x) {
            return literal_term(*type == value::Type::f32 ? value::Value::f32(static_cast<float>(x))
                                                          : value::Value::f64(x));
        };
        if (is("nan_f")) { return number(std::numeric_limits<double>::quiet_NaN()); }
        if (is("inf_f")) { return number(infinity); }
        if (is("neg_inf_f")) { return number(-infinity); }
        throw NotTranslated("the call " + c.name);
    }
    if (c.is_intrinsic()) { return intrinsic(c, lane); }
    throw NotTranslated("the call " + c.name);
}

Term ExpressionTranslator::only_if(const Term& condition, const Expr& e, const Lane& lane) {
    const std::optional<Term> outer = reached_;
    reached_ = outer ? conjunction(*outer, condition) : condition;
    Term result = translate(e, lane);
    reached_ = outer;
    return result;
}

// The arms are lazy: what is not chosen reads nothing. Without a second arm the value is arbitrary otherwise, as that
// of a read whose guard does not hold.
Term ExpressionTranslator::if_then_else(const Call& c, const Lane& lane) {
    const auto at = [&](const Expr& e) { return e.type().is_scalar() ? Lane{} : lane; };
    const Term condition = translate(c.args[0], at(c.args[0]));
    Term if_true = only_if(condition, c.args[1], at(c.args[1]));
    if (c.args.size() < 3) { return if_true; }
    return select(condition, std::move(if_true), only_if(negation(condition), c.args[2], at(c.args[2])));
}

Term ExpressionTranslator::intrinsic(const Call& c, const Lane& lane) {
    if (c.name == "if_then_else") { return if_then_else(c, lane); }
    if (c.name == "mux") {
        Term at = translate(c.args[0], lane);
        Term result = translate(c.args.back(), lane);
        for (std::size_t i = c.args.size() - 1; i-- > 1;) {
            Term is_this = compare(Relation::eq, BinaryOp::eq, at, integer(static_cast<std::int64_t>(i) - 1));
            result = select(std::move(is_this), translate(c.args[i], lane), std::move(result));
        }
        return result;
    }
    std::vector<Term> arguments;
    for (const Expr& argument : c.args) {
        if (is_handle(argument)) { throw NotTranslated("the intrinsic " + c.name); }
        arguments.push_back(translate(argument, argument.type().is_scalar() ? Lane{} : lane));
    }
    if (auto term = intrinsic_term(c.name, c.type, arguments)) { return std::move(*term); }
    throw NotTranslated("the intrinsic " + c.name);
}

// Prophecies in an expression, and in the definitions of the lets it mentions. The lets inside an expression around a
// prophecy are put around its indices.
void ExpressionTranslator::find_prophecies(const Expr& value, std::vector<FoundProphecy>& found) {
    class Finder : public IRGraphVisitor {
    public:
        Finder(const Bindings& scope, std::vector<FoundProphecy>& found) : scope_(scope), found_(found) {}

    private:
        using IRGraphVisitor::visit;
        void visit(const Call* c) override {
            if (prophecy_of(*c)) {
                FoundProphecy prophecy{c, {}};
                for (std::size_t i = 1; i < c->args.size(); ++i) {
                    Expr index = c->args[i];
                    for (auto let = lets_.rbegin(); let != lets_.rend(); ++let) {
                        if (expr_uses_var(index, (*let)->name)) {
                            index = Let::make((*let)->name, (*let)->value, index);
                        }
                    }
                    prophecy.indices.push_back(index);
                }
                found_.push_back(std::move(prophecy));
            }
            IRGraphVisitor::visit(c);
        }
        void visit(const Let* let) override {
            include(let->value);
            lets_.push_back(let);
            include(let->body);
            lets_.pop_back();
        }
        void visit(const Variable* v) override {
            const auto let = scope_.find(v->name);
            if (let == scope_.end() || !let->second.definition.defined() || !seen_.insert(v->name).second) { return; }
            include(let->second.definition);
        }
        const Bindings& scope_;
        std::vector<FoundProphecy>& found_;
        std::set<std::string> seen_;
        std::vector<const Let*> lets_;
    };
    Finder finder(scope_, found);
    value.accept(&finder);
}

std::optional<sched::Expr> ExpressionTranslator::prophecy(const Expr& value, const std::string& array,
                                                          const Lane& lane) {
    std::vector<FoundProphecy> found;
    find_prophecies(value, found);
    for (const auto& [c, indices] : found) {
        const Prophecy p = *prophecy_of(*c);
        if (array != p.function && array != p.function + "." + std::to_string(p.component)) { continue; }
        if (c->type.lanes() != value.type().lanes()) { continue; }
        const std::string stage = p.stage ? "." + std::to_string(*p.stage) : "";
        sched::TensorAccess access{readable(p.function) + stage, {}, p.component};
        for (const Expr& e : indices) { access.indices.push_back(index(e, e.type().is_scalar() ? Lane{} : lane)); }
        return sched::Expr{std::move(access)};
    }
    return std::nullopt;
}

}  // namespace haruspex::halide
