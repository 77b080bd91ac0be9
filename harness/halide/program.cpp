#include "harness/halide/program.h"

#include "generators/base/ensure.h"

namespace haruspex::halide {

void set_sizes(Program& program, const Sizes& sizes) {
    for (auto& [name, param] : program.parameters) {
        const auto size = sizes.find(name);
        ENSURE(size != sizes.end(), "parameter " + name + " has a size");
        param.set(static_cast<int>(size->second));
    }
}

}  // namespace haruspex::halide
