#include <algorithm>
#include <expected>
#include <optional>

#include "harness/sched/text.h"
#include "harness/sched/traverse.h"
#include "tests/oracle/interp/sched_support.h"
#include "tests/support/naive_sched.h"
#include "tests/support/random_sched.h"

// Compares random programs, with every kind of statement and expression, with brute force.
namespace haruspex::interp {
namespace {

using Cell = std::vector<std::int64_t>;
using testing::NaiveSched;
using Outputs = NaiveSched::Outputs;

// A random program with arrays around zero and finite loops, so that many accesses are in bounds.
sched::Program runnable_program(Choices& choices) {
    using namespace sched;
    Program program = testing::random_program(choices, {.depth = 2, .nesting = 3});
    const auto enlarge = [](std::vector<Dimension>& dimensions) {
        std::int64_t stride = 1;
        for (Dimension& d : dimensions) {
            d.extent = {Integer{9}};
            d.min = {Integer{-4}};
            if (d.stride) { d.stride = Expr{Integer{stride}}; }
            stride *= 9;
        }
    };
    for (sched::Array& array : program.arrays) {
        // Each array has a tensor of its own type.
        array.tensor = std::string("T") + std::string(value::name(array.type));
        enlarge(array.dimensions);
    }
    for_each_statement(program.body, [&](Stmt& stmt) {
        if (auto* allocation = std::get_if<Allocate>(&stmt.node)) { enlarge(allocation->dimensions); }
        if (auto* loop = std::get_if<For>(&stmt.node)) {
            loop->min = {Integer{0}};
            loop->extent = {Integer{3}};
        }
    });
    return program;
}

value::Value small_cell(const std::string& tensor, int component, const Cell& cell) {
    const value::Type type = *value::parse_type(tensor.substr(1));
    std::int64_t sum = component;
    for (const std::int64_t c : cell) { sum += c; }
    if (type == value::Type::boolean) { return value::Value::boolean(sum % 2 == 0); }
    return value::Value::integer(type, sum % 4);
}

bool has_atomic(const sched::Program& program) {
    bool found = false;
    sched::for_each_statement(program.body, [&](const sched::Stmt& stmt) {
        found = found || std::holds_alternative<sched::Atomic>(stmt.node);
    });
    return found;
}

bool is_alike(const value::Value& a, const value::Value& b) {
    return a == b || (a.is_defined() && b.is_defined() && value::same_result(a, b));
}

bool is_alike(const Outputs& a, const Outputs& b) {
    return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
        return std::ranges::equal(x.second, y.second,
                                  [](const auto& c, const auto& d) { return is_alike(c.second, d.second); });
    });
}

// The outputs, or the error.
std::expected<Outputs, std::string> by_brute_force(const sched::Program& program, const Sizes& sizes) {
    using Order = NaiveSched::Order;
    std::optional<Outputs> outputs;
    for (const Order order : {Order::forward, Order::reverse, Order::shuffled, Order::apart}) {
        // The result may depend on the order in which iterations update a cell atomically.
        if (has_atomic(program) && (order == Order::reverse || order == Order::shuffled)) { continue; }
        try {
            Outputs found = NaiveSched(program, order).run(sizes, small_cell);
            if (outputs && !is_alike(*outputs, found)) { return std::unexpected("the order matters"); }
            if (!outputs) { outputs = std::move(found); }
        } catch (const NaiveSched::Wrong& wrong) { return std::unexpected(wrong.why); }
    }
    return *outputs;
}

Outputs by_coordinates(const Execution& execution) {
    Outputs outputs;
    for (const FinalArray& array : execution.outputs) {
        Cell cell = array.min;
        for (const value::Value& v : array.cells) {
            outputs[array.array].emplace(cell, v);
            for (std::size_t d = 0; d < cell.size(); ++d) {
                if (++cell[d] < array.min[d] + array.extent[d]) { break; }
                cell[d] = array.min[d];
            }
        }
    }
    return outputs;
}

TEST_CASE("random programs are in trouble exactly when brute force finds something wrong, and else end alike") {
    constexpr int programs = 10000;
    int fine = 0;
    int wrong = 0;
    for (int p = 0; p < programs; ++p) {
        Choices choices(random_source(derive_seed(11, static_cast<std::uint64_t>(p))));
        const sched::Program program = runnable_program(choices);
        Sizes sizes;
        for (const std::string& parameter : program.parameters) { sizes[parameter] = choices.integer(-2, 4); }
        const Run run(program, sizes, {}, small_cell);
        // Brute force uses mathematical integers.
        const auto leaves_64_bits = [](const Trouble& t) { return t.kind == TroubleKind::index_overflow; };
        if (std::ranges::any_of(run.troubles(), leaves_64_bits)) { continue; }
        const auto expected = by_brute_force(program, sizes);
        INFO(p << ": " << (expected ? "nothing" : expected.error()) << "\n" << sched::print(program));
        REQUIRE(run.troubles().empty() == expected.has_value());
        if (!expected) {
            ++wrong;
            continue;
        }
        REQUIRE(is_alike(by_coordinates(run.execution()), *expected));
        ++fine;
    }
    CHECK(fine > programs / 10);
    CHECK(wrong > programs / 10);
    CHECK(fine + wrong > programs - programs / 100);
}

}  // namespace
}  // namespace haruspex::interp
