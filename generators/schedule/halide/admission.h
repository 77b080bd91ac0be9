#pragma once

#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/sare/algorithm.h"
#include "generators/schedule/directive.h"
#include "generators/schedule/halide/rules.h"
#include "generators/schedule/halide/vocabulary.h"

// Which directives a Halide algorithm admits: Halide's documented rules (rules.h), replayed on a model of each stage's
// loop nest. What is admitted here and still rejected by the compiler is counted as a rejection; what Halide rejects
// with an internal error is a finding.
//
// Admission decides what is drawn. What a person wrote is put to the compiler, whichever rules it breaks, unless it
// names what does not exist: a tensor, a stage, a loop or a variable that the algorithm and the directives before do
// not have, or a directive or a tail strategy that this version does not have. The model goes on with a directive that
// breaks a rule as Halide would.
//
// A schedule that is admitted never changes what the algorithm means. Halide itself lets some pass that do, without a
// word in its documentation (Judgement::nobody):
//   reorder or fuse that moves a recurrence variable across another one that the call does not name;
//   a tuple whose last component alone is commutative; a parallel loop that takes in a recurrence variable by fuse;
//   rfactor of an update that does not accumulate, or whose merge is then parallel over what it sums up;
//   two stages of one tensor in the same shared loops; atomic(true) on what is not associative;
//   a store level outside a parallel loop of a use that is not the last one.
namespace haruspex::schedule::halide {

enum class LoopKind { serial, parallel, vectorized, unrolled };

struct Loop {
    // The name by which directives call it. Empty for a loop that Halide names itself: the new one of vectorize, unroll
    // and parallel with a factor.
    std::string var;
    LoopKind kind = LoopKind::serial;
    bool is_rvar = false;                // stems from a recurrence variable (also after split and fuse)
    bool reorder_safe = true;            // rvars: whether Halide proves that its iterations may be reordered
    bool taken_for_safe = false;         // rvars: Halide goes on to take it for reorder_safe, which rfactor has ended
    std::optional<std::int64_t> extent;  // when a constant of the stage itself: the inner loop of a split
    std::string path;                    // Halide's own name: "x.xo" for the outer loop xo of a split of x
    std::size_t marked_by = 0;           // the directive that made it of this kind
    bool operator==(const Loop&) const = default;
};

// How often a loop runs, where that is a constant.
struct Extent {
    std::int64_t iterations = 1;
    // Otherwise it may run less often, where a tail strategy guards the end: Halide proves only that it runs no more
    // often, which is enough to unroll it.
    bool is_exact = true;
};

// One stage's loop nest, innermost loop first.
struct StageNest {
    std::vector<Loop> loops;
    bool atomic = false;
    bool operator==(const StageNest&) const = default;
};

// The state of a schedule while its directives are applied one after the other.
class Admission {
public:
    // Keeps a copy of what it needs of the algorithm.
    Admission(const sare::Algorithm& algorithm, Vocabulary vocabulary);
    ~Admission();
    Admission(const Admission&);
    Admission& operator=(const Admission&);
    Admission(Admission&&) noexcept;
    Admission& operator=(Admission&&) noexcept;

    // Applies the directive, or says which rule it breaks and leaves the state as it was.
    [[nodiscard]] Result<void> apply(const Directive& directive);
    // The same whatever rules it breaks. An Error only when it names what does not exist.
    [[nodiscard]] Result<void> take(const Directive& directive);
    // Rules that can only be judged when the schedule is complete (compute and store levels that exist and enclose all
    // uses, a vectorised loop of constant extent, …).
    [[nodiscard]] Result<void> finish() const;
    // The rules that the directives so far break, whatever comes.
    const BrokenRules& broken_so_far() const;
    // All that are broken when the schedule is complete, in the order of the directives. An error when a level names a
    // loop that does not exist.
    [[nodiscard]] std::expected<BrokenRules, UnknownName> broken() const;

    // --- What a generator asks to propose a directive that is likely to be admitted ---
    std::vector<std::string> tensors() const;  // in realisation order, with the intermediates of rfactor
    std::vector<StageRef> stages(const std::string& tensor) const;
    const StageNest& nest(const StageRef& stage) const;
    // How often each loop of a nest runs, as far as it is a constant: of the stage itself, or since one iteration of
    // the loop at which the tensor is computed asks for so many cells (extents.h).
    std::vector<std::optional<Extent>> extents(const StageRef& stage) const;
    // Whether the loops of the tensor that are vectorized or unrolled have constant extents, as the schedule stands.
    bool has_fitting_extents(const std::string& tensor) const;
    // Loop levels at which the tensor could be computed: they enclose every use of it.
    std::vector<LoopLevel> compute_levels(const std::string& tensor) const;
    // Loop levels outside or at its compute level at which it could be stored.
    std::vector<LoopLevel> store_levels(const std::string& tensor) const;
    bool is_output(const std::string& tensor) const;
    bool is_inlined(const std::string& tensor) const;
    // Whether the directives so far may change the order in which an update accumulates floats (rfactor, reordered or
    // parallel recurrence variables): then results agree only where the arithmetic is exact.
    bool reorders_float_reductions() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// The whole schedule on the algorithm. The error names the directive (its line in the printed schedule).
[[nodiscard]] Result<void> admits(const sare::Algorithm& algorithm, const Schedule& schedule, Vocabulary vocabulary);

// The rules that the whole schedule breaks, in the order of its directives; none when it is admitted. An error when it
// names what does not exist.
[[nodiscard]] std::expected<BrokenRules, UnknownName> broken_rules(const sare::Algorithm& algorithm,
                                                                   const Schedule& schedule, Vocabulary vocabulary);
// "directive 2, f.unroll(q): …"
std::string located(const UnknownName& unknown, const Schedule& schedule);

}  // namespace haruspex::schedule::halide
