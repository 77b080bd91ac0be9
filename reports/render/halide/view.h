#pragma once

#include "reports/render/view.h"

namespace haruspex::render::halide {

const View& view();

}  // namespace haruspex::render::halide
