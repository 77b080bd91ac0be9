#include "tests/harness/halide/programs.h"

#include "generators/sare/staging.h"
#include "generators/schedule/language.h"
#include "harness/compiler/fork_server.h"
#include "harness/halide/halide_compiler.h"
#include "tests/support/catch.h"

namespace haruspex::halide::test {

sare::Expr lit(value::Type type, std::int64_t n) { return {sare::Literal{value::Value::integer(type, n)}}; }
sare::Expr embed(value::Type type, sare::Index index) { return {sare::Embed{type, std::move(index)}}; }
sare::Expr access(const std::string& tensor, std::vector<sare::Index> indices, int component) {
    return {sare::Access{tensor, std::move(indices), component}};
}
sare::Expr apply(value::BinaryOp op, sare::Expr a, sare::Expr b) {
    return {sare::Binary{op, std::move(a), std::move(b)}};
}
sare::Expr apply(value::UnaryOp op, sare::Expr a) { return {sare::Unary{op, std::move(a)}}; }
sare::Expr plus(sare::Expr a, sare::Expr b) { return apply(value::BinaryOp::add, std::move(a), std::move(b)); }
sare::Index var(const std::string& name) { return {sare::IndexVariable{name}}; }
sare::Index num(std::int64_t n) { return {sare::IndexConstant{n}}; }
sare::Condition less(sare::Index a, sare::Index b) {
    return {sare::Comparison{sare::Relation::lt, std::move(a), std::move(b)}};
}
sare::Condition at_most(sare::Index a, sare::Index b) {
    return {sare::Comparison{sare::Relation::le, std::move(a), std::move(b)}};
}
sare::Condition between(std::int64_t low, const std::string& variable, sare::Index high) {
    return {sare::And{at_most(num(low), var(variable)), less(var(variable), std::move(high))}};
}

sare::Function function(const std::string& name, std::vector<value::Type> types, std::vector<std::string> variables,
                        std::vector<sare::Expr> values) {
    return {name, std::move(types), std::move(variables), std::move(values), {}};
}

sare::Algorithm algorithm(std::vector<sare::Input> inputs, std::vector<sare::Function> functions,
                          const std::string& output, std::vector<sare::Span> box) {
    sare::Algorithm a;
    a.name = "test";
    a.parameters = {"N"};
    a.assumptions = at_most(num(1), var("N"));
    a.inputs = std::move(inputs);
    a.functions = std::move(functions);
    a.outputs = {{output, std::move(box)}};
    return a;
}

sare::Span span(std::int64_t min, std::int64_t extent) { return {num(min), num(extent)}; }

cases::InputDomain small_numbers(value::Type type) {
    cases::InputDomain domain;
    domain.range.type = type;
    domain.range.low = value::is_unsigned_integer(type) || type == value::Type::boolean ? 0 : -9;
    domain.range.high = type == value::Type::boolean ? 1 : 9;
    domain.range.scale = value::is_float(type) ? 1 : 0;
    return domain;
}

cases::Case case_of(const sare::Algorithm& algorithm, schedule::halide::Schedule schedule, std::int64_t n) {
    cases::Case c;
    c.sare = sare::stage(algorithm);
    c.schedule = schedule::halide::untyped(std::move(schedule));
    c.sizes = {{"N", n}};
    c.input_seed = 7;
    for (const sare::Input& i : algorithm.inputs) { c.inputs.emplace(i.name, small_numbers(i.type)); }
    c.compiler = "halide";
    c.target = schedule::language("halide").default_target();
    return c;
}

compiler::Observation observe(const cases::Case& c) {
    static const auto halide = make_halide();
    static compiler::ForkServer server(*halide, compiler::Limits{});
    return server.observe(c);
}

std::vector<std::vector<value::Value>> results(const cases::Case& c) {
    const compiler::Observation o = observe(c);
    INFO(o.message);
    REQUIRE(o.outcome == compiler::Outcome::ran);
    REQUIRE(o.phase == compiler::Phase::done);
    REQUIRE(o.stray_write.empty());
    REQUIRE(o.first == o.second);
    std::vector<std::vector<value::Value>> all;
    for (const compiler::TensorData& t : o.first) {
        std::vector<value::Value> values;
        for (const std::uint64_t bits : t.bits) { values.push_back(value::Value::from_bits(t.type, bits)); }
        all.push_back(std::move(values));
    }
    return all;
}

std::vector<std::int64_t> integers(const cases::Case& c) {
    const auto all = results(c);
    REQUIRE(all.size() == 1);
    std::vector<std::int64_t> numbers;
    for (const value::Value& v : all[0]) {
        numbers.push_back(value::is_signed_integer(v.type()) ? v.as_signed()
                                                             : static_cast<std::int64_t>(v.bit_pattern()));
    }
    return numbers;
}

std::int64_t input(const cases::Case& c, const std::string& name, std::vector<std::int64_t> at) {
    const value::Value v = cases::input_value(c.input_seed, name, c.inputs.at(name), at);
    return value::is_signed_integer(v.type()) ? v.as_signed() : static_cast<std::int64_t>(v.bit_pattern());
}

}  // namespace haruspex::halide::test
