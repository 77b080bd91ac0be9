#include "oracle/interp/sched_execution.h"

#include <algorithm>
#include <cstddef>

#include "generators/base/assignments.h"

namespace haruspex::interp {

std::string to_string(const Trouble& trouble) {
    std::string text = trouble.what;
    // Of a trouble between branches there is no statement.
    if (!trouble.statement.empty()) { text += ": `" + trouble.statement + "`"; }
    return trouble.position.empty() ? text : text + " at " + assignments(trouble.position);
}

const value::Value* cell_of(const FinalArray& array, const std::vector<std::int64_t>& cell) {
    std::size_t position = 0, stride = 1;
    if (array.min.size() != std::max<std::size_t>(cell.size(), 1) && array.min.size() != cell.size()) {
        return nullptr;
    }
    for (std::size_t d = 0; d < cell.size(); ++d) {
        const std::int64_t offset = cell[d] - array.min[d];
        if (offset < 0 || offset >= array.extent[d]) { return nullptr; }
        position += static_cast<std::size_t>(offset) * stride;
        stride *= static_cast<std::size_t>(array.extent[d]);
    }
    return position < array.cells.size() ? &array.cells[position] : nullptr;
}

}  // namespace haruspex::interp
