#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/halide/translator.h"

// Translates calls: reads of coordinates, fields of buffers, intrinsics, prophecies.
namespace haruspex::halide {

using namespace Halide::Internal;
using Halide::Expr;
using sched::IndexOp;
using sched::Relation;
using value::BinaryOp;

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

// Translates a call of the run-time for a field of a halide_buffer_t.
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
        throw NotTranslated("call", c.name);
    }
    if (c.is_intrinsic()) { return intrinsic(c, lane); }
    throw NotTranslated("call", c.name);
}

Term ExpressionTranslator::only_if(const Term& condition, const std::function<Term()>& translated) {
    const std::optional<Term> outer = reached_;
    reached_ = outer ? conjunction(*outer, condition) : condition;
    Term result = translated();
    reached_ = outer;
    return result;
}

// The arms are lazy: the arm that is not chosen reads nothing. Without a second arm the value is arbitrary otherwise,
// like that of a read whose guard does not hold.
Term ExpressionTranslator::if_then_else(const Call& c, const Lane& lane) {
    const auto at = [&](const Expr& e) { return e.type().is_scalar() ? Lane{} : lane; };
    const auto arm = [&](std::size_t n) { return [&, n] { return translate(c.args[n], at(c.args[n])); }; };
    const Term condition = translate(c.args[0], at(c.args[0]));
    Term if_true = only_if(condition, arm(1));
    if (c.args.size() < 3) { return if_true; }
    return select(condition, std::move(if_true), only_if(negation(condition), arm(2)));
}

// The simplifier's result for a load from linear memory whose predicate is false. Translated as a read of any array
// whose guard is false.
Term ExpressionTranslator::arbitrary(Halide::Type type) const {
    const auto wanted = scalar_type(type.element_of());
    const auto array = std::ranges::find(interface_.buffers, sched::Role::output, &BufferArgument::role);
    if (!wanted || array == interface_.buffers.end()) { throw NotTranslated("intrinsic", "undef"); }
    sched::Load nothing{array_of(array->compiler_name, 0), {sched::Expr{sched::Integer{0}}}, std::nullopt};
    nothing.guard = Box<sched::Expr>(sched::Expr{sched::Truth{false}});
    const value::Type type_of_array = is_bool_array(nothing.array) ? value::Type::boolean : array->type;
    return cast(*wanted, value_term(sched::Expr{std::move(nothing)}, type_of_array));
}

// For an unsigned b, find_intrinsics (version 21) makes i32(widen_right_add(u32(a), b)) of a + i32(b). The sum wraps twice
// and overflows where that one does, so it stands for that one. nullopt for any other cast.
std::optional<Term> ExpressionTranslator::signed_widen_right(const Cast& c, const Lane& lane) {
    static const std::set<std::string> names{"widen_right_add", "widen_right_sub", "widen_right_mul"};
    const auto* widened = c.value.as<Call>();
    if (widened == nullptr || !names.contains(widened->name) || widened->args.size() != 2 || !c.type.is_int() ||
        widened->type != c.type.with_code(Halide::Type::UInt)) {
        return std::nullopt;
    }
    const Expr& left = widened->args[0];
    const auto* broadcast = left.as<Broadcast>();
    const auto* number = (broadcast == nullptr ? left : broadcast->value).as<UIntImm>();
    const auto* from_signed = left.as<Cast>();
    Expr a;
    if (number != nullptr) { a = make_const(c.type, static_cast<std::int64_t>(number->value)); }
    if (from_signed != nullptr && from_signed->value.type() == c.type) { a = from_signed->value; }
    if (!a.defined()) { return std::nullopt; }
    std::vector<Term> arguments;
    for (const Expr& argument : {a, widened->args[1]}) {
        arguments.push_back(translate(argument, argument.type().is_scalar() ? Lane{} : lane));
    }
    return intrinsic_term(widened->name, c.type, arguments);
}

Term ExpressionTranslator::intrinsic(const Call& c, const Lane& lane) {
    if (c.name == "if_then_else") { return if_then_else(c, lane); }
    if (c.is_intrinsic(Call::undef)) { return arbitrary(c.type); }
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
        if (argument.type().is_handle()) { throw NotTranslated("intrinsic", c.name); }
        arguments.push_back(translate(argument, argument.type().is_scalar() ? Lane{} : lane));
    }
    if (auto term = intrinsic_term(c.name, c.type, arguments)) { return std::move(*term); }
    throw NotTranslated("intrinsic", c.name);
}

}  // namespace haruspex::halide
