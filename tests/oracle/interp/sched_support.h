#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/base/sizes.h"
#include "harness/sched/text.h"
#include "oracle/interp/sched_interpreter.h"
#include "tests/support/catch.h"

namespace haruspex::interp {

inline sched::Program parse_sched(std::string_view text) {
    auto program = sched::parse_program(text, "test");
    if (!program) { FAIL(to_string(program.error())); }
    return *program;
}

// The cell (x, y, z, …) of every tensor holds x + 10 y + 100 z + … + 1000 component, as an i32.
inline value::Value numbered_cells(const std::string&, int component, const std::vector<std::int64_t>& coordinates) {
    std::int64_t sum = 1000 * component;
    std::int64_t weight = 1;
    for (const std::int64_t c : coordinates) {
        sum += weight * c;
        weight *= 10;
    }
    return value::Value::integer(value::Type::i32, sum);
}

// A run of a program given as text; owns the program that the run refers to.
class Run {
public:
    explicit Run(std::string_view text, const Sizes& sizes = {}, const Options& options = {},
                 const TensorValues& inputs = numbered_cells)
        : Run(parse_sched(text), sizes, options, inputs) {}
    explicit Run(sched::Program program, const Sizes& sizes = {}, const Options& options = {},
                 const TensorValues& inputs = numbered_cells)
        : program_(std::move(program)) {
        auto execution = run(program_, sizes, inputs, options);
        if (!execution) { FAIL(to_string(execution.error())); }
        execution_ = *std::move(execution);
    }

    const Execution& execution() const { return execution_; }
    const std::vector<Trouble>& troubles() const { return execution_.troubles; }

    // The output's cells as literals, "0 1 uninit_i32"; i32 values have no type.
    std::string cells(const std::string& output) const {
        const auto found = std::ranges::find(execution_.outputs, output, &FinalArray::array);
        REQUIRE(found != execution_.outputs.end());
        std::string text;
        for (const value::Value& v : found->cells) {
            if (!text.empty()) { text += " "; }
            text +=
                v.is_defined() && v.type() == value::Type::i32 ? std::to_string(v.as_signed()) : value::to_string(v);
        }
        return text;
    }
    // The kinds of trouble in order, "read_write_race write_write_race".
    std::string kinds() const {
        std::string text;
        for (const Trouble& trouble : troubles()) {
            if (!text.empty()) { text += " "; }
            text += name(trouble.kind);
        }
        return text;
    }

private:
    sched::Program program_;
    Execution execution_;
};

// A program with inputs in and g and an output f, all of type i32 and with 12 + N cells.
inline std::string over_f(const std::string& statements) {
    return "sched p(N) {\n  input in : i32[12 + N];\n  input g : i32[12 + N];\n  output f : i32[12 + N];\n" +
           statements + "\n}\n";
}

}  // namespace haruspex::interp
