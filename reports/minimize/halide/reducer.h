#pragma once

#include "reports/minimize/reducer.h"

namespace haruspex::minimize::halide {

const Reducer& reducer();

}  // namespace haruspex::minimize::halide
