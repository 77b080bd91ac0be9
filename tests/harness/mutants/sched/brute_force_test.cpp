#include <algorithm>
#include <array>
#include <optional>

#include "generators/sare/text.h"
#include "harness/mutants/sched/mutations.h"
#include "harness/sched/text.h"
#include "harness/sched/traverse.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/interp/sched_interpreter.h"
#include "tests/harness/mutants/sched/base_programs.h"
#include "tests/support/catch.h"
#include "tests/support/naive_sched.h"

// The interpreter's verdict on mutated programs against brute force.
namespace haruspex::mutants::sched {
namespace {

using Sizes = std::map<std::string, std::int64_t>;
using Cell = std::vector<std::int64_t>;

// A base program at its sizes, with the values that its outputs should have.
class Truth {
public:
    explicit Truth(const BaseProgram& base) : sizes_(base.sizes) {
        auto program = haruspex::sched::parse_program(base.sched, "base");
        if (!program) { FAIL(to_string(program.error())); }
        program_ = *program;
        auto sare = sare::parse_sare(base.sare, program_.name);
        if (!sare) { FAIL(to_string(sare.error())); }
        for (const sare::Input& input : sare->inputs) { types_[input.name] = input.type; }
        for (const Sizes& sizes : sizes_) {
            const auto outputs = interp::evaluate_outputs(
                *sare, sizes, [this](const std::string& tensor, const Cell& cell) { return input(tensor, 0, cell); });
            if (!outputs) { FAIL(to_string(outputs.error())); }
            auto& expected = expected_.emplace_back();
            for (const interp::OutputValues& output : *outputs) {
                expected[{output.tensor, output.component}] = output;
            }
        }
    }

    const haruspex::sched::Program& program() const { return program_; }
    std::size_t size_count() const { return sizes_.size(); }

    // Why the program is wrong at the sizes of this number.
    std::optional<std::string> accusation(const haruspex::sched::Program& program, std::size_t number) const {
        const auto inputs = [this](const std::string& t, int c, const Cell& cell) { return input(t, c, cell); };
        const auto execution = interp::run(program, sizes_[number], inputs);
        if (!execution) { FAIL(to_string(execution.error())); }
        if (!execution->troubles.empty()) { return execution->troubles.front().message; }
        for (const interp::FinalArray& array : execution->outputs) {
            const interp::OutputValues& wanted = expected_[number].at({array.tensor, array.component});
            REQUIRE(array.extent == wanted.extent);
            REQUIRE(array.min == wanted.min);
            REQUIRE(array.cells.size() == wanted.cells.size());
            for (std::size_t i = 0; i < wanted.cells.size(); ++i) {
                REQUIRE(wanted.cells[i].is_defined());
                if (array.cells[i].is_defined() && value::same_result(array.cells[i], wanted.cells[i])) { continue; }
                return array.array + " holds " + value::to_string(array.cells[i]) + " instead of " +
                       value::to_string(wanted.cells[i]);
            }
        }
        return std::nullopt;
    }

    std::optional<std::string> accusation_by_brute_force(const haruspex::sched::Program& program,
                                                         std::size_t number) const {
        return testing::accusation_by_brute_force(
            program, sizes_[number],
            [this](const std::string& t, int c, const Cell& cell) { return input(t, c, cell); },
            [&](const std::string& tensor, int component, const Cell& cell) {
                const interp::OutputValues& output = expected_[number].at({tensor, component});
                std::int64_t place = 0;
                for (std::size_t d = cell.size(); d-- > 0;) {
                    place = place * output.extent[d] + cell[d] - output.min[d];
                }
                return output.cells.at(static_cast<std::size_t>(place));
            });
    }

    std::string describe(std::size_t number) const {
        std::string text;
        for (const auto& [name, size] : sizes_[number]) { text += name + " = " + std::to_string(size) + " "; }
        return text;
    }

private:
    // Small numbers that seldom repeat.
    value::Value input(const std::string& tensor, int component, const Cell& cell) const {
        std::uint64_t mixed = static_cast<std::uint64_t>(component) + tensor.back();
        for (const std::int64_t c : cell) { mixed = derive_seed(mixed, static_cast<std::uint64_t>(c)); }
        const value::Type type = types_.at(tensor);
        const auto small = static_cast<std::int64_t>(mixed % 101);
        if (value::is_unsigned_integer(type)) { return value::Value::integer(type, small); }
        return value::Value::integer(type, small - 40);
    }

    std::vector<Sizes> sizes_;
    haruspex::sched::Program program_;
    std::map<std::string, value::Type> types_;
    std::vector<std::map<std::pair<std::string, int>, interp::OutputValues>> expected_;
};

std::vector<BaseProgram> base_programs() {
    std::vector<BaseProgram> all = serial_programs();
    for (const std::vector<BaseProgram>& more : {parallel_programs(), lowered_programs()}) {
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

TEST_CASE("the base programs compute what their SAREs say, at every size, and nobody accuses them") {
    for (const BaseProgram& base : base_programs()) {
        const Truth truth(base);
        for (std::size_t i = 0; i < truth.size_count(); ++i) {
            INFO(truth.program().name << " at " << truth.describe(i));
            CHECK(truth.accusation(truth.program(), i).value_or("nobody") == "nobody");
            CHECK(truth.accusation_by_brute_force(truth.program(), i).value_or("nobody") == "nobody");
        }
    }
}

TEST_CASE("of 5,000 mutations the interpreter accuses exactly those that brute force does, at each size") {
    struct Figures {
        int all = 0, detected = 0;
    };
    std::array<Figures, mutation_kinds> by_kind;
    int all = 0;
    for (const BaseProgram& base : base_programs()) {
        const Truth truth(base);
        for (const Mutation& mutation : mutations(truth.program())) {
            const haruspex::sched::Program mutated = apply(truth.program(), mutation);
            bool accused = false;
            for (std::size_t i = 0; i < truth.size_count() && !accused; ++i) {
                const auto found = truth.accusation(mutated, i);
                const auto expected = truth.accusation_by_brute_force(mutated, i);
                accused = found.has_value();
                if (found.has_value() == expected.has_value()) { continue; }
                INFO(truth.program().name << " at " << truth.describe(i) << ", " << name(mutation.kind) << ": "
                                          << mutation.sentence);
                CHECK(found.value_or("nobody") == expected.value_or("nobody"));
            }
            Figures& figures = by_kind[static_cast<std::size_t>(mutation.kind)];
            ++figures.all;
            if (accused) { ++figures.detected; }
            ++all;
        }
    }
    for (std::size_t k = 0; k < mutation_kinds; ++k) {
        const auto kind = static_cast<MutationKind>(k);
        INFO(name(kind) << ": " << by_kind[k].detected << " of " << by_kind[k].all);
        CHECK(by_kind[k].all > 0);
        // Nobody sees that memory stays allocated.
        CHECK((by_kind[k].detected > 0) == !(is_of_prophecy(kind) || kind == MutationKind::free_dropped));
    }
    CHECK(all >= 5000);
}

}  // namespace
}  // namespace haruspex::mutants::sched
