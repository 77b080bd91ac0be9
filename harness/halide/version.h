#pragma once

#include <Halide.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generators/schedule/halide/directive.h"
#include "generators/schedule/halide/vocabulary.h"

// Everything that differs between the versions of Halide against which this folder compiles: 14, 19 and 21, which are
// tested, and others as far as they are like them. No other file depends on the version. Private to this folder, like every header here that includes Halide.h.

// Halide 14 does not say its version; every later one does.
#ifndef HALIDE_VERSION_MAJOR
#define HALIDE_VERSION_MAJOR 14
#define HALIDE_VERSION_MINOR 0
#define HALIDE_VERSION_PATCH 0
#endif

namespace haruspex::halide {

inline constexpr int version_major = HALIDE_VERSION_MAJOR;

inline std::string version_text() {
    return std::to_string(HALIDE_VERSION_MAJOR) + "." + std::to_string(HALIDE_VERSION_MINOR) + "." +
           std::to_string(HALIDE_VERSION_PATCH);
}

// The directives and tail strategies of this version.
inline constexpr schedule::halide::Vocabulary vocabulary{version_major};

// The tail must be one that this version has.
inline Halide::TailStrategy tail_strategy(schedule::halide::Tail tail) {
    using schedule::halide::Tail;
    switch (tail) {
        case Tail::automatic: return Halide::TailStrategy::Auto;
        case Tail::round_up: return Halide::TailStrategy::RoundUp;
        case Tail::guard_with_if: return Halide::TailStrategy::GuardWithIf;
        case Tail::predicate: return Halide::TailStrategy::Predicate;
        case Tail::predicate_loads: return Halide::TailStrategy::PredicateLoads;
        case Tail::predicate_stores: return Halide::TailStrategy::PredicateStores;
        case Tail::shift_inwards: return Halide::TailStrategy::ShiftInwards;
#if HALIDE_VERSION_MAJOR >= 17
        case Tail::shift_inwards_and_blend: return Halide::TailStrategy::ShiftInwardsAndBlend;
        case Tail::round_up_and_blend: return Halide::TailStrategy::RoundUpAndBlend;
#else
        case Tail::shift_inwards_and_blend:
        case Tail::round_up_and_blend: break;
#endif
    }
    return Halide::TailStrategy::Auto;
}

// The calls of directives that not every version has. The version must have them: see `vocabulary`.
#if HALIDE_VERSION_MAJOR >= 19
inline void hoist_storage(Halide::Func& func, const Halide::LoopLevel& level) { func.hoist_storage(level); }
inline void ring_buffer(Halide::Func& func, int extent) { func.ring_buffer(extent); }
inline void set_partitioning(Halide::Stage stage, const std::vector<Halide::VarOrRVar>& vars,
                             schedule::halide::Partitioning policy) {
    using schedule::halide::Partitioning;
    switch (policy) {
        case Partitioning::automatic:
            for (const Halide::VarOrRVar& var : vars) { stage.partition(var, Halide::Partition::Auto); }
            return;
        case Partitioning::never: stage.never_partition(vars); return;
        case Partitioning::always: stage.always_partition(vars); return;
    }
}
inline void never_partition_all(Halide::Stage stage) { stage.never_partition_all(); }
inline void always_partition_all(Halide::Stage stage) { stage.always_partition_all(); }
#else
inline void hoist_storage(Halide::Func&, const Halide::LoopLevel&) {}
inline void ring_buffer(Halide::Func&, int) {}
inline void set_partitioning(const Halide::Stage&, const std::vector<Halide::VarOrRVar>&,
                             schedule::halide::Partitioning) {}
inline void never_partition_all(const Halide::Stage&) {}
inline void always_partition_all(const Halide::Stage&) {}
#endif

// The place where a function's storage is allocated that its Realize, further inside, describes.
struct Hoisted {
    std::string name;
    Halide::Internal::Stmt body;
};
// Returns nullopt for any other statement. Versions before 19 have none.
inline std::optional<Hoisted> hoisted_storage(const Halide::Internal::Stmt& statement) {
#if HALIDE_VERSION_MAJOR >= 19
    if (const auto* node = statement.as<Halide::Internal::HoistedStorage>()) { return Hoisted{node->name, node->body}; }
#else
    static_cast<void>(statement);
#endif
    return std::nullopt;
}

// Returns the operand if the expression is a bitwise reinterpretation, otherwise null. A reinterpretation is a node of
// its own from version 15 on, and a call in earlier versions.
inline const Halide::Expr* reinterpreted(const Halide::Expr& e) {
#if HALIDE_VERSION_MAJOR >= 15
    const auto* node = e.as<Halide::Internal::Reinterpret>();
    return node == nullptr ? nullptr : &node->value;
#else
    const auto* call = e.as<Halide::Internal::Call>();
    const bool is_one = call != nullptr && call->is_intrinsic(Halide::Internal::Call::reinterpret);
    return is_one ? call->args.data() : nullptr;
#endif
}

// The passes that are hooked (passes.h), in the order in which lowering first calls them: PASS(name, parameters,
// arguments), or ENV_PASS(name, parameters, arguments) if the pass has the parameter `env`, a map from names to
// functions. A pass whose parameters differ between versions has a line for each list of parameters, the older one first:
// simplify, skip_stages and add_atomic_mutex changed after 14, which lacks bound_constant_extent_loops and
// stage_strided_loads. A line that the present version lacks costs nothing: its library never calls that function.
#define HARUSPEX_PASSES(PASS, ENV_PASS)                                                                                \
    ENV_PASS(schedule_functions,                                                                                       \
             (const std::vector<Function>& outputs, const std::vector<std::vector<std::string>>& fused_groups,         \
              const Environment& env, const Target& target, bool& any_memoized),                                       \
             (outputs, fused_groups, env, target, any_memoized))                                                       \
    PASS(add_parameter_checks, (const std::vector<Stmt>& requirements, Stmt s, const Target& target),                  \
         (requirements, s, target))                                                                                    \
    ENV_PASS(clamp_unsafe_accesses, (const Stmt& s, const Environment& env, FuncValueBounds& func_bounds),             \
             (s, env, func_bounds))                                                                                    \
    ENV_PASS(bounds_inference,                                                                                         \
             (Stmt s, const std::vector<Function>& outputs, const std::vector<std::string>& order,                     \
              const std::vector<std::vector<std::string>>& fused_groups, const Environment& env,                       \
              const FuncValueBounds& func_bounds, const Target& target),                                               \
             (s, outputs, order, fused_groups, env, func_bounds, target))                                              \
    ENV_PASS(sliding_window, (const Stmt& s, const Environment& env), (s, env))                                        \
    PASS(uniquify_variable_names, (const Stmt& s), (s))                                                                \
    PASS(simplify,                                                                                                     \
         (const Stmt& s, bool remove_dead_code, const Scope<Interval>& bounds,                                         \
          const Scope<ModulusRemainder>& alignment),                                                                   \
         (s, remove_dead_code, bounds, alignment))                                                                     \
    PASS(simplify,                                                                                                     \
         (const Stmt& s, bool remove_dead_code, const Scope<Interval>& bounds,                                         \
          const Scope<ModulusRemainder>& alignment, const std::vector<Halide::Expr>& assumptions),                     \
         (s, remove_dead_code, bounds, alignment, assumptions))                                                        \
    PASS(simplify_correlated_differences, (const Stmt& s), (s))                                                        \
    ENV_PASS(allocation_bounds_inference, (Stmt s, const Environment& env, const FuncValueBounds& func_bounds),        \
             (s, env, func_bounds))                                                                                    \
    PASS(remove_undef, (Stmt s), (s))                                                                                  \
    ENV_PASS(storage_folding, (const Stmt& s, const Environment& env), (s, env))                                       \
    PASS(skip_stages, (Stmt s, const std::vector<std::string>& order), (s, order))                                     \
    ENV_PASS(skip_stages,                                                                                              \
             (const Stmt& s, const std::vector<Function>& outputs, const std::vector<std::vector<std::string>>& order, \
              const Environment& env),                                                                                 \
             (s, outputs, order, env))                                                                                 \
    ENV_PASS(fork_async_producers, (Stmt s, const Environment& env), (s, env))                                         \
    ENV_PASS(split_tuples, (const Stmt& s, const Environment& env), (s, env))                                          \
    PASS(bound_small_allocations, (const Stmt& s), (s))                                                                \
    ENV_PASS(storage_flattening,                                                                                       \
             (Stmt s, const std::vector<Function>& outputs, const Environment& env, const Target& target),             \
             (s, outputs, env, target))                                                                                \
    ENV_PASS(add_atomic_mutex, (Stmt s, const Environment& env), (s, env))                                             \
    PASS(add_atomic_mutex, (Stmt s, const std::vector<Function>& outputs), (s, outputs))                               \
    PASS(unpack_buffers, (Stmt s), (s))                                                                                \
    PASS(unify_duplicate_lets, (const Stmt& s), (s))                                                                   \
    PASS(reduce_prefetch_dimension, (Stmt s, const Target& target), (s, target))                                       \
    PASS(bound_constant_extent_loops, (const Stmt& s), (s))                                                            \
    PASS(unroll_loops, (const Stmt& s), (s))                                                                           \
    ENV_PASS(vectorize_loops, (const Stmt& s, const Environment& env), (s, env))                                       \
    PASS(rewrite_interleavings, (const Stmt& s), (s))                                                                  \
    PASS(partition_loops, (Stmt s), (s))                                                                               \
    PASS(stage_strided_loads, (const Stmt& s), (s))                                                                    \
    PASS(trim_no_ops, (Stmt s), (s))                                                                                   \
    PASS(inject_early_frees, (const Stmt& s), (s))                                                                     \
    PASS(common_subexpression_elimination, (const Stmt& s, bool lift_all), (s, lift_all))                              \
    PASS(lower_unsafe_promises, (const Stmt& s, const Target& target), (s, target))                                    \
    PASS(flatten_nested_ramps, (const Stmt& s), (s))                                                                   \
    PASS(hoist_loop_invariant_values, (Stmt s), (s))                                                                   \
    PASS(find_intrinsics, (const Stmt& s), (s))

// The programs that are observed under any version (Compiler::passes_of_all_versions): the passes of HARUSPEX_PASSES as
// `lower` calls them, those that it calls again with their numbers.
inline constexpr auto lowering_order = std::to_array<std::string_view>({
    "allocation_bounds_inference",
    "remove_undef",
    "storage_folding",
    "skip_stages",
    "fork_async_producers",
    "split_tuples",
    "simplify_correlated_differences.2",
    "bound_small_allocations",
    "storage_flattening",
    "add_atomic_mutex",
    "unpack_buffers",
    "simplify.2",
    "unify_duplicate_lets",
    "reduce_prefetch_dimension",
    "simplify_correlated_differences.3",
    "bound_constant_extent_loops",
    "unroll_loops",
    "uniquify_variable_names.2",
    "vectorize_loops",
    "simplify.3",
    "rewrite_interleavings",
    "simplify.4",
    "partition_loops",
    "simplify.5",
    "stage_strided_loads",
    "trim_no_ops",
    "simplify_correlated_differences.4",
    "bound_small_allocations.2",
    "inject_early_frees",
    "common_subexpression_elimination",
    "lower_unsafe_promises",
    "flatten_nested_ramps",
    "simplify.6",
    "hoist_loop_invariant_values",
    "find_intrinsics",
    "final",
});

}  // namespace haruspex::halide
