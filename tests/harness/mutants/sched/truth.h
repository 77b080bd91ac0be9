#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generators/base/choice.h"
#include "generators/base/sizes.h"
#include "generators/sare/text.h"
#include "harness/sched/text.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/interp/sched_interpreter.h"
#include "tests/harness/mutants/sched/base_programs.h"
#include "tests/support/catch.h"
#include "tests/support/naive_sched.h"

namespace haruspex::mutants::sched {
using Cell = std::vector<std::int64_t>;

// A base program at its sizes, with the expected values of its outputs.
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

    // Why the program is wrong at the sizes with this number; nullopt if it is right.
    std::optional<std::string> accusation(const haruspex::sched::Program& program, std::size_t number) const {
        const auto inputs = [this](const std::string& t, int c, const Cell& cell) { return input(t, c, cell); };
        const auto execution = interp::run(program, sizes_[number], inputs);
        if (!execution) { FAIL(to_string(execution.error())); }
        if (!execution->troubles.empty()) { return to_string(execution->troubles.front()); }
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

}  // namespace haruspex::mutants::sched
