#include "generators/case/case.h"

#include "generators/base/sizes.h"

namespace haruspex::cases {

Case at_sizes(Case c, const Sizes& sizes) {
    for (auto& [name, size] : c.sizes) { size = sizes.at(name); }
    return c;
}

}  // namespace haruspex::cases
