#include <array>

#include "harness/compiler/compilers.h"
#include "tests/harness/toy/toy_compiler.h"

std::span<const haruspex::compiler::Registered> haruspex::compiler::registered() {
    static constexpr std::array all{Registered{"toy", toy::make_toy, nullptr}};
    return all;
}
