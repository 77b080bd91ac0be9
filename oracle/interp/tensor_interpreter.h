#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/base/sizes.h"
#include "generators/tensor/syntax.h"
#include "generators/tensor/typing.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/interp/sched_execution.h"

// The evaluation of programs of whole tensors (Rink, Figures 10 to 12), and their evaluation with padding (Figures 13
// and 14). It shares the operators of generators/value with the other interpreters, and nothing with the translation to
// SAREs.
//
// Undef stands for ⊥, the undefined value, in what the program computes and in what the ambient application leaves
// undefined. Uninit is in padding that nothing has filled, which the report excludes: what depends on it is Uninit.
namespace haruspex::interp {

// Applies the operator as Definitions 4 and 8 extend it:
//
// - ⊥ in an operand gives ⊥, and so does v / 0, except:
// - 0 / v = 0 for every v, also 0 and ⊥ (controlled division), and 0 * ⊥ = ⊥ * 0 = 0.
//
// Lemma 5 (ii), that the padding of an expression is 0, needs both exceptions: an outer product and a product with, or
// quotient by, a scalar take only one operand from the padding, and the other may be ⊥.
value::Value apply_extended(tensor::ElementOp op, const value::Value& a, const value::Value& b);

// The content of one variable.
struct StoredTensor {
    value::Type element = value::Type::f32;
    std::vector<std::int64_t> extents;    // t
    std::vector<std::int64_t> allocated;  // t, or ⌈t⌉ if the store is padded
    std::vector<value::Value> cells;      // over `allocated`, dimension 1 fastest

    // The position of a cell; indices are within `allocated` (ENSURE: there are no accesses outside, Corollaries 2, 3).
    std::size_t place(const std::vector<std::int64_t>& indices) const;
    bool is_padding(std::size_t place) const;
    bool is_within(const std::vector<std::int64_t>& indices) const;  // the original extents
    // The indices of a cell, the inverse of `place`.
    std::vector<std::int64_t> indices(std::size_t place) const;
};
// μ, the dynamic store (Definition 3).
using Store = std::map<std::string, StoredTensor>;

// The steps are elements of subexpressions that are evaluated, including the terms of contractions.
struct TensorLimits {
    std::uint64_t most_steps = 50'000'000;
    std::int64_t most_cells = std::int64_t{1} << 26;  // of all variables together
};

// ⌈n⌉: the least multiple of `multiple` that is at least n (Definition 7).
std::int64_t round_up(std::int64_t n, std::int64_t multiple);
// The value of the padding at this place of a variable, which is numbered in the order of names.
value::Value fill(const Padding& padding, value::Type element, std::size_t variable, std::size_t place);
// Pointwise ⌈t⌉ and ⌈Γ⌉. Extents are constants (ENSURE).
tensor::Context rounded(const tensor::Context& context, std::int64_t multiple);

// d-empty and d-var: the store when the program starts. `initial` gives the value of each cell of each variable, Undef
// for ⊥.
[[nodiscard]] Result<Store> d_var(const tensor::Context& context, const InputFunction& initial,
                                  const TensorLimits& limits = {});
// d-pad-empty and d-pad-var: the same with the padding filled; Filling::zero is the report's.
[[nodiscard]] Result<Store> d_pad_var(const tensor::Context& context, const InputFunction& initial,
                                      const Padding& padding, const TensorLimits& limits = {});

// Evaluates the elements of one expression.
class TensorEvaluator {
public:
    // The expression is well-typed in the context, whose extents are constants (ENSURE). All three must outlive this.
    TensorEvaluator(const tensor::Expr& expr, const tensor::Context& context, const Store& store,
                    std::uint64_t most_steps);

    using Indices = std::vector<std::int64_t>;
    // eval(e, i)(μ, Γ), equations (7) to (18) of Figure 12; indices count from 0.
    value::Value eval(const Indices& i) { return eval(expr_, i); }
    const tensor::TensorType& type() const { return types_.at(&expr_); }
    std::uint64_t steps() const { return steps_; }
    // More steps were needed than are allowed; values since then mean nothing.
    bool is_exhausted() const { return steps_ > most_steps_; }

private:
    value::Value eval(const tensor::Expr& expr, const Indices& i);
    value::Value eval_contraction(const tensor::Contraction& n, const Indices& i);

    const tensor::Expr& expr_;
    const Store& store_;
    tensor::NodeTypes types_;
    std::uint64_t most_steps_;
    std::uint64_t steps_ = 0;
};

// ev-stmt: with x : t in Γ, evaluates e for all indices of t, then updates x there.
[[nodiscard]] Result<void> ev_stmt(const tensor::Statement& statement, const tensor::Context& context, Store& store,
                                   std::uint64_t& steps_left);
// ev-pad-stmt: the same for all indices of ⌈t⌉, in ⌈Γ⌉.
[[nodiscard]] Result<void> ev_pad_stmt(const tensor::Statement& statement, const tensor::Context& context,
                                       std::int64_t multiple, Store& store, std::uint64_t& steps_left);

// ev-prog and ev-seq: the final store of a well-formed program. An Error if the parameters do not fit the program
// (tensor::context_at), or a limit is exceeded. A variable qualified as `input` has no ⊥ (d-in-var; ENSURE).
[[nodiscard]] Result<Store> ev_prog(const tensor::Program& program, const Sizes& parameters,
                                    const InputFunction& initial, const TensorLimits& limits = {});

// The rules of padding. A test puts a faulty one in the place of one of the report's, to see that the comparison with
// exact evaluation finds it.
struct PaddingRules {
    // ⌈n⌉.
    std::function<std::int64_t(std::int64_t n, std::int64_t multiple)> rounded = round_up;
    // d-pad-var: the value of a cell of padding, for the filling that was asked for.
    std::function<value::Value(const Padding& padding, value::Type element, std::size_t variable, std::size_t place)>
        filled = fill;
    // ev-pad-stmt assigns to the padding, too.
    bool assigns_padding = true;
};
// ev-pad-prog and ev-pad-seq, with extents rounded up to padding.multiple.
[[nodiscard]] Result<Store> ev_pad_prog(const tensor::Program& program, const Sizes& parameters,
                                        const InputFunction& initial, const Padding& padding,
                                        const TensorLimits& limits = {}, const PaddingRules& rules = {});

// A cell within the original extents that has another value with padding than without (Theorem 3).
struct TensorDifference {
    std::string variable;
    std::vector<std::int64_t> indices;
    value::Value exact, padded;
};
// Returns the first one in the order of `variables`, dimension 1 fastest. An undefined value differs from a defined one,
// and from one that depends on what nothing has filled.
std::optional<TensorDifference> first_difference(const Store& exact, const Store& padded,
                                                 const std::vector<std::string>& variables);

}  // namespace haruspex::interp
