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

// The directives that a Halide algorithm admits: Halide's documented rules (rules.h), replayed on a model of each
// stage's loop nest. A schedule that is admitted here and still rejected by the compiler counts as a rejection; an
// internal error of Halide is a finding.
//
// Admission decides which schedules are drawn. A person's schedule is given to the compiler whichever rules it breaks,
// unless it names something that does not exist: a tensor, stage, loop or variable that the algorithm and the preceding
// directives do not have, or a directive or tail strategy that this version does not have. After a directive that
// breaks a rule the model continues as Halide would.
//
// An admitted schedule never changes the meaning of the algorithm. Halide itself accepts some schedules that do,
// without documenting this (Judgement::nobody):
//   reorder or fuse that moves a recurrence variable across another one that the call does not name;
//   a tuple whose last component alone is commutative; a parallel loop that takes in a recurrence variable by fuse;
//   rfactor of an update that does not accumulate, or whose merge is then parallel over the variable that it sums over;
//   two stages of one tensor in the same shared loops; atomic(true) on an update that is not associative;
//   a store level outside a parallel loop of a use that is not the last one.
namespace haruspex::schedule::halide {

// The state of a schedule while its directives are applied one after the other.
class Admission {
public:
    // Copies the parts of the algorithm that it needs.
    Admission(const sare::Algorithm& algorithm, Vocabulary vocabulary);
    ~Admission();
    Admission(const Admission&);
    Admission& operator=(const Admission&);
    Admission(Admission&&) noexcept;
    Admission& operator=(Admission&&) noexcept;

    // Applies the directive, or reports the rule that it breaks and leaves the state unchanged.
    [[nodiscard]] Result<void> apply(const Directive& directive);
    // Applies the directive whichever rules it breaks. An Error only if it names something that does not exist.
    [[nodiscard]] Result<void> take(const Directive& directive);
    // Checks the rules that need the complete schedule (compute and store levels exist and enclose all uses, vectorised
    // loops have constant extents, …).
    [[nodiscard]] Result<void> finish() const;
    // The rules that the directives so far break, whatever directives follow.
    const BrokenRules& broken_so_far() const;
    // All rules that the schedule breaks if it is complete, in the order of the directives. An error if a level names a
    // loop that does not exist.
    [[nodiscard]] std::expected<BrokenRules, UnknownName> broken() const;

    // --- Queries of a generator that proposes directives likely to be admitted ---
    std::vector<std::string> tensors() const;  // in realisation order, with the intermediates of rfactor
    std::vector<StageRef> stages(const std::string& tensor) const;
    const StageNest& nest(const StageRef& stage) const;
    // The number of iterations of each loop of a nest, if constant: in the stage itself, or because one iteration of
    // the loop at which the tensor is computed requires a constant number of cells (extents.h).
    std::vector<std::optional<Extent>> extents(const StageRef& stage) const;
    // Whether the vectorized and unrolled loops of the tensor have suitable constant extents in the schedule so far.
    bool has_fitting_extents(const std::string& tensor) const;
    // Loop levels at which the tensor could be computed: they enclose every use of it.
    std::vector<LoopLevel> compute_levels(const std::string& tensor) const;
    // Loop levels, at or outside its compute level, at which the tensor could be stored.
    std::vector<LoopLevel> store_levels(const std::string& tensor) const;
    bool is_output(const std::string& tensor) const;
    bool is_inlined(const std::string& tensor) const;
    // Whether the directives so far may change the order in which an update accumulates floats (rfactor, reordered or
    // parallel recurrence variables). Results then agree only if the arithmetic is exact.
    bool reorders_float_reductions() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Checks the whole schedule on the algorithm. The error names the directive (by its line in the printed schedule).
[[nodiscard]] Result<void> admits(const sare::Algorithm& algorithm, const Schedule& schedule, Vocabulary vocabulary);

// The rules that the whole schedule breaks, in the order of its directives; none if it is admitted. An error if it
// names something that does not exist.
[[nodiscard]] std::expected<BrokenRules, UnknownName> broken_rules(const sare::Algorithm& algorithm,
                                                                   const Schedule& schedule, Vocabulary vocabulary);
}  // namespace haruspex::schedule::halide
