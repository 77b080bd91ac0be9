#pragma once

#include <cstddef>
#include <expected>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "generators/tensor/extents.h"
#include "generators/tensor/fault.h"
#include "generators/tensor/syntax.h"

// Types of tensors and the typing of expressions (Rink, Definition 2 and Figure 9).
namespace haruspex::tensor {

struct TensorType {
    value::Type element = value::Type::f32;
    std::vector<sare::Index> extents;
    bool is_scalar() const { return extents.empty(); }
    bool operator==(const TensorType&) const = default;
};
// "f32[300 N]", as a declaration has it.
std::string to_string(const TensorType& type);

// Γ, the static context: the types of the declared variables (Definition 3).
using Context = std::map<std::string, TensorType>;

struct Mismatch {
    Flaw flaw = Flaw::operands_do_not_fit;
    std::string message;
};
using Typed = std::expected<TensorType, Mismatch>;

// --- The rules of Figure 9. Each returns the type below its line, or what is wrong with its premises. ---

// Γ(x) = t gives Γ ⊢ x : t.
Typed t_var(const Context& context, const std::string& name);
// e0 : t and e1 : u give e0 # e1 : t u.
Typed t_prod(const TensorType& a, const TensorType& b);
// e : … t_i … t_j … gives e ^ [i j] : … t_j … t_i ….
Typed t_trans(const TensorType& a, Pair dimensions);
// e : t and t_i = t_j give e . [i j] : t without dimensions i and j.
Typed t_contr(const TensorType& a, Pair dimensions, const Extents& extents);
// e0 : t and e1 : t give e0 op e1 : t.
Typed t_elem(ElementOp op, const TensorType& a, const TensorType& b, const Extents& extents);
// e0 : () and e1 : t give e0 * e1 : t.
Typed t_smul(const TensorType& a, const TensorType& b);
// e0 : t and e1 : () give e0 / e1 : t.
Typed t_sdiv(const TensorType& a, const TensorType& b);
// t-paren needs no function: trees have no parentheses.

// Which of the three rules for element-wise operators applies, by the ranks of the operands.
enum class ElementRule : std::uint8_t { elem, smul, sdiv };
ElementRule rule_of(ElementOp op, const TensorType& a, const TensorType& b);

// The types of an expression's nodes, by their addresses.
using NodeTypes = std::unordered_map<const Expr*, TensorType>;
struct ExprFault {
    Mismatch mismatch;
    std::size_t node = 0;
};
// Derives Γ ⊢ e : t. Adds the types of all nodes to `types` if it is not null; they stay valid while `expr` does.
std::expected<TensorType, ExprFault> type_of(const Expr& expr, const Context& context, const Extents& extents,
                                             NodeTypes* types = nullptr);

}  // namespace haruspex::tensor
