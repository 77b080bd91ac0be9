#include "generators/sare/outline.h"

#include "generators/random/random_case.h"
#include "generators/schedule/halide/language.h"
#include "oracle/interp/sare_interpreter.h"
#include "tests/support/catch.h"

namespace haruspex::interp {
namespace {

TEST_CASE("outlined reductions change no output of random cases, by no bit") {
    int outlined = 0, strict = 0;
    std::size_t cells = 0, defined = 0;
    for (std::uint64_t index = 0; index < 1000; ++index) {
        const cases::Case c = random::campaign_case(77, index, {}, schedule::halide::language(14));
        const sare::Sare after = sare::outlined(c.sare);
        if (after == c.sare) { continue; }
        const InputFunction inputs = [&](const std::string& input, const std::vector<std::int64_t>& cell) {
            return cases::input_value(c.input_seed, input, c.inputs.at(input), cell);
        };
        const auto expected = evaluate_outputs(c.sare, c.sizes, inputs);
        const auto found = evaluate_outputs(after, c.sizes, inputs);
        INFO("case " << index << ": " << (found ? "" : found.error().message));
        REQUIRE(expected.has_value() == found.has_value());
        if (!expected) { continue; }
        ++outlined;
        strict += c.strict_float ? 1 : 0;
        REQUIRE(expected->size() == found->size());
        for (std::size_t o = 0; o < expected->size(); ++o) {
            const std::vector<value::Value>& was = (*expected)[o].cells;
            const std::vector<value::Value>& is = (*found)[o].cells;
            REQUIRE(was.size() == is.size());
            for (std::size_t i = 0; i < was.size(); ++i) {
                ++cells;
                defined += was[i].is_defined() ? 1 : 0;
                const bool same =
                    was[i].state() == is[i].state() && (!was[i].is_defined() || value::same_result(was[i], is[i]));
                if (!same) { FAIL(value::to_string(is[i]) << ", expected " << value::to_string(was[i])); }
            }
        }
    }
    // Enough programs were compared.
    CHECK(outlined > 40);
    CHECK(strict > 0);
    CHECK(2 * defined > cells);
}

}  // namespace
}  // namespace haruspex::interp
