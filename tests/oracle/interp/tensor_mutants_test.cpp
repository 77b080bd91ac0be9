#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generators/base/ensure.h"
#include "generators/tensor/dataflow.h"
#include "generators/tensor/print.h"
#include "oracle/interp/tensor_interpreter.h"
#include "tests/oracle/interp/tensor_support.h"
#include "tests/support/catch.h"

// Faulty evaluations with padding are found by comparison with the exact one, as `haruspex tensor --pad` compares them.
namespace haruspex::interp {
namespace {

using value::Type;
using value::Value;

constexpr std::uint64_t programs = 100;

value::Value one(const Padding&, Type element, std::size_t, std::size_t) { return Value::integer(element, 1); }
value::Value noise(const Padding& padding, Type element, std::size_t variable, std::size_t place) {
    return fill({padding.multiple, Filling::noise, 1}, element, variable, place);
}

PaddingRules filled_by(decltype(PaddingRules::filled) filled) {
    PaddingRules rules;
    rules.filled = std::move(filled);
    return rules;
}
PaddingRules rounded_by(decltype(PaddingRules::rounded) rounded) {
    PaddingRules rules;
    rules.rounded = std::move(rounded);
    return rules;
}

struct Mutant {
    std::string name;
    PaddingRules rules;
};

std::vector<Mutant> mutants() {
    std::vector<Mutant> all{
        {"padding filled with one", filled_by(one)},
        {"extents rounded down", rounded_by([](std::int64_t n, std::int64_t multiple) { return n - n % multiple; })},
        {"contraction over padding of noise", filled_by(noise)},
    };
    // What a contraction adds of a variable that was assigned is then noise.
    Mutant left{"noise left in the padding of what is assigned", filled_by(noise)};
    left.rules.assigns_padding = false;
    all.push_back(std::move(left));
    return all;
}

// Whether padding changes an output of the program, or the evaluation leaves the tensors.
bool differs(const Drawn& drawn, const PaddingRules& rules) {
    const InputFunction initial = small_numbers(drawn.program);
    const Store exact = done(ev_prog(drawn.program, drawn.sizes, initial));
    try {
        const Store padded =
            done(ev_pad_prog(drawn.program, drawn.sizes, initial, {drawn.multiple, Filling::zero}, {}, rules));
        return first_difference(exact, padded, tensor::outputs_of(drawn.program)).has_value();
    } catch (const InternalError&) { return true; }
}

// A program as campaigns draw it.
Drawn nth(std::uint64_t seed) {
    Choices choices(random_source(seed));
    Drawn drawn;
    drawn.program =
        random::draw_tensors(choices, random::TensorPolicy{}, choices.one_of(std::vector{Type::u8, Type::i64}));
    drawn.sizes = {{"N", choices.integer(1, 6)}, {"M", choices.integer(1, 6)}};
    drawn.multiple = choices.integer(2, 5);
    return drawn;
}

}  // namespace

TEST_CASE("each mutant of the evaluation with padding is found within 100 programs, and the rules themselves are not") {
    for (std::uint64_t seed = 0; seed < programs; ++seed) {
        const Drawn drawn = nth(seed);
        INFO("seed " << seed << " M " << drawn.multiple << "\n" << tensor::print(drawn.program));
        REQUIRE_FALSE(differs(drawn, {}));
    }
    for (const Mutant& mutant : mutants()) {
        std::optional<std::uint64_t> found;
        for (std::uint64_t seed = 0; seed < programs && !found; ++seed) {
            if (differs(nth(seed), mutant.rules)) { found = seed; }
        }
        INFO(mutant.name);
        CHECK(found.has_value());
    }
}

}  // namespace haruspex::interp
