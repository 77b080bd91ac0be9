#include "generators/schedule/halide/linear.h"

#include "generators/base/overload.h"
#include "generators/sare/build.h"

namespace haruspex::schedule::halide {
namespace {

LinearForm scaled(const LinearForm& form, std::int64_t factor) {
    LinearForm result;
    if (factor == 0) { return result; }
    for (const auto& [name, coefficient] : form.coefficients) { result.coefficients[name] = coefficient * factor; }
    result.constant = form.constant * factor;
    return result;
}

LinearForm sum(LinearForm a, const LinearForm& b) {
    for (const auto& [name, coefficient] : b.coefficients) {
        if ((a.coefficients[name] += coefficient) == 0) { a.coefficients.erase(name); }
    }
    a.constant += b.constant;
    return a;
}

sare::Index from_linear(const LinearForm& form) {
    sare::Index index = sare::constant(form.constant);
    for (const auto& [name, coefficient] : form.coefficients) {
        const sare::Index term = coefficient == 1 ? sare::variable(name) : coefficient * sare::variable(name);
        index = index == sare::constant(0) ? term : term + index;
    }
    return index;
}

}  // namespace

std::optional<LinearForm> linear_form(const sare::Index& index) {
    using Form = std::optional<LinearForm>;
    return std::visit(Overload{
                          [](const sare::IndexConstant& c) -> Form { return LinearForm{{}, c.value}; },
                          [](const sare::IndexVariable& v) -> Form { return LinearForm{{{v.name, 1}}, 0}; },
                          [](const sare::IndexBinary& b) -> Form {
                              const bool adds = b.op == sare::IndexOp::add;
                              if (!adds && b.op != sare::IndexOp::sub) { return std::nullopt; }
                              const auto left = linear_form(*b.a);
                              const auto right = linear_form(*b.b);
                              if (!left || !right) { return std::nullopt; }
                              return sum(*left, scaled(*right, adds ? 1 : -1));
                          },
                          [](const sare::IndexScale& s) -> Form {
                              const auto form = linear_form(*s.a);
                              return form ? Form(scaled(*form, s.factor)) : std::nullopt;
                          },
                          [](const sare::IndexDiv&) -> Form { return std::nullopt; },
                          [](const sare::IndexMod&) -> Form { return std::nullopt; },
                          [](const sare::IndexSelect&) -> Form { return std::nullopt; },
                      },
                      index.node);
}

std::optional<std::int64_t> constant_value(const sare::Index& index) {
    const auto form = linear_form(index);
    if (!form || !form->coefficients.empty()) { return std::nullopt; }
    return form->constant;
}

sare::Index tidy(const sare::Index& index) {
    const auto form = linear_form(index);
    return form ? from_linear(*form) : index;
}

}  // namespace haruspex::schedule::halide
