#include "generators/tensor/typing.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/sare/expr_check.h"
#include "generators/sare/limits.h"
#include "generators/tensor/print.h"

namespace haruspex::tensor {

namespace {

std::unexpected<Mismatch> mismatch(std::string message) {
    return std::unexpected(Mismatch{Flaw::operands_do_not_fit, std::move(message)});
}

// Two different dimensions of the type.
std::expected<void, Mismatch> check_pair(const TensorType& a, Pair dimensions) {
    const auto rank = static_cast<int>(a.extents.size());
    if (rank < 2) {
        return mismatch(fmt::format("expected a tensor of at least two dimensions, found {}", to_string(a)));
    }
    for (const int d : {dimensions.first, dimensions.second}) {
        if (d < 1 || d > rank) {
            return mismatch(fmt::format("expected a dimension from 1 to {} of {}, found {}", rank, to_string(a), d));
        }
    }
    if (dimensions.first == dimensions.second) {
        return mismatch(fmt::format("expected two different dimensions, found {} twice", dimensions.first));
    }
    return {};
}

std::size_t position(int dimension) { return static_cast<std::size_t>(dimension - 1); }

std::expected<void, Mismatch> check_elements(const TensorType& a, const TensorType& b) {
    if (a.element == b.element) { return {}; }
    return mismatch(fmt::format("expected operands of one element type, found {} and {}", to_string(a), to_string(b)));
}

}  // namespace

std::string to_string(const TensorType& type) {
    std::string extents;
    for (const sare::Index& extent : type.extents) { extents += (extents.empty() ? "" : " ") + print_extent(extent); }
    return fmt::format("{}[{}]", value::name(type.element), extents);
}

Typed t_var(const Context& context, const std::string& name) {
    const auto found = context.find(name);
    if (found != context.end()) { return found->second; }
    std::vector<std::string> names;
    for (const auto& [declared, type] : context) { names.push_back(declared); }
    return std::unexpected(Mismatch{Flaw::reads_undeclared, sare::unknown_variable(name, names)});
}

Typed t_prod(const TensorType& a, const TensorType& b) {
    if (auto checked = check_elements(a, b); !checked) { return std::unexpected(checked.error()); }
    TensorType type = a;
    type.extents.insert(type.extents.end(), b.extents.begin(), b.extents.end());
    if (type.extents.size() > static_cast<std::size_t>(sare::max_rank)) {
        return std::unexpected(
            Mismatch{Flaw::too_large, fmt::format("expected an outer product of at most {} dimensions, found {}",
                                                  sare::max_rank, type.extents.size())});
    }
    return type;
}

Typed t_trans(const TensorType& a, Pair dimensions) {
    if (auto checked = check_pair(a, dimensions); !checked) { return std::unexpected(checked.error()); }
    TensorType type = a;
    std::swap(type.extents[position(dimensions.first)], type.extents[position(dimensions.second)]);
    return type;
}

Typed t_contr(const TensorType& a, Pair dimensions, const Extents& extents) {
    if (auto checked = check_pair(a, dimensions); !checked) { return std::unexpected(checked.error()); }
    const sare::Index& first = a.extents[position(dimensions.first)];
    const sare::Index& second = a.extents[position(dimensions.second)];
    if (!extents.are_equal(first, second)) {
        return mismatch(fmt::format("expected dimensions of one extent, found {} and {}", print_extent(first),
                                    print_extent(second)));
    }
    TensorType type{a.element, {}};
    for (std::size_t d = 0; d < a.extents.size(); ++d) {
        if (d != position(dimensions.first) && d != position(dimensions.second)) {
            type.extents.push_back(a.extents[d]);
        }
    }
    return type;
}

Typed t_elem(ElementOp op, const TensorType& a, const TensorType& b, const Extents& extents) {
    if (auto checked = check_elements(a, b); !checked) { return std::unexpected(checked.error()); }
    if (extents.are_equal(a.extents, b.extents)) { return a; }
    const char* scalar = op == ElementOp::mul   ? ", or a scalar on the left"
                         : op == ElementOp::div ? ", or a scalar on the right"
                                                : "";
    return mismatch(
        fmt::format("expected operands of one type{}, found {} and {}", scalar, to_string(a), to_string(b)));
}

Typed t_smul(const TensorType& a, const TensorType& b) {
    ENSURE(a.is_scalar(), "t-smul multiplies by a scalar");
    if (auto checked = check_elements(a, b); !checked) { return std::unexpected(checked.error()); }
    return b;
}

Typed t_sdiv(const TensorType& a, const TensorType& b) {
    ENSURE(b.is_scalar(), "t-sdiv divides by a scalar");
    if (auto checked = check_elements(a, b); !checked) { return std::unexpected(checked.error()); }
    return a;
}

ElementRule rule_of(ElementOp op, const TensorType& a, const TensorType& b) {
    // Between two scalars the rules agree.
    if (a.is_scalar() == b.is_scalar()) { return ElementRule::elem; }
    if (op == ElementOp::mul && a.is_scalar()) { return ElementRule::smul; }
    if (op == ElementOp::div && b.is_scalar()) { return ElementRule::sdiv; }
    return ElementRule::elem;
}

namespace {

class Typer {
public:
    Typer(const Context& context, const Extents& extents, NodeTypes* types)
        : context_(context), extents_(extents), types_(types) {}

    std::expected<TensorType, ExprFault> type(const Expr& expr) {
        std::vector<TensorType> operand_types;
        for (const Expr* operand : operands(expr)) {
            auto found = type(*operand);
            if (!found) { return found; }
            operand_types.push_back(std::move(*found));
        }
        Typed typed = apply(expr, operand_types);
        if (!typed) { return std::unexpected(ExprFault{typed.error(), next_}); }
        ++next_;
        if (types_ != nullptr) { types_->insert_or_assign(&expr, *typed); }
        return std::move(*typed);
    }

private:
    Typed apply(const Expr& expr, const std::vector<TensorType>& of) {
        return std::visit(Overload{[&](const Variable& n) { return t_var(context_, n.name); },
                                   [&](const Elementwise& n) { return elementwise(n.op, of[0], of[1]); },
                                   [&](const Outer&) { return t_prod(of[0], of[1]); },
                                   [&](const Contraction& n) { return t_contr(of[0], n.dimensions, extents_); },
                                   [&](const Transposition& n) { return t_trans(of[0], n.dimensions); }},
                          expr.node);
    }

    Typed elementwise(ElementOp op, const TensorType& a, const TensorType& b) {
        switch (rule_of(op, a, b)) {
            case ElementRule::elem: return t_elem(op, a, b, extents_);
            case ElementRule::smul: return t_smul(a, b);
            case ElementRule::sdiv: return t_sdiv(a, b);
        }
        raise_internal_error(__FILE__, __LINE__, "no such rule");
    }

    const Context& context_;
    const Extents& extents_;
    NodeTypes* types_;
    std::size_t next_ = 0;
};

}  // namespace

std::expected<TensorType, ExprFault> type_of(const Expr& expr, const Context& context, const Extents& extents,
                                             NodeTypes* types) {
    return Typer(context, extents, types).type(expr);
}

}  // namespace haruspex::tensor
