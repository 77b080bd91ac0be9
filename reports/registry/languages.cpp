#include <array>

#include "generators/schedule/halide/language.h"
#include "generators/schedule/language.h"

namespace haruspex::schedule {

std::span<const Registered> registered() {
    static constexpr std::array all{Registered{"halide", halide::newest_version, halide::language}};
    return all;
}

}  // namespace haruspex::schedule
