#include "oracle/interp/sched_interpreter.h"

#include <algorithm>
#include <functional>

#include "generators/base/ensure.h"
#include "generators/base/sizes.h"
#include "oracle/interp/sched_compile.h"
#include "oracle/interp/sched_machine.h"

namespace haruspex::interp {
namespace {

// Notes in the first execution where the final memory of the other one differs.
void compare_memories(Execution& first, const Execution& other, bool ignores_sign_of_zero) {
    const auto note = [&](const std::string& array) {
        first.troubles.push_back({TroubleKind::order_matters,
                                  array,
                                  {},
                                  {},
                                  {},
                                  "what is in " + array + " depends on the order in which branches take turns"});
    };
    const auto is_same = [ignores_sign_of_zero](const value::Value& a, const value::Value& b) {
        return loops::is_same(a, b, ignores_sign_of_zero);
    };
    const auto differs = [&](const FinalArray& a, const FinalArray& b) {
        return !std::ranges::equal(a.cells, b.cells, is_same);
    };
    const auto [array, unused] = std::ranges::mismatch(first.outputs, other.outputs, std::not_fn(differs));
    if (array != first.outputs.end()) { return note(array->array); }
    const auto same = [&](const PaddingCell& a, const PaddingCell& b) { return is_same(a.value, b.value); };
    const auto [cell, unused_too] = std::ranges::mismatch(first.padding, other.padding, same);
    if (cell != first.padding.end()) { note(cell->array); }
}

std::ptrdiff_t harmful(const Execution& execution) {
    return std::ranges::count_if(execution.troubles, std::not_fn(is_harmless), &Trouble::kind);
}

}  // namespace

Result<Execution> run(const sched::Program& program, const Sizes& parameters, const TensorValues& inputs,
                      const Options& options) {
    constexpr std::int64_t greatest_multiple = std::int64_t{1} << 20;
    ENSURE(!options.padding || (options.padding->multiple >= 1 && options.padding->multiple <= greatest_multiple),
           "extents are rounded up to a multiple from 1 to 2^20");
    ENSURE(options.interleavings >= 1, "a program is run at least once");
    const auto code = loops::compile(program, parameters, options.prophesied != nullptr);
    if (!code) { return fail(code.error()); }
    auto first = loops::Machine(*code, program, inputs, options, loops::Turns(0)).run();
    Options again = options;
    if (options.prophesied) {
        again.prophesied = [](const ProphesiedWrite&) {};
    }
    for (std::uint32_t i = 1; first && first->cut_short.empty() && code->strands > 1 && i < options.interleavings;
         ++i) {
        auto other = loops::Machine(*code, program, inputs, again, loops::Turns(i)).run();
        if (!other) { return other; }
        other->steps += first->steps;
        if (harmful(*other) > harmful(*first)) { return other; }
        first->steps = other->steps;
        if (harmful(*first) == 0) { compare_memories(*first, *other, options.ignores_sign_of_zero); }
    }
    return first;
}

}  // namespace haruspex::interp
