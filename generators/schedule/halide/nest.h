#pragma once

#include "generators/schedule/halide/state.h"

// The directives that rewrite one stage's loop nest (Stage::split, fuse, reorder, set_dim_type, specialize in
// Func.cpp).
namespace haruspex::schedule::halide {

// Rewrites one stage. An Error if a directive names something that does not exist; the stage is then half rewritten
// (admission works on a copy). Broken rules are recorded in the state.
class NestDirectives {
public:
    NestDirectives(ScheduleState& state, const StageRef& ref, const TensorState& tensor, StageState& stage)
        : state_(state),
          ref_(ref),
          facts_(tensor.facts->stages[stage_index(ref)]),
          stage_(stage),
          has_float_(tensor.facts->has_float),
          is_tuple_(tensor.facts->function.types.size() > 1) {}

    Result<void> split(const Split& split);
    Result<void> tile(const Tile& tile);
    Result<void> fuse(const Fuse& fuse);
    Result<void> reorder(const std::vector<std::string>& vars);
    Result<void> vectorize(const Vectorize& mark);
    Result<void> unroll(const Unroll& mark);
    Result<void> parallel(const Parallel& mark);
    Result<void> serial(const Serial& mark);
    Result<void> partition(const std::vector<std::string>& vars, Partitioning policy);
    Result<void> partition_all(Partitioning policy);
    Result<void> prefetch(const Prefetch& prefetch);
    Result<void> atomic(const Atomic& atomic);
    Result<void> specialize(const Specialize& specialize);

    bool reordered_floats() const { return reordered_floats_; }

private:
    struct Names {
        std::string old_var, outer, inner;
    };
    Result<void> split_loop(const Names& names, std::int64_t factor, Tail tail);
    [[nodiscard]] Result<void> check_tail(const Loop& old_loop, std::int64_t factor, Tail tail);
    Result<void> mark(const std::string& var, LoopKind kind);
    void set_kind(Loop& loop, LoopKind kind);
    void set_partitioning(Loop& loop, Partitioning policy);
    template <typename Mark>
    Result<void> split_and_mark(const Mark& mark, LoopKind kind, bool mark_outer);
    void check_race(const Loop& loop, LoopKind kind, bool is_looked_at);
    void replace_order(std::vector<Loop> loops, const std::string& what, const std::vector<std::string>& named);
    void breaks(Rule rule, const std::string& words) { state_.breaks(rule, ref_, words); }

    bool is_update() const { return ref_.update.has_value(); }
    bool any_order_is_safe() const {
        return facts_.is_const_assignment || (facts_.operation.associative && facts_.operation.commutative);
    }
    Loop* find(const std::string& var);
    std::unexpected<Error> no_loop(const std::string& var) const;

    ScheduleState& state_;
    const StageRef& ref_;
    const StageFacts& facts_;
    StageState& stage_;
    bool has_float_, is_tuple_;
    bool reordered_floats_ = false;
};

}  // namespace haruspex::schedule::halide
