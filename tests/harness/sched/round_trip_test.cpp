#include <set>

#include "harness/sched/text.h"
#include "harness/sched/traverse.h"
#include "harness/sched/typing.h"
#include "tests/support/catch.h"
#include "tests/support/random_sched.h"

using namespace haruspex;
using testing::Numbers;

namespace {

constexpr std::uint64_t rounds = 1000;

template <typename T>
std::string failure(const Result<T>& result) {
    return result ? "" : to_string(result.error());
}

sched::Program drawn(std::uint64_t seed, sched::Rules rules) {
    Choices choices(random_source(seed));
    return testing::random_program(choices, {rules, Numbers::wild, 3, 3, true, true});
}

}  // namespace

TEST_CASE("printed programs are read back as they were") {
    for (const sched::Rules rules : {sched::Rules::extended, sched::Rules::affine}) {
        for (std::uint64_t seed = 0; seed < rounds; ++seed) {
            sched::Program program = drawn(seed, rules);
            program.has_loose_floats = seed % 2 == 1;
            const std::string text = sched::print(program);
            INFO("seed " << seed << "\n" << text);
            const auto checked = sched::check(program, rules);
            INFO(failure(checked));
            REQUIRE(checked.has_value());
            const auto again = sched::parse_program(text, "");
            INFO(failure(again));
            REQUIRE(again.has_value());
            REQUIRE(*again == program);
            REQUIRE(sched::print(*again) == text);
        }
    }
}

TEST_CASE("random programs have nodes of every kind") {
    std::set<std::size_t> exprs;
    std::set<std::size_t> statements;
    for (std::uint64_t seed = 0; seed < rounds; ++seed) {
        sched::for_each_statement(drawn(seed, sched::Rules::extended).body, [&](const sched::Stmt& stmt) {
            statements.insert(stmt.node.index());
            sched::for_each_part(stmt, [&](const sched::Expr& part) {
                sched::for_each_expr(part, [&](const sched::Expr& expr) { exprs.insert(expr.node.index()); });
            });
        });
    }
    CHECK(exprs.size() == std::variant_size_v<decltype(sched::Expr::node)>);
    CHECK(statements.size() == std::variant_size_v<decltype(sched::Stmt::node)>);
}

TEST_CASE("the affine rules accept no more than the extended ones") {
    int both = 0;
    for (std::uint64_t seed = 0; seed < rounds; ++seed) {
        const sched::Program affine = drawn(seed, sched::Rules::affine);
        INFO(sched::print(affine));
        REQUIRE(sched::check(affine, sched::Rules::extended).has_value());
        both += sched::check(drawn(seed, sched::Rules::extended), sched::Rules::affine).has_value() ? 1 : 0;
    }
    CHECK(both < 500);
}

TEST_CASE("printed statements are the lines of their program") {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const sched::Program program = drawn(seed, sched::Rules::extended);
        const std::string text = sched::print(program);
        std::string body;
        for (const sched::Stmt& stmt : program.body) {
            body += sched::print(stmt, 1);
            INFO(sched::print(stmt));
            CHECK(sched::print(stmt).starts_with(sched::headline(stmt)));
        }
        CHECK(text.ends_with(body + "}\n"));
    }
}
