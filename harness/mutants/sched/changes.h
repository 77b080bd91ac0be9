#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
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

// Counts what is suggested, and makes one of it: of a long statement there is as much as it has parts, and each is a
// copy of the whole.
class Wish {
public:
    explicit Wish(std::optional<std::size_t> number) : number_(number) {}

    // Whether the next suggestion, which is of this kind, is the one to be made.
    bool is_next(MutationKind kind) {
        kinds_.push_back(kind);
        return number_ && *number_ + 1 == kinds_.size();
    }
    // Of all suggestions so far.
    const std::vector<MutationKind>& kinds() const { return kinds_; }

private:
    std::optional<std::size_t> number_;
    std::vector<MutationKind> kinds_;
};

// An expression as it could be instead.
struct Rewrite {
    std::string what;  // a clause: "`x` becomes `x + 1`"
    haruspex::sched::Expr expr;
};
using LaneCounts = std::map<std::string, std::int64_t>;  // of the lanes in scope, by variable

// These suggest all that the expression could be, and give the one that is wished for, if it is among them.
std::optional<Rewrite> rewrite(const haruspex::sched::Expr& expr, Use use, const LaneCounts& lanes, Wish& wish);
// Of a prophecy, or of a reduced index.
std::optional<Rewrite> rewrite_of_prophecy(const haruspex::sched::Expr& expr, Wish& wish);
// The index less one, and plus one.
std::optional<Rewrite> neighbour(MutationKind kind, const haruspex::sched::Expr& index, Wish& wish);

// Statements of a block that others take the place of: `count` of them from number `first` on.
struct Change {
    std::string sentence;
    std::size_t first, count;
    haruspex::sched::Block instead;
};
// What the statement at this position of its block suggests; the change that is wished for, if it is among them.
// `stores` are the arrays of the program that may be written.
std::optional<Change> change(const haruspex::sched::Block& block, std::size_t position,
                             const std::vector<std::string>& stores, Wish& wish);

}  // namespace haruspex::mutants::sched
