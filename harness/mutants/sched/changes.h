#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/mutants/sched/mutation_kind.h"
#include "harness/sched/syntax.h"

// Possible mutations at one place, well-typed or not. Private to this folder.
namespace haruspex::mutants::sched {

// The use of an expression, as far as mutations depend on it.
enum class Use : std::uint8_t {
    index,     // an index of an access, an affine let or a bound of a loop, or a part of such an index
    factor,    // a factor of a product within such an index
    embedded,  // an index that is converted to a value
    other,     // a value, a condition, a lane
};

// Numbers the suggested changes of a statement, and says which of them is to be made: the one with the given number, or
// none. The others are only counted, because a long statement has many suggestions, and each would be a copy of the
// whole statement.
class ChangeSelector {
public:
    explicit ChangeSelector(std::optional<std::size_t> number) : number_(number) {}

    // Counts the next suggestion, which is of this kind. Returns whether it is to be made.
    bool is_next(MutationKind kind) {
        kinds_.push_back(kind);
        return number_ && *number_ + 1 == kinds_.size();
    }
    // The kinds of all suggestions so far.
    const std::vector<MutationKind>& kinds() const { return kinds_; }

private:
    std::optional<std::size_t> number_;
    std::vector<MutationKind> kinds_;
};

// A replacement for an expression.
struct Rewrite {
    std::string what;  // a clause: "`x` becomes `x + 1`"
    haruspex::sched::Expr expr;
};
using LaneCounts = std::map<std::string, std::int64_t>;  // lane variable in scope -> number of lanes

// Suggests all replacements within the expression, and returns the one that `wish` selects, if it is among them.
std::optional<Rewrite> rewrite(const haruspex::sched::Expr& expr, Use use, const LaneCounts& lanes,
                               ChangeSelector& wish);
// The same for a prophecy.
std::optional<Rewrite> rewrite_of_prophecy(const haruspex::sched::Expr& expr, ChangeSelector& wish);
// Suggests the index minus one and the index plus one, and returns the one that `wish` selects, if it is among them.
std::optional<Rewrite> neighbour(MutationKind kind, const haruspex::sched::Expr& index, ChangeSelector& wish);

// Replaces `count` statements of a block, from position `first` on, by `instead`.
struct Change {
    std::string sentence;
    std::size_t first, count;
    haruspex::sched::Block instead;
};
// Suggests changes of the statement at this position of its block, and returns the one that `wish` selects, if it is
// among them. `stores` are the arrays of the program that may be written.
std::optional<Change> change(const haruspex::sched::Block& block, std::size_t position,
                             const std::vector<std::string>& stores, ChangeSelector& wish);

}  // namespace haruspex::mutants::sched
