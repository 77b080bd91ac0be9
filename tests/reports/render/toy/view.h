#pragma once

#include "reports/render/view.h"

namespace haruspex::render::toy {

const View& view();

}  // namespace haruspex::render::toy
