#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generators/base/alternatives.h"
#include "generators/sare/syntax.h"
#include "generators/schedule/schedule.h"

// Halide's schedules: lists of directives on tensors and their stages, as data.
//
//   schedule  ::= directive*                                 one to a line, "#" starts a comment
//   directive ::= stage "." action
//   stage     ::= tensor [ ".update(" n ")" ] [ ".specialize[" i "]" ]
//   action    ::= "split(" old "," outer "," inner "," factor ["," tail] ")" | …
//
// Every action is spelt as the C++ call that makes it in Halide, so that a schedule can be pasted from and into a
// program:
//   bv.tile(x, y, xo, yo, xi, yi, 8, 4, GuardWithIf)
//   bv.vectorize(xi)
//   bh.compute_at(bv, yo)              bh.compute_at(D.update(0), ko)
//   D.update(0).rfactor(ko, u, D_intm)
//   bv.specialize(W >= 64)             the branch is then bv.specialize[0]
//   bv.bound(x, 0, W)
// Updates count from 0, as in Halide.
namespace haruspex::schedule::halide {

struct StageRef {
    std::string tensor;
    std::optional<int> update;          // absent: the pure definition
    std::optional<int> specialization;  // number of a specialize() of this stage, from 0
    bool operator==(const StageRef&) const = default;
};

enum class Tail : std::uint8_t {
    automatic,
    round_up,
    guard_with_if,
    predicate,
    predicate_loads,
    predicate_stores,
    shift_inwards,
    shift_inwards_and_blend,
    round_up_and_blend,
};

struct Split {
    std::string old_var, outer, inner;
    std::int64_t factor;
    Tail tail = Tail::automatic;
    bool operator==(const Split&) const = default;
};
struct Tile {
    std::string x, y, x_outer, y_outer, x_inner, y_inner;
    std::int64_t x_factor, y_factor;
    Tail tail = Tail::automatic;
    bool operator==(const Tile&) const = default;
};
struct Fuse {
    std::string inner, outer, fused;
    bool operator==(const Fuse&) const = default;
};
struct Reorder {
    std::vector<std::string> vars;  // innermost first
    bool operator==(const Reorder&) const = default;
};
// With a factor, vectorize, unroll and parallel first split the loop, and then mark the inner loop (vectorize, unroll)
// or the outer loop (parallel).
struct Vectorize {
    std::string var;
    std::optional<std::int64_t> factor;
    Tail tail = Tail::automatic;
    bool operator==(const Vectorize&) const = default;
};
struct Unroll {
    std::string var;
    std::optional<std::int64_t> factor;
    Tail tail = Tail::automatic;
    bool operator==(const Unroll&) const = default;
};
struct Parallel {
    std::string var;
    std::optional<std::int64_t> factor;
    Tail tail = Tail::automatic;
    bool operator==(const Parallel&) const = default;
};
struct Serial {
    std::string var;
    bool operator==(const Serial&) const = default;
};
// Whether a loop is cut where a condition that holds in most of its iterations begins and ceases to hold. Changes
// nothing of the meaning.
enum class Partitioning : std::uint8_t { automatic, never, always };
struct Partition {
    std::string var;
    Partitioning policy = Partitioning::automatic;
    bool operator==(const Partition&) const = default;
};
struct NeverPartition {
    std::vector<std::string> vars;
    bool operator==(const NeverPartition&) const = default;
};
struct AlwaysPartition {
    std::vector<std::string> vars;
    bool operator==(const AlwaysPartition&) const = default;
};
struct NeverPartitionAll {
    bool operator==(const NeverPartitionAll&) const = default;
};
struct AlwaysPartitionAll {
    bool operator==(const AlwaysPartitionAll&) const = default;
};
// What is fetched of a region that reaches beyond what is stored.
enum class FetchBound : std::uint8_t { guard_with_if, clamp, non_faulting };
// In each iteration of the loop `at`, fetches into the cache what the body reads of a tensor or an input when the loop
// `from`, which is `at` or a loop around it, is `offset` further. Changes nothing of the meaning.
struct Prefetch {
    std::string tensor;
    std::string at, from;
    std::int64_t offset = 1;
    FetchBound bound = FetchBound::guard_with_if;
    bool operator==(const Prefetch&) const = default;
};
// A loop of another tensor's stage.
struct LoopLevel {
    StageRef stage;
    std::string var;
    bool operator==(const LoopLevel&) const = default;
};
struct ComputeRoot {
    bool operator==(const ComputeRoot&) const = default;
};
struct ComputeInline {
    bool operator==(const ComputeInline&) const = default;
};
struct ComputeAt {
    LoopLevel level;
    bool operator==(const ComputeAt&) const = default;
};
struct StoreRoot {
    bool operator==(const StoreRoot&) const = default;
};
struct StoreAt {
    LoopLevel level;
    bool operator==(const StoreAt&) const = default;
};
// Allocates the storage at a loop outside the store level, large enough for each iteration of the loops between. Cells
// keep their values only within the store level all the same.
struct HoistStorage {
    LoopLevel level;
    bool operator==(const HoistStorage&) const = default;
};
struct HoistStorageRoot {
    bool operator==(const HoistStorageRoot&) const = default;
};
struct Bound {
    std::string var;
    sare::Index min, extent;  // over the parameters
    bool operator==(const Bound&) const = default;
};
struct BoundExtent {
    std::string var;
    sare::Index extent;
    bool operator==(const BoundExtent&) const = default;
};
struct AlignBounds {
    std::string var;
    std::int64_t modulus, remainder = 0;
    bool operator==(const AlignBounds&) const = default;
};
struct ReorderStorage {
    std::vector<std::string> vars;  // innermost first
    bool operator==(const ReorderStorage&) const = default;
};
struct FoldStorage {
    std::string var;
    std::int64_t factor;
    bool forward = true;
    bool operator==(const FoldStorage&) const = default;
};
// Pads the stored extent up to a multiple of the alignment. No effect on an output, whose storage is the caller's, nor
// on an inlined tensor.
struct AlignStorage {
    std::string var;
    std::int64_t alignment;
    bool operator==(const AlignStorage&) const = default;
};
// Keeps this many copies of hoisted storage, which the iterations of the loops between its allocation and the store
// level use in turn. No effect on an output, nor on an inlined tensor.
struct RingBuffer {
    std::int64_t extent;
    bool operator==(const RingBuffer&) const = default;
};
struct Specialize {
    sare::Condition condition;  // over the parameters
    bool operator==(const Specialize&) const = default;
};
struct Atomic {
    bool override_associativity_test = false;
    bool operator==(const Atomic&) const = default;
};
struct RFactor {
    std::vector<std::pair<std::string, std::string>> preserved;  // recurrence variable -> new pure variable
    std::string intermediate;                                    // the new tensor's name
    bool operator==(const RFactor&) const = default;
};
enum class Align : std::uint8_t { automatic, start, end, none };
struct ComputeWith {
    LoopLevel level;
    Align align = Align::automatic;
    bool operator==(const ComputeWith&) const = default;
};

// The tensor is computed by a task of its own while its consumers run.
struct Async {
    bool operator==(const Async&) const = default;
};

using Action = Alternatives<Split, Tile, Fuse, Reorder, Vectorize, Unroll, Parallel, Serial, Partition, NeverPartition,
                            AlwaysPartition, NeverPartitionAll, AlwaysPartitionAll, Prefetch, ComputeRoot,
                            ComputeInline, ComputeAt, StoreRoot, StoreAt, HoistStorage, HoistStorageRoot, Bound,
                            BoundExtent, AlignBounds, ReorderStorage, FoldStorage, AlignStorage, RingBuffer, Specialize,
                            Atomic, RFactor, ComputeWith, Async>;

struct Directive {
    StageRef stage;
    Action action;
    bool operator==(const Directive&) const = default;
};

// Returns one line: "bv.tile(x, y, xo, yo, xi, yi, 8, 4, GuardWithIf)".
std::string print(const Directive& directive);
// Returns the action's name: "tile".
std::string kind_of(const Directive& directive);

struct Schedule {
    std::vector<Directive> directives;
    bool operator==(const Schedule&) const = default;
};

// Every directive must be Halide's (ENSURE).
Schedule typed(const schedule::Schedule& schedule);
schedule::Schedule untyped(Schedule schedule);

}  // namespace haruspex::schedule::halide
