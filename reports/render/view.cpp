#include "reports/render/view.h"

#include <algorithm>

#include "generators/base/ensure.h"

namespace haruspex::render {

const View& view(std::string_view compiler) {
    const auto all = registered();
    const auto found = std::ranges::find(all, compiler, &Registered::compiler);
    ENSURE(found != all.end(), "a case names a compiler of this build: \"" + std::string(compiler) + "\"");
    return found->view();
}

}  // namespace haruspex::render
