#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/transform/workshop.h"

// Works on arrays that a block allocates, and on the statements that may use them.
namespace haruspex::transform {

// Calls change(indices) for each access to the array from this position of the block on.
void for_each_access(sched::Block& block, std::size_t from, const std::string& array,
                     const std::function<void(std::vector<sched::Expr>&)>& change);
// Returns the positions in the block of the first and the last statement from `from` on in which the array occurs.
std::optional<std::pair<std::size_t, std::size_t>> uses(const sched::Block& block, std::size_t from,
                                                        const std::string& array);
bool mentions(const sched::Stmt& stmt, const std::string& array);
bool frees(const sched::Block& block, const std::string& array);
// Removes loops and branches that are empty.
void drop_empty(sched::Block& block);

}  // namespace haruspex::transform
