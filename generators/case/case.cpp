#include "generators/case/case.h"

namespace haruspex::cases {

Case at_sizes(Case c, const std::map<std::string, std::int64_t>& sizes) {
    for (auto& [name, size] : c.sizes) { size = sizes.at(name); }
    return c;
}

}  // namespace haruspex::cases
