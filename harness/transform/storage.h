#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/transform/workshop.h"

// Works on arrays that a block allocates, and on the statements that may use them.
namespace haruspex::transform {

// Calls change(indices) for each access to the array in the block's statements from position `from` on.
void for_each_access(sched::Block& block, std::size_t from, const std::string& array,
                     const std::function<void(std::vector<sched::Expr>&)>& change);
// Returns the positions of the first and the last statement, from position `from` of the block on, in which the array
// occurs; nullopt if it occurs in none.
std::optional<std::pair<std::size_t, std::size_t>> uses(const sched::Block& block, std::size_t from,
                                                        const std::string& array);
bool mentions(const sched::Stmt& stmt, const std::string& array);
bool frees(const sched::Block& block, const std::string& array);
// Removes loops without a body, and branches with two empty blocks.
void drop_empty(sched::Block& block);

}  // namespace haruspex::transform
