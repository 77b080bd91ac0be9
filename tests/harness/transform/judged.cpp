#include "tests/harness/transform/judged.h"

#include <algorithm>

#include "generators/sare/build.h"
#include "harness/sched/text.h"
#include "harness/transform/specification.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/interp/sched_interpreter.h"

namespace haruspex::transform {

namespace {

using Cell = std::vector<std::int64_t>;

std::string to_string(const std::string& tensor, int component, const Cell& cell) {
    std::string text = tensor + "[" + std::to_string(component) + "](";
    for (const std::int64_t c : cell) { text += std::to_string(c) + " "; }
    return text + ")";
}

class Judge {
public:
    Judge(const sare::Sare& sare, const sched::Program& program, const Sizes& sizes, std::uint64_t seed)
        : sare_(sare),
          program_(program),
          sizes_(sizes),
          seed_(seed),
          reference_(sare, sizes, [this](const auto& name, const Cell& cell) { return input(name, cell); }) {}

    Judged verdict(Prophecies prophecies) {
        interp::Options options;
        if (prophecies == Prophecies::of_values) {
            options.prophesied = [this](const interp::ProphesiedWrite& write) { compare(write); };
        }
        const auto execution = interp::run(
            program_, sizes_, [this](const std::string& name, int, const Cell& cell) { return input(name, cell); },
            options);
        if (!execution) {
            blame(execution.error().message);
            return judged_;
        }
        for (const interp::Trouble& trouble : execution->troubles) { blame(to_string(trouble)); }
        for (const interp::FinalArray& array : execution->outputs) { compare(array); }
        return judged_;
    }

private:
    void blame(const std::string& what) {
        if (judged_.wrong.empty()) { judged_.wrong = what; }
    }

    value::Value input(const std::string& name, const Cell& cell) const {
        std::uint64_t hash = seed_;
        for (const char c : name) { hash = derive_seed(hash, static_cast<std::uint64_t>(c)); }
        for (const std::int64_t c : cell) { hash = derive_seed(hash, static_cast<std::uint64_t>(c)); }
        return input_value(std::ranges::find(sare_.inputs, name, &sare::Input::name)->type, hash);
    }

    void compare(const interp::ProphesiedWrite& write) {
        if (!write.value.is_defined()) { return; }
        const auto expected = reference_.evaluate(write.tensor, write.component, write.coordinates);
        if (!expected) {
            blame(expected.error().message);
            return;
        }
        if (!expected->is_defined()) { return; }
        ++judged_.prophesied;
        if (!value::same_result(*expected, write.value)) {
            blame(to_string(write.tensor, write.component, write.coordinates) + " is " + value::to_string(*expected) +
                  ", but written is " + value::to_string(write.value));
        }
    }

    void compare(const interp::FinalArray& array) {
        const auto output = std::ranges::find(sare_.outputs, array.tensor, &sare::Output::tensor);
        Cell low, high;
        for (const sare::Span& span : output->box) {
            low.push_back(sare::evaluate(span.min, sizes_));
            high.push_back(low.back() + sare::evaluate(span.extent, sizes_));
        }
        Cell cell = array.min;
        for (const value::Value& found : array.cells) {
            bool requested = true;
            for (std::size_t d = 0; d < cell.size(); ++d) {
                requested = requested && low[d] <= cell[d] && cell[d] < high[d];
            }
            if (requested) { compare(array, cell, found); }
            for (std::size_t d = 0; d < cell.size(); ++d) {
                if (++cell[d] < array.min[d] + array.extent[d]) { break; }
                cell[d] = array.min[d];
            }
        }
        for (std::size_t d = 0; d < low.size(); ++d) {
            if (high[d] > low[d] && (low[d] < array.min[d] || high[d] > array.min[d] + array.extent[d])) {
                blame(array.array + " has not all the cells that are requested");
            }
        }
    }

    void compare(const interp::FinalArray& array, const Cell& cell, const value::Value& found) {
        const auto expected = reference_.evaluate(array.tensor, array.component, cell);
        if (!expected) {
            blame(expected.error().message);
            return;
        }
        if (!expected->is_defined()) { return; }
        ++judged_.cells;
        if (!found.is_defined() || !value::same_result(*expected, found)) {
            blame("the output " + to_string(array.tensor, array.component, cell) + " should be " +
                  value::to_string(*expected) + " and is " + value::to_string(found));
        }
    }

    const sare::Sare& sare_;
    const sched::Program& program_;
    const Sizes& sizes_;
    std::uint64_t seed_;
    interp::SareInterpreter reference_;
    Judged judged_;
};

}  // namespace

Sizes draw_sizes(const sare::Sare& sare, int number, Choices& choices) {
    // Each assumption concerns one parameter, and 8 satisfies all of them.
    Sizes sizes;
    for (const std::string& parameter : sare.parameters) {
        Sizes others;
        for (const std::string& other : sare.parameters) { others[other] = 8; }
        others[parameter] = number == 0 ? 0 : choices.integer(0, 11);
        while (!sare::evaluate(sare.assumptions, others)) { ++others[parameter]; }
        sizes[parameter] = others[parameter];
    }
    return sizes;
}

Judged judge(const sare::Sare& sare, const sched::Program& program, const Sizes& sizes, std::uint64_t seed,
             Prophecies prophecies) {
    return Judge(sare, program, sizes, seed).verdict(prophecies);
}

}  // namespace haruspex::transform
