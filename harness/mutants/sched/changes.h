#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/mutants/sched/mutations.h"
#include "harness/sched/syntax.h"

// What could be made wrong at one place, well-typed or not. Private to this folder.
namespace haruspex::mutants::sched {

// What an expression is for, as far as mutations ask.
enum class Use : std::uint8_t {
    index,     // an index of an access, an affine let or a bound of a loop
    factor,    // in one of these, the factor of a product
    embedded,  // the index that a value embeds
    other,     // a value, a condition, a lane
};

// An expression as it could be instead.
struct Rewrite {
    MutationKind kind;
    std::string what;  // a clause: "`x` becomes `x + 1`"
    haruspex::sched::Expr expr;
};
using LaneCounts = std::map<std::string, std::int64_t>;  // of the lanes in scope, by variable

std::vector<Rewrite> rewrites(const haruspex::sched::Expr& expr, Use use, const LaneCounts& lanes);
// Of a prophecy, or of a reduced index.
std::vector<Rewrite> rewrites_of_prophecy(const haruspex::sched::Expr& expr);
// The index less one, and plus one.
std::vector<Rewrite> neighbours(MutationKind kind, const haruspex::sched::Expr& index);

// Statements of a block that others take the place of: `count` of them from number `first` on.
struct Change {
    MutationKind kind;
    std::string sentence;
    std::size_t first, count;
    haruspex::sched::Block instead;
};
// What the statement at this position of its block suggests. `stores` are the arrays of the program that may be
// written.
std::vector<Change> changes(const haruspex::sched::Block& block, std::size_t position,
                            const std::vector<std::string>& stores);

}  // namespace haruspex::mutants::sched
