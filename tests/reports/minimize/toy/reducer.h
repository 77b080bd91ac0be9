#pragma once

#include "reports/minimize/reducer.h"

namespace haruspex::minimize::toy {

const Reducer& reducer();

}  // namespace haruspex::minimize::toy
