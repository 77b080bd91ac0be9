#include <array>

#include "reports/minimize/halide/reducer.h"
#include "reports/minimize/reducer.h"
#include "reports/render/halide/view.h"
#include "reports/render/view.h"

namespace haruspex {

std::span<const minimize::Registered> minimize::registered() {
    static constexpr std::array all{Registered{"halide", halide::reducer}};
    return all;
}

std::span<const render::Registered> render::registered() {
    static constexpr std::array all{Registered{"halide", halide::view}};
    return all;
}

}  // namespace haruspex
