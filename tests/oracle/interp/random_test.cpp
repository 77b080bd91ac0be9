#include "generators/base/choice.h"
#include "generators/base/sizes.h"
#include "generators/sare/staging.h"
#include "generators/sare/text.h"
#include "tests/oracle/interp/naive.h"
#include "tests/oracle/interp/random_sare.h"
#include "tests/support/catch.h"

namespace haruspex::interp {
namespace {

value::Value hashed_input(const std::string& name, const std::vector<std::int64_t>& indices) {
    std::uint64_t hash = 17;
    for (const std::int64_t index : indices) { hash = (hash ^ static_cast<std::uint64_t>(index)) * 0x9e3779b97f4a7c15; }
    hash ^= hash >> 29;
    if (name == "mask") { return value::Value::boolean((hash & 1) != 0); }
    return value::Value::integer(value::Type::i32, static_cast<std::int64_t>(hash % 21) - 10);
}

// Compares all requested outputs with the naive evaluator. Returns the number of cells, and adds the defined ones to
// `defined`.
std::size_t check_outputs(const sare::Sare& s, std::int64_t n, std::size_t& defined) {
    const Sizes parameters{{"N", n}};
    const auto outputs = evaluate_outputs(s, parameters, hashed_input);
    INFO(sare::print_expanded(s));
    if (!outputs) { FAIL(outputs.error().message); }
    NaiveEvaluator naive(s, parameters, hashed_input, 6);
    std::size_t cells = 0;
    for (const OutputValues& output : *outputs) {
        std::vector<std::int64_t> cell = output.min;
        for (const value::Value& actual : output.cells) {
            const value::Value expected = naive.evaluate(output.tensor, output.component, cell);
            if (!(expected == actual)) {
                FAIL(output.tensor << "[" << output.component << "] is " << value::to_string(actual) << ", expected "
                                   << value::to_string(expected));
            }
            ++cells;
            defined += actual.is_defined() ? 1 : 0;
            for (std::size_t d = 0; d < cell.size(); ++d) {
                if (++cell[d] < output.min[d] + output.extent[d]) { break; }
                cell[d] = output.min[d];
            }
        }
    }
    return cells;
}

TEST_CASE("staged algorithms have the values of their equations") {
    std::size_t cells = 0;
    std::size_t defined = 0;
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        CAPTURE(seed);
        Choices choices(random_source(seed));
        const sare::Sare s = sare::stage(test::random_algorithm(choices));
        cells += check_outputs(s, choices.integer(-2, 5), defined);
    }
    CHECK(cells > 10000);
    CHECK(defined * 2 > cells);
}

TEST_CASE("skipping the copies of staged tensors changes no value and saves steps") {
    std::uint64_t with_staging = 0;
    std::uint64_t without = 0;
    for (std::uint64_t seed = 5000; seed < 5300; ++seed) {
        CAPTURE(seed);
        Choices choices(random_source(seed));
        const sare::Sare staged = sare::stage(test::random_algorithm(choices));
        sare::Sare plain = staged;
        plain.stagings.clear();
        const Sizes parameters{{"N", choices.integer(-2, 5)}};
        SareInterpreter fast(staged, parameters, hashed_input);
        SareInterpreter slow(plain, parameters, hashed_input);
        // The stages are compared as well, at steps inside and outside their domains.
        for (const sare::Tensor& tensor : staged.tensors) {
            for (int i = 0; i < 30; ++i) {
                std::vector<std::int64_t> cell;
                for (std::size_t d = 0; d < tensor.variables.size(); ++d) { cell.push_back(choices.integer(-4, 8)); }
                const auto component =
                    static_cast<int>(choices.integer(0, static_cast<std::int64_t>(tensor.types.size()) - 1));
                const auto a = fast.evaluate(tensor.name, component, cell);
                const auto b = slow.evaluate(tensor.name, component, cell);
                REQUIRE(a.has_value());
                REQUIRE(b.has_value());
                INFO(sare::print_expanded(staged) << tensor.name);
                REQUIRE(*a == *b);
            }
        }
        with_staging += fast.steps();
        without += slow.steps();
    }
    CHECK(with_staging < without);
}

TEST_CASE("mutual recurrences have the values of their equations") {
    std::size_t cells = 0;
    std::size_t defined = 0;
    for (std::uint64_t seed = 10000; seed < 11000; ++seed) {
        CAPTURE(seed);
        Choices choices(random_source(seed));
        const sare::Sare s = test::random_recurrences(choices);
        cells += check_outputs(s, choices.integer(-2, 5), defined);
    }
    CHECK(cells > 10000);
    CHECK(defined * 2 > cells);
}

}  // namespace
}  // namespace haruspex::interp
