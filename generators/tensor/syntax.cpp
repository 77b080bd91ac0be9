#include "generators/tensor/syntax.h"

#include <algorithm>

#include "generators/base/alternatives_impl.h"
#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/sare/names.h"

namespace haruspex {

template class Alternatives<tensor::Variable, tensor::Elementwise, tensor::Outer, tensor::Contraction,
                            tensor::Transposition>;

}  // namespace haruspex

namespace haruspex::tensor {

value::BinaryOp binary_op(ElementOp op) {
    switch (op) {
        case ElementOp::add: return value::BinaryOp::add;
        case ElementOp::sub: return value::BinaryOp::sub;
        case ElementOp::mul: return value::BinaryOp::mul;
        case ElementOp::div: return value::BinaryOp::div;
    }
    raise_internal_error(__FILE__, __LINE__, "no such element-wise operator");
}

std::string_view spelling(ElementOp op) { return value::spelling(binary_op(op)); }

bool is_name(std::string_view text) { return sare::is_name(text) && text != "var" && text != "program"; }

std::vector<const Expr*> operands(const Expr& expr) {
    using Operands = std::vector<const Expr*>;
    return std::visit(Overload{[](const Variable&) { return Operands{}; },
                               [](const Elementwise& n) { return Operands{&*n.a, &*n.b}; },
                               [](const Outer& n) { return Operands{&*n.a, &*n.b}; },
                               [](const Contraction& n) { return Operands{&*n.a}; },
                               [](const Transposition& n) { return Operands{&*n.a}; }},
                      expr.node);
}

int depth(const Expr& expr) {
    int deepest = 0;
    for (const Expr* operand : operands(expr)) { deepest = std::max(deepest, depth(*operand)); }
    return 1 + deepest;
}

void for_each_node(const Expr& expr, const std::function<void(const Expr&)>& visit) {
    for (const Expr* operand : operands(expr)) { for_each_node(*operand, visit); }
    visit(expr);
}

}  // namespace haruspex::tensor
