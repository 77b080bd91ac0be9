#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/choice.h"
#include "generators/sare/build.h"
#include "generators/sare/text.h"
#include "harness/mutants/sched/mutations.h"
#include "harness/sched/text.h"
#include "harness/transform/random_program.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/interp/sched_interpreter.h"
#include "oracle/validator/validator.h"
#include "tests/support/catch.h"

// Theorem 5.5.4 as a property: the interpreter finds validated programs right, at random sizes and on random inputs.
//
// This is tested in the exact store and in the padded one (Rink). A program without accesses out of bounds never
// reaches the padding, so a validated program must be right in both. The converse fails: a program whose only error is
// an access out of bounds may be right in a padded store, where this access is in bounds. A padded run therefore does
// not contradict a refutation, and padding is tried only if the exact store shows no error.
namespace haruspex::validator {
namespace {

using value::Type;
using value::Value;
using Cell = std::vector<std::int64_t>;

constexpr std::uint64_t programs = 24;
constexpr int mutations_of_each = 2;
constexpr int runs_of_each = 7;

std::uint64_t hash(std::uint64_t seed, const std::string& tensor, const Cell& cell) {
    std::uint64_t h = seed;
    for (const char c : tensor) { h = derive_seed(h, static_cast<std::uint64_t>(c)); }
    for (const std::int64_t i : cell) { h = derive_seed(h, static_cast<std::uint64_t>(i)); }
    return h;
}

// Small numbers for an even seed, otherwise also numbers at the ends of their types. There are no NaNs, which only
// come from outside of all programs.
Value random_input(Type type, std::uint64_t seed, std::uint64_t bits) {
    const auto small = static_cast<std::int64_t>(bits % 13) - 6;
    const bool is_extreme = seed % 2 == 1 && (bits >> 8U) % 3 == 0;
    switch (type) {
        case Type::boolean: return Value::boolean(small > 0);
        case Type::f32: {
            constexpr std::array values{-0.0F, 0.1F, 16777216.0F, 1e30F, -1e-40F};
            return Value::f32(is_extreme ? values[(bits >> 16U) % values.size()] : static_cast<float>(small) / 2);
        }
        case Type::f64: {
            constexpr std::array values{-0.0, 0.1, 9007199254740992.0, 1e300, -1e-310};
            return Value::f64(is_extreme ? values[(bits >> 16U) % values.size()] : static_cast<double>(small) / 2);
        }
        default: break;
    }
    if (!is_extreme) { return Value::integer(type, value::is_unsigned_integer(type) ? small + 6 : small); }
    const std::uint64_t end = (bits >> 16U) % 2 == 0 ? 0 : std::uint64_t{1} << (value::bits(type) - 1);
    return Value::from_bits(type, end + (bits >> 20U) % 5 - 2);
}

std::string text_of(const Sizes& sizes) {
    std::string text;
    for (const auto& [name, size] : sizes) { text += " " + name + "=" + std::to_string(size); }
    return text;
}

Sizes random_sizes(const sare::Sare& sare, int number, Choices& choices) {
    for (int attempt = 0; attempt < 1000; ++attempt) {
        Sizes sizes;
        // The first sizes are as small as the assumptions allow.
        const int most = number == 0 ? attempt / 10 : 11 + attempt / 10;
        for (const std::string& parameter : sare.parameters) { sizes[parameter] = choices.integer(0, most); }
        if (sare::evaluate(sare.assumptions, sizes)) { return sizes; }
    }
    return {};
}

class Runs {
public:
    Runs(const sare::Sare& sare, const sched::Program& program) : sare_(sare), program_(program) {}

    // The error of one run, exact or padded; empty if there is none.
    std::string fault(const Sizes& sizes, std::uint64_t seed, std::optional<interp::Padding> padding) {
        const auto input = [&](const std::string& tensor, const Cell& cell) {
            const auto found = std::ranges::find(sare_.inputs, tensor, &sare::Input::name);
            return random_input(found->type, seed, hash(seed, tensor, cell));
        };
        interp::Options options;
        options.padding = padding;
        const auto execution = interp::run(
            program_, sizes, [&](const std::string& tensor, int, const Cell& cell) { return input(tensor, cell); },
            options);
        if (!execution) { return execution.error().message; }
        const auto reference = interp::evaluate_outputs(sare_, sizes, input);
        if (!reference) { return reference.error().message; }
        for (const interp::Trouble& trouble : execution->troubles) {
            // An array with a negative extent has no cells, and none are requested.
            if (trouble.kind != interp::TroubleKind::negative_extent) { return to_string(trouble); }
        }
        for (const interp::OutputValues& output : *reference) {
            if (const std::string found = difference(output, execution->outputs); !found.empty()) { return found; }
        }
        return {};
    }
    std::size_t cells() const { return cells_; }

private:
    std::string difference(const interp::OutputValues& output, const std::vector<interp::FinalArray>& arrays) {
        const auto array = std::ranges::find_if(arrays, [&](const interp::FinalArray& a) {
            return a.tensor == output.tensor && a.component == output.component;
        });
        if (array == arrays.end()) { return "no array for " + output.tensor; }
        Cell cell = output.min;
        for (const Value& expected : output.cells) {
            if (expected.is_defined()) {
                ++cells_;
                const Value found = value_in(*array, cell, expected.type());
                if (!found.is_defined() || !value::same_number(expected, found)) {
                    return output.tensor + " is " + value::to_string(found) + ", not " + value::to_string(expected);
                }
            }
            for (std::size_t d = 0; d < cell.size() && ++cell[d] == output.min[d] + output.extent[d]; ++d) {
                cell[d] = output.min[d];
            }
        }
        return {};
    }

    static Value value_in(const interp::FinalArray& array, const Cell& cell, Type type) {
        std::size_t position = 0, stride = 1;
        for (std::size_t d = 0; d < cell.size(); ++d) {
            const std::int64_t offset = cell[d] - array.min[d];
            if (offset < 0 || offset >= array.extent[d]) { return Value::uninit(type); }
            position += static_cast<std::size_t>(offset) * stride;
            stride *= static_cast<std::size_t>(array.extent[d]);
        }
        return array.cells[position];
    }

    const sare::Sare& sare_;
    const sched::Program& program_;
    std::size_t cells_ = 0;
};

struct Shown {
    std::string fault;         // the first one in the exact store
    std::string padded_fault;  // in the padded store, if there is none in the exact one
    std::size_t cells = 0;
};

Shown run_often(const sare::Sare& sare, const sched::Program& program, Choices& choices) {
    Runs runs(sare, program);
    Shown shown;
    std::vector<std::pair<Sizes, std::uint64_t>> tried;
    for (int number = 0; number < runs_of_each && shown.fault.empty(); ++number) {
        const Sizes sizes = random_sizes(sare, number, choices);
        REQUIRE((sare.parameters.empty() || !sizes.empty()));
        const auto seed = static_cast<std::uint64_t>(choices.integer(0, 1 << 20));
        tried.emplace_back(sizes, seed);
        if (const std::string fault = runs.fault(sizes, seed, {}); !fault.empty()) {
            shown.fault = text_of(sizes) + ": " + fault;
        }
    }
    for (std::size_t n = 0; n < tried.size() && shown.fault.empty() && shown.padded_fault.empty(); ++n) {
        const auto& [sizes, seed] = tried[n];
        const interp::Padding padding{n % 2 == 0 ? 4 : 8, interp::Filling::uninit, 0};
        if (const std::string fault = runs.fault(sizes, seed, padding); !fault.empty()) {
            shown.padded_fault = text_of(sizes) + ", padded: " + fault;
        }
    }
    shown.cells = runs.cells();
    return shown;
}

Verdict verdict_of(const sare::Sare& sare, const sched::Program& program) {
    Options options;
    options.evaluation_operations = 40'000'000;
    options.obligation_operations = 10'000'000;
    options.ladder.smt_rlimit = 100'000;
    return validate(sare, program, options);
}

struct Tally {
    std::map<Outcome, std::size_t> correct, mutated;
    std::size_t wrong = 0, refuted_of_wrong = 0, cells = 0;
};

// A validated program has no error in either store; a refuted one has an error at its counterexample. If every
// obligation holds, but small runs tried first show an error, the verdict is undecided; the obligations are unsound all
// the same.
void check_sound(const sare::Sare& sare, const sched::Program& program, const Verdict& verdict, const Shown& shown) {
    INFO(sare::print(sare) << sched::print(program) << name(verdict.outcome) << ": " << reason(verdict));
    if (verdict.outcome == Outcome::validated) {
        CHECK(shown.fault == "");
        CHECK(shown.padded_fault == "");
    }
    CHECK_FALSE(reason(verdict).starts_with("every obligation holds"));
    if (verdict.outcome == Outcome::refuted) {
        REQUIRE(verdict.counterexample.has_value());
        const Trial trial =
            replay(sare, program, verdict.counterexample->sizes, verdict.counterexample->inputs, Options{}.most_steps);
        CHECK(trial.is_wrong);
    }
}

void check_program(std::uint64_t seed, Tally& tally) {
    Choices choices(random_source(derive_seed(20, seed)));
    const transform::RandomProgram random = transform::random_program(choices);
    INFO("random program " << seed);
    const Verdict verdict = verdict_of(random.sare, random.program);
    const Shown shown = run_often(random.sare, random.program, choices);
    check_sound(random.sare, random.program, verdict, shown);
    CHECK(verdict.outcome != Outcome::refuted);
    ++tally.correct[verdict.outcome];
    tally.cells += shown.cells;
    for (int n = 0; n < mutations_of_each; ++n) {
        const auto mutation = mutants::sched::random_mutation(random.program, choices);
        if (!mutation) { break; }
        INFO("mutated: " << mutation->sentence);
        const sched::Program mutated = mutants::sched::apply(random.program, *mutation);
        const Verdict second = verdict_of(random.sare, mutated);
        const Shown of_mutant = run_often(random.sare, mutated, choices);
        check_sound(random.sare, mutated, second, of_mutant);
        ++tally.mutated[second.outcome];
        if (of_mutant.fault.empty()) { continue; }
        ++tally.wrong;
        tally.refuted_of_wrong += second.outcome == Outcome::refuted ? 1 : 0;
    }
}

TEST_CASE("Theorem 5.5.4: what is validated agrees with the interpreters, exact and padded") {
    Tally tally;
    for (std::uint64_t seed = 0; seed < programs; ++seed) { check_program(seed, tally); }
    INFO(tally.correct[Outcome::validated] << " of " << programs << " programs validated, " << tally.wrong
                                           << " mutations wrong, " << tally.refuted_of_wrong << " of them refuted, "
                                           << tally.mutated[Outcome::validated] << " mutations validated, "
                                           << tally.cells << " cells compared");
    // The property needs enough validated and wrong programs.
    CHECK(4 * tally.correct[Outcome::validated] >= 3 * programs);
    CHECK(tally.wrong >= programs / 2);
    CHECK(4 * tally.refuted_of_wrong >= 3 * tally.wrong);
    CHECK(tally.mutated[Outcome::validated] >= 3);
    CHECK(tally.cells >= 1000);
}

}  // namespace
}  // namespace haruspex::validator
