#include "reports/render/halide/cpp_main.h"

namespace haruspex::render::halide {

std::string Run::all_outputs() const {
    std::vector<std::string> names;
    for (const OutputBuffer& output : outputs) { names.push_back(output.identifier); }
    return names.size() == 1 ? names[0] : "{" + joined(names) + "}";
}

}  // namespace haruspex::render::halide
