#include "harness/transform/loop_pieces.h"

#include <iterator>
#include <utility>

namespace haruspex::transform {

using namespace haruspex::sched;

std::optional<LoopBounds> bounds_of(const For& loop, const Around& around) {
    const auto min = to_index(loop.min);
    const auto extent = to_index(loop.extent);
    const auto known_min = around.index(loop.min);
    const auto known_extent = around.index(loop.extent);
    if (!min || !extent || !known_min || !known_extent) { return std::nullopt; }
    return LoopBounds{*min, *extent, *known_min, *known_extent};
}

Stmt loop(LoopKind kind, const std::string& variable, const sare::Index& min, const sare::Index& extent, Block body) {
    return {For{kind, variable, expr(min), expr(extent), std::move(body)}};
}

Block at(Block body, const std::string& variable, const sare::Index& index) {
    substitute(body, {{variable, expr(index)}});
    return body;
}

For copied(const For& loop, Workshop& workshop) {
    return std::get<For>(refreshed({{loop}}, workshop.names).front().node);
}

Block copied(const Block& block, Workshop& workshop) { return refreshed(block, workshop.names); }

void replace(const Site& site, Block by) {
    Block& block = *site.block;
    const auto here = block.erase(block.begin() + static_cast<std::ptrdiff_t>(site.position));
    block.insert(here, std::make_move_iterator(by.begin()), std::make_move_iterator(by.end()));
}

}  // namespace haruspex::transform
