#include "oracle/conversion/definitions.h"

#include <string>

#include "harness/sched/traverse.h"
#include "tests/support/catch.h"

namespace haruspex::conversion {
namespace {

// let a1 = a0 + a0 in let a2 = a1 + a1 in … a<n>
sched::Expr doubled(int n, int from = 0) {
    const auto variable = [](int k) { return sched::Expr{sched::Variable{"a" + std::to_string(k)}}; };
    if (from == n) { return variable(n); }
    sched::Expr sum{sched::IndexBinary{sched::IndexOp::add, variable(from), variable(from)}};
    return {sched::LetIn{"a" + std::to_string(from + 1), std::move(sum), doubled(n, from + 1)}};
}

}  // namespace

TEST_CASE("how long an index is without its lets is known before it is written out") {
    for (const int n : {0, 1, 5, 9}) {
        std::size_t nodes = 0;
        sched::for_each_expr(without_lets(doubled(n)), [&](const sched::Expr&) { ++nodes; });
        INFO(n);
        CHECK(nodes == (std::size_t{2} << n) - 1);
        CHECK(is_shorter_without_lets(doubled(n), nodes + 1));
        CHECK_FALSE(is_shorter_without_lets(doubled(n), nodes));
    }
    // It would not fit into any memory.
    CHECK_FALSE(is_shorter_without_lets(doubled(60), 2'000));
}

}  // namespace haruspex::conversion
