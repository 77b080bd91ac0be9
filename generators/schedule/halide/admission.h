#pragma once

#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/sare/algorithm.h"
#include "generators/schedule/halide/directive.h"
#include "generators/schedule/halide/loop_nest.h"
#include "generators/schedule/halide/rules.h"
#include "generators/schedule/halide/vocabulary.h"

// Decides whether Halide's documentation admits a schedule for an algorithm: applies its directives to a model of each
// stage's loop nest, and finds the documented rules (rules.h) that they break. If Halide rejects a schedule that is
// admitted here, this counts as a rejection; an internal error of Halide is a finding.
//
// Admission decides which schedules are drawn. A person's schedule is given to Halide whichever rules it breaks, unless
// it names something that does not exist: a tensor, stage, loop or variable that the algorithm and the preceding
// directives do not have, or a tail strategy that this version does not have. After a directive that breaks a rule the
// model continues as Halide would.
//
// An admitted schedule never changes the meaning of the algorithm. Halide itself accepts some schedules that do,
// without documenting this (Judgement::nobody):
// - A reorder or fuse moves a recurrence variable across another one that the call does not name.
// - The update of a tuple is reordered although only its last component is commutative.
// - A fuse takes a recurrence variable into a parallel loop.
// - rfactor is applied to an update that does not accumulate.
// - After rfactor, the merging update is parallel over the recurrence variable that it sums over.
// - Two stages of one tensor share the same loops of another stage.
// - atomic(true) is given to an update that is not associative.
// - A tensor is stored outside a parallel loop around one of its uses, other than the last use.
namespace haruspex::schedule::halide {

// The state of a schedule while its directives are applied one after the other.
class Admission {
public:
    // Copies the necessary parts of the algorithm.
    Admission(const sare::Algorithm& algorithm, Vocabulary vocabulary);
    ~Admission();
    Admission(const Admission&);
    Admission& operator=(const Admission&);
    Admission(Admission&&) noexcept;
    Admission& operator=(Admission&&) noexcept;

    // Applies the directive. An Error, and no change, if the directive breaks a rule or names something that does not
    // exist.
    [[nodiscard]] Result<void> apply(const Directive& directive);
    // Applies the directive whichever rules it breaks. An Error, and no change, only if it names something that does
    // not exist.
    [[nodiscard]] Result<void> take(const Directive& directive);
    // Checks the rules that need the complete schedule (compute and store levels exist and enclose all uses, vectorized
    // loops have constant extents, …).
    [[nodiscard]] Result<void> finish() const;
    // Returns the rules that the directives so far break, whatever directives follow.
    const BrokenRules& broken_so_far() const;
    // Returns all rules that the directives so far break as a complete schedule, in the order of the directives. An
    // error if a level names a loop that does not exist.
    [[nodiscard]] std::expected<BrokenRules, UnknownName> broken() const;

    // --- Queries for a generator that proposes directives likely to be admitted ---
    std::vector<std::string> tensors() const;  // in realization order, with the intermediates of rfactor
    std::vector<StageRef> stages(const std::string& tensor) const;
    const StageNest& nest(const StageRef& stage) const;
    // Returns the number of iterations of each loop of a nest, if it is constant: in the stage itself, or because one
    // iteration of the loop at which the tensor is computed requires a constant number of cells (extents.h).
    std::vector<std::optional<Extent>> extents(const StageRef& stage) const;
    // Whether the vectorized and unrolled loops of the tensor have suitable constant extents in the schedule so far.
    bool has_fitting_extents(const std::string& tensor) const;
    // Returns the loops at which the tensor could be computed: they enclose every use of it.
    std::vector<LoopLevel> compute_levels(const std::string& tensor) const;
    // Returns the loops, at or outside the tensor's compute level, at which the tensor could be stored.
    std::vector<LoopLevel> store_levels(const std::string& tensor) const;
    // Returns the loops outside the tensor's store level at which its storage could be allocated, and nullopt for the
    // root. None if the tensor is stored at the root or computed inline.
    std::vector<std::optional<LoopLevel>> hoist_levels(const std::string& tensor) const;
    // Returns the tensors and inputs that the stage itself reads, each once, in the order of its reads.
    std::vector<std::string> reads(const StageRef& stage) const;
    // Returns the cells of each dimension that the readers of a tensor require in the schedule so far, its own updates
    // included; nullopt where no exact bounds are known that are linear.
    std::vector<std::optional<sare::Span>> required(const std::string& tensor,
                                                    const std::vector<sare::Output>& outputs) const;
    // Returns for each loop of a nest whether it may always be partitioned (partitioning.h).
    std::vector<bool> may_always_be_partitioned(const StageRef& stage) const;
    bool is_output(const std::string& tensor) const;
    bool is_inlined(const std::string& tensor) const;
    // Whether the directives so far may change the order in which an update accumulates floats (rfactor, reordered or
    // parallel recurrence variables), so that results agree only if the arithmetic is exact.
    bool reorders_float_reductions() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Checks the whole schedule for the algorithm. The error names the directive, by its line in the printed schedule.
[[nodiscard]] Result<void> admits(const sare::Algorithm& algorithm, const Schedule& schedule, Vocabulary vocabulary);

// Returns the rules that the whole schedule breaks, in the order of its directives; none if the schedule is admitted.
// An error if the schedule names something that does not exist.
[[nodiscard]] std::expected<BrokenRules, UnknownName> broken_rules(const sare::Algorithm& algorithm,
                                                                   const Schedule& schedule, Vocabulary vocabulary);
}  // namespace haruspex::schedule::halide
