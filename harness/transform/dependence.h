#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/transform/workshop.h"

// Finds which accesses of a piece of code touch the same cells, and in which order.
namespace haruspex::transform {

// Steps of an update: the tensor and the component that their prophecy names, and the operator; subtraction counts as
// addition.
struct Accumulated {
    std::string stage;
    int component = 0;
    value::BinaryOp op = value::BinaryOp::add;
    bool operator==(const Accumulated&) const = default;
};

// The cell f.s(…) that a write prophesies, also as ⊙ lanes l < n of (f.s(…)); null if it prophesies no cell.
const sched::TensorAccess* prophesied_by(const sched::Write& write);
// Whether a write is an accumulation f[ι] {f.s(…)} := f[ι] ⊙ e, where e does not read f, of one step or of several.
std::optional<Accumulated> accumulated_by(const sched::Write& write);
// Whether the order of the steps does not matter, in the arithmetic of the update's type.
bool allows_any_order(const Accumulated& accumulated, const Workshop& workshop);

// An access in a piece of code.
struct Touch {
    std::string array;
    bool writes = false;
    std::vector<std::string> variables;  // of the piece's loops and lanes around the access
    sare::Condition domain;              // when the access happens, including what is known around the piece
    std::vector<sare::Index> cell;
    // The time of the access within the piece: positions in blocks and variables of loops, from the outside in, and
    // last 0 for a read and 1 for a write. Times are compared lexicographically.
    std::vector<sare::Index> time;
    // For the cell of an accumulation.
    std::optional<Accumulated> accumulated = {};
};

// Return all accesses in the statements, where `around` is known; nullopt if an access is not affine, or if the
// statements contain a construct that is not handled (guards of reads, accumulations, semaphores, …).
std::optional<std::vector<Touch>> touches(const sched::Block& block, const Around& around);
std::optional<std::vector<Touch>> touches(const sched::Stmt& stmt, const Around& around);

// Returns the same touch with the mark appended to its variables, so that two touches may happen in different
// iterations.
Touch marked(const Touch& touch, const std::string& mark);
sare::Index marked(const std::string& variable, const std::string& mark);
// Return the conditions under which the touches are of one cell (of the same array), and under which `a` happens
// earlier.
sare::Condition same_cell(const Touch& a, const Touch& b);
sare::Condition earlier(const Touch& a, const Touch& b);

// The accesses that depend on each other: all that touch one cell, or all but steps of one reduction whose order does
// not matter. Two of these may change places, and run at once if they are atomic.
enum class Dependences : std::uint8_t { all, without_order_of_reductions };

// Whether a touch x in `first` and a touch y in `second` may be of the same cell while `when` holds, where x or y is a
// write. In `when`, the variables of x are marked with ' and those of y with ". Arrays in `local` do not count.
bool conflict(const Workshop& workshop, const std::vector<Touch>& first, const std::vector<Touch>& second,
              const sare::Condition& when, const std::set<std::string>& local = {},
              Dependences dependences = Dependences::all);

}  // namespace haruspex::transform
