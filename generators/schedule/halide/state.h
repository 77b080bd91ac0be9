#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/sare/algorithm.h"
#include "generators/schedule/factoring.h"
#include "generators/schedule/halide/directive.h"
#include "generators/schedule/halide/facts.h"
#include "generators/schedule/halide/loop_nest.h"
#include "generators/schedule/halide/rules.h"
#include "generators/schedule/halide/vocabulary.h"

// The model to which admission applies directives. It follows the contents of Halide's Function, Definition and
// StageSchedule objects.
namespace haruspex::schedule::halide {

// An entry of StageSchedule::splits(). Loops are named by their paths (Loop::path).
struct SplitRecord {
    enum class Kind { split, fuse };
    Kind kind = Kind::split;
    std::string old_var;  // the loop that is split; for a fuse, the fused loop
    std::string outer, inner;
    std::int64_t factor = 0;
    std::optional<std::int64_t> old_extent = {};  // of the loop that is split, if constant
    Tail tail = Tail::automatic;  // for a split never `automatic`, but the tail strategy that Halide uses
    std::size_t directive = 0;    // index in the schedule
};

struct PrefetchState {
    Prefetch prefetch;
    std::size_t directive = 0;
};

struct StageState {
    StageNest nest;
    std::vector<SplitRecord> splits;
    std::optional<LoopLevel> computed_with;
    std::size_t computed_with_directive = 0;
    bool override_associativity = false;
    std::vector<PrefetchState> prefetches;
    // The branches that specialize() makes, with their conditions. A branch begins as a copy of the stage at that call,
    // without the stage's specializations.
    std::vector<sare::Condition> conditions;
    std::vector<StageState> specializations;
    std::size_t specialize_directive = 0;  // the last specialize() of the stage
};

struct Placement {
    enum class Kind { inlined, root, at };
    Kind kind = Kind::inlined;
    LoopLevel level;            // for `at`: Halide considers the tensor and the loop's name only, not the stage
    std::size_t directive = 0;  // the directive that set the placement
    bool operator==(const Placement& other) const {
        return kind == other.kind &&
               (kind != Kind::at || (level.stage.tensor == other.level.stage.tensor && level.var == other.level.var));
    }
};

struct BoundState {
    std::string var;
    std::optional<sare::Index> min;           // set by bound
    std::optional<sare::Index> extent;        // set by bound and bound_extent
    std::int64_t modulus = 0, remainder = 0;  // set by align_bounds; 0 without it
    std::size_t directive = 0;
};

struct FoldState {
    std::string var;
    std::int64_t factor = 0;
    bool forward = true;
    std::size_t directive = 0;
};

struct TensorState {
    std::shared_ptr<const Facts> facts;
    std::vector<StageState> stages;
    Placement compute;
    std::optional<Placement> store;             // absent: the tensor is stored where it is computed
    std::optional<Placement> hoist;             // absent: the storage is allocated at the store level
    std::optional<std::size_t> ring_directive;  // of ring_buffer
    std::vector<BoundState> bounds;
    std::vector<FoldState> folds;
    bool is_output = false;
    bool is_async = false;
    std::size_t async_directive = 0;

    const std::string& name() const { return facts->function.name; }
    const Placement& store_level() const { return store ? *store : compute; }
    bool has_updates() const { return stages.size() > 1; }
    // Whether the tensor is computed at its uses, without a loop nest of its own.
    bool is_inlined() const { return compute.kind == Placement::Kind::inlined && !has_updates(); }
};

// Everything that admission knows of a schedule so far. Cheap to copy: facts are shared.
struct ScheduleState {
    Vocabulary vocabulary;
    std::shared_ptr<const std::vector<std::string>> parameters;
    std::vector<TensorState> tensors;  // in realization order
    std::vector<std::string> input_names;
    std::vector<Factoring> factorings;  // one for each rfactor, in the order of the directives
    std::size_t directives = 0;         // how many are applied so far
    bool reorders_float_reductions = false;
    BrokenRules broken;  // the rules that the directives so far break
    bool is_followed =
        true;  // false after an rfactor that the model cannot follow: later directives are counted, not checked

    // Records that the current directive breaks the rule.
    void breaks(Rule rule, const StageRef& stage, const std::string& words);

    TensorState* find(const std::string& tensor);
    const TensorState* find(const std::string& tensor) const;
    // Null if there is no such stage or specialization.
    StageState* find(const StageRef& stage);
    const StageState* find(const StageRef& stage) const;
};

// A stage that reads a tensor.
struct Reader {
    const TensorState* tensor = nullptr;
    std::size_t stage = 0;
};
// Whether stages of the tensor itself count as its readers.
enum class OwnReads : std::uint8_t { count, do_not_count };
// Returns the only stage that reads the tensor, which may be a stage of an inlined tensor; nullopt if no stage or
// several stages read it.
std::optional<Reader> only_reader(const ScheduleState& state, const std::string& tensor, OwnReads own_reads);

// Returns the index of the stage in TensorState::stages: 0 for the pure definition.
inline std::size_t stage_index(const StageRef& stage) {
    return stage.update ? static_cast<std::size_t>(*stage.update) + 1 : 0;
}

// Returns the nest that Halide gives a definition: recurrence variables innermost, then the pure variables.
StageState initial_stage(const Facts& facts, std::size_t index);
TensorState initial_tensor(std::shared_ptr<const Facts> facts);

ScheduleState initial_state(const sare::Algorithm& algorithm, Vocabulary vocabulary);

// Returns a message about a stage: "\"f\": there is no loop over \"q\"".
std::string said_of(const StageRef& stage, const std::string& words);
std::unexpected<Error> refuse(const StageRef& stage, const std::string& words);

}  // namespace haruspex::schedule::halide
