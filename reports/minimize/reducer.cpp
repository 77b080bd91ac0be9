#include "reports/minimize/reducer.h"

#include <algorithm>

#include "generators/base/ensure.h"

namespace haruspex::minimize {

const Reducer& reducer(std::string_view compiler) {
    const auto all = registered();
    const auto found = std::ranges::find(all, compiler, &Registered::compiler);
    ENSURE(found != all.end(), "a case names a compiler of this build: \"" + std::string(compiler) + "\"");
    return found->reducer();
}

}  // namespace haruspex::minimize
