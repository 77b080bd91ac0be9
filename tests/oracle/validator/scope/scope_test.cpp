#include "oracle/validator/scope/scope.h"

#include "generators/affine/parameters.h"
#include "oracle/interp/sched_interpreter.h"
#include "tests/oracle/validator/support.h"

// Compares Γ, the meaning of indices and conditions, with the interpreter.
namespace haruspex::validator {
namespace {

// A program that writes the value of each index and condition to a cell, so that the interpreter evaluates them.
sched::Program program_of(const std::vector<std::string>& conditions, const std::vector<std::string>& indices) {
    std::string body;
    for (std::size_t n = 0; n < indices.size(); ++n) {
        body += "f[" + std::to_string(n) + "] := i64<" + indices[n] + ">;\n";
    }
    for (std::size_t n = 0; n < conditions.size(); ++n) {
        body += "f[" + std::to_string(indices.size() + n) + "] := select(" + conditions[n] + ", 1i64, 0i64);\n";
    }
    return parsed_program("sched s(N, M) {\n output f for F : i64[" +
                          std::to_string(indices.size() + conditions.size()) + "];\n" + body + "}");
}

std::vector<value::Value> run(const sched::Program& program, std::int64_t n, std::int64_t m) {
    const auto execution = interp::run(program, {{"N", n}, {"M", m}}, [](const auto&, int, const auto&) {
        return value::Value::undef(value::Type::i64);
    });
    if (!execution) { FAIL(to_string(execution.error())); }
    REQUIRE(execution->troubles.empty());
    return execution->outputs.at(0).cells;
}

class Environment {
public:
    Environment() : scope(context.ctx()) {
        scope.declare_variable("N");
        scope.declare_variable("M");
    }
    isl::set point(std::int64_t n, std::int64_t m) const {
        const isl::pw_aff a = affine::parameter(context.ctx(), "N"), b = affine::parameter(context.ctx(), "M");
        return a.eq_set(scope.constant(n)).intersect(b.eq_set(scope.constant(m)));
    }

    affine::Context context;
    Scope scope;
};

void compare(const std::vector<std::string>& conditions, const std::vector<std::string>& indices) {
    const sched::Program program = program_of(conditions, indices);
    Environment environment;
    for (std::int64_t n = -7; n <= 7; ++n) {
        for (std::int64_t m = -2; m <= 2; ++m) {
            const auto values = run(program, n, m);
            const isl::set here = environment.point(n, m);
            INFO("N = " << n << ", M = " << m);
            for (std::size_t k = 0; k < indices.size(); ++k) {
                INFO(indices[k]);
                const auto& write = std::get<sched::Assign>(program.body[k].node).writes[0];
                const auto& embed = std::get<sched::Embed>(write.value.node);
                const isl::pw_aff found = environment.scope.index(*embed.index);
                CHECK(here.is_subset(found.eq_set(environment.scope.constant(values[k].as_signed()))));
            }
            for (std::size_t k = 0; k < conditions.size(); ++k) {
                INFO(conditions[k]);
                const auto& write = std::get<sched::Assign>(program.body[indices.size() + k].node).writes[0];
                const auto& select = std::get<sched::Select>(write.value.node);
                REQUIRE(environment.scope.is_condition(*select.condition));
                const isl::set holds = environment.scope.condition(*select.condition);
                CHECK(here.is_subset(holds) == (values[indices.size() + k].as_signed() == 1));
                CHECK(here.is_disjoint(holds) == (values[indices.size() + k].as_signed() == 0));
            }
        }
    }
}

TEST_CASE("Division and modulo of indices are Euclidean, by zero they are zero") {
    std::vector<std::string> indices;
    for (const std::string divisor : {"1", "2", "3", "5", "0", "-1", "-2", "-3", "(2 - 4)", "(M*0)", "(3*(1 - 2))"}) {
        indices.push_back("N / " + divisor);
        indices.push_back("N % " + divisor);
        indices.push_back("(2*N + M) / " + divisor + " - (M - N) % " + divisor);
    }
    compare({}, indices);
}

TEST_CASE("Indices: sums, products by constants, extrema, selects and lets") {
    compare({}, {"N + M - 3", "3*N", "N*-2", "(1 + 1)*M", "min(N, M)", "max(N - 1, 2*M)", "select(N < M, N, M + 5)",
                 "select(N % 2 = 0, N / 2, 3*N + 1)", "(let y = N + 1 in y*2)", "(let N = M in N)",
                 "(let y = N in let y = y + 1 in y + M)", "(let few = N < 3 in select(few, 1, N))",
                 "min(max(N, -1), 3) % 4 / 2"});
}

TEST_CASE("Conditions: relations, connectives, selects and lets") {
    compare({"N < M", "N <= M", "N = M", "N != M", "N > M", "N >= M", "N < 2 and M > 0", "N < -1 or M = 2",
             "not (N = 1)", "true", "false", "(N < 0) = (M < 0)", "(N < 0) != (M < 0)", "select(N < 0, M = 1, M = -1)",
             "(let few = N < 3 in few and M > 0)", "(let y = N / 2 in y = M)"},
            {});
}

TEST_CASE("A let in the scope stands for its index until its name is declared again") {
    Environment environment;
    Scope& scope = environment.scope;
    const sched::Expr y{sched::Variable{"y"}};
    scope.define("y", sched::Expr{sched::IndexBinary{sched::IndexOp::mul, sched::Expr{sched::Integer{2}},
                                                     sched::Expr{sched::Variable{"N"}}}});
    CHECK(scope.index(y).plain_is_equal(affine::parameter(environment.context.ctx(), "N").scale(2L)));
    Scope inner = scope;
    const std::string variable = inner.declare_variable("y");
    CHECK(inner.index(y).plain_is_equal(affine::parameter(environment.context.ctx(), variable)));
    CHECK(scope.index(y).plain_is_equal(affine::parameter(environment.context.ctx(), "N").scale(2L)));
}

TEST_CASE("A minimum or a choice that a let is made of is said by the let's parameter") {
    using Written = std::pair<std::string, std::string>;  // the let, and an expression that mentions a part of it
    for (const auto& [let, mentions] :
         {Written{"min(N, M)", "min(N, M)"}, Written{"min(N, M + 1) - 2*N", "min(N, M + 1)"},
          Written{"3 - min(N, M)", "min(M, N) + N"}, Written{"max(N, M)", "min(N, M)"},
          Written{"N - max(N + 2, M)", "max(N + 3, M + 1)"},
          Written{"select(N < 2*M, N, M) + 1", "select(N < 2*M, N + 3, M + 3)"},
          Written{"(let y = N - 1 in min(y, M))", "min(N, M + 1)"}}) {
        INFO(let << " and " << mentions);
        Environment environment;
        Scope& scope = environment.scope;
        const sched::Program program = program_of({}, {let, mentions});
        const auto index = [&](std::size_t k) {
            return *std::get<sched::Embed>(std::get<sched::Assign>(program.body[k].node).writes[0].value.node).index;
        };
        scope.define("t", index(0));
        const isl::pw_aff found = scope.index(index(1));
        CHECK(found.isa_aff());
        for (std::int64_t n = -7; n <= 7; ++n) {
            for (std::int64_t m = -2; m <= 2; ++m) {
                INFO("N = " << n << ", M = " << m);
                const auto values = run(program, n, m);
                const isl::pw_aff t = scope.index({sched::Variable{"t"}});
                const isl::set here =
                    environment.point(n, m).intersect(t.eq_set(scope.constant(values[0].as_signed())));
                CHECK_FALSE(here.is_empty());
                CHECK(here.is_subset(found.eq_set(scope.constant(values[1].as_signed()))));
            }
        }
    }
}

TEST_CASE("A let does not say what another minimum or choice is") {
    using Written = std::pair<std::string, std::string>;
    for (const auto& [let, mentions] :
         {Written{"min(N, M)", "min(N, M + 1)"}, Written{"select(N < M, N, M)", "select(N <= M, N, M)"},
          Written{"select(N < M, N, M)", "select(N < M, N, M + 1)"}, Written{"min(N, M) / 2", "min(N, M)"}}) {
        INFO(let << " and " << mentions);
        Environment environment;
        const sched::Program program = program_of({}, {let, mentions});
        const auto index = [&](std::size_t k) {
            return *std::get<sched::Embed>(std::get<sched::Assign>(program.body[k].node).writes[0].value.node).index;
        };
        const isl::pw_aff before = environment.scope.index(index(1));
        environment.scope.define("t", index(0));
        CHECK(environment.scope.index(index(1)).plain_is_equal(before));
    }
}

TEST_CASE("Variables and arrays that hide others have names of their own") {
    Environment environment;
    Scope& scope = environment.scope;
    const std::string first = scope.declare_variable("x"), second = scope.declare_variable("x");
    CHECK(first == "x");
    CHECK(first != second);
    const isl::set everywhere = affine::everywhere(environment.context.ctx());
    const std::string outer = scope.unique_array_name("t");
    scope.declare("t",
                  ArrayInScope{outer, value::Type::i32, Lazy(everywhere), Lazy(everywhere), everywhere, false, {}});
    const std::string inner = scope.unique_array_name("t");
    CHECK(outer != inner);
    CHECK(scope.array("t").unique_name == outer);
    CHECK(scope.has_array("t"));
    CHECK_FALSE(scope.has_array("x"));
}

TEST_CASE("What is not affine is named") {
    Environment environment;
    const auto reason = [&](const std::string& index) {
        const sched::Program program = program_of({}, {index});
        const auto& write = std::get<sched::Assign>(program.body[0].node).writes[0];
        try {
            environment.scope.index(*std::get<sched::Embed>(write.value.node).index);
        } catch (const Unsupported& e) { return std::string(e.what()); }
        return std::string("none");
    };
    CHECK(reason("N*M").starts_with("product of indices: "));
    CHECK(reason("N / M").starts_with("division of indices: "));
    CHECK(reason("N % (M + 1)").starts_with("division of indices: "));
    CHECK(reason("int(7i32)").starts_with("index that depends on data: "));
    CHECK(reason("N*(M - M + 2)") == "none");
}

}  // namespace
}  // namespace haruspex::validator
