#include "generators/tensor/extents.h"

#include <cstdint>
#include <utility>

#include "generators/affine/context.h"
#include "generators/sare/build.h"
#include "generators/sare/isl.h"

namespace haruspex::tensor {

namespace {

// For one question. A few thousand operations decide any that a person would ask.
constexpr std::uint64_t operation_budget = 100'000;

}  // namespace

struct Extents::Sets {
    affine::Context context;
};

Extents::Extents(std::vector<std::string> parameters, sare::Condition assumptions)
    : parameters_(std::move(parameters)), assumptions_(std::move(assumptions)), sets_(std::make_unique<Sets>()) {}
Extents::~Extents() = default;
Extents::Extents(Extents&&) noexcept = default;
Extents& Extents::operator=(Extents&&) noexcept = default;

bool Extents::has_any() const {
    if (assumptions_ == sare::truth(true)) { return true; }
    return affine::within(sets_->context, operation_budget,
                          [&] {
                              const sare::AffineSpace space(sets_->context.ctx(), {}, parameters_);
                              return !space.convert(assumptions_).is_empty();
                          })
        .value_or(true);
}

bool Extents::are_equal(const sare::Index& a, const sare::Index& b) const {
    if (a == b) { return true; }
    const auto is_constant = [](const sare::Index& i) { return std::holds_alternative<sare::IndexConstant>(i.node); };
    if (is_constant(a) && is_constant(b)) { return false; }
    return holds(sare::compare(sare::Relation::eq, a, b));
}

bool Extents::are_equal(const std::vector<sare::Index>& a, const std::vector<sare::Index>& b) const {
    if (a.size() != b.size()) { return false; }
    for (std::size_t d = 0; d < a.size(); ++d) {
        if (!are_equal(a[d], b[d])) { return false; }
    }
    return true;
}

bool Extents::is_positive(const sare::Index& extent) const {
    if (const auto* constant = std::get_if<sare::IndexConstant>(&extent.node)) { return constant->value > 0; }
    return holds(sare::compare(sare::Relation::ge, extent, sare::constant(1)));
}

bool Extents::holds(const sare::Condition& condition) const {
    return affine::within(sets_->context, operation_budget,
                          [&] {
                              // { [parameters] : assumptions } and { [parameters] : condition }
                              const sare::AffineSpace space(sets_->context.ctx(), {}, parameters_);
                              return space.convert(assumptions_).is_subset(space.convert(condition));
                          })
        .value_or(false);
}

}  // namespace haruspex::tensor
