#include "generators/sare/isl.h"

#include "generators/affine/sets.h"
#include "generators/base/ensure.h"
#include "generators/base/overload.h"

namespace haruspex::sare {

AffineSpace::AffineSpace(isl::ctx ctx, const std::vector<std::string>& parameters,
                         const std::vector<std::string>& variables)
    : space_(affine::set_space(ctx, parameters, variables.size())) {
    const isl::multi_aff identity = space_.identity_multi_aff_on_domain();
    for (const std::string& parameter : parameters) {
        names_.insert_or_assign(parameter, isl::pw_aff(space_.param_aff_on_domain(parameter)));
    }
    for (std::size_t d = 0; d < variables.size(); ++d) {
        names_.insert_or_assign(variables[d], isl::pw_aff(identity.at(static_cast<int>(d))));
    }
}

isl::pw_aff AffineSpace::convert(const Index& index) const {
    return std::visit(
        Overload{[&](const IndexConstant& n) {
                     return isl::pw_aff(space_.zero_aff_on_domain().add_constant(static_cast<long>(n.value)));
                 },
                 [&](const IndexVariable& n) {
                     const auto meaning = names_.find(n.name);
                     ENSURE(meaning != names_.end(), "variable " + n.name + " is not of this space");
                     return meaning->second;
                 },
                 [&](const IndexBinary& n) {
                     const isl::pw_aff a = convert(*n.a);
                     const isl::pw_aff b = convert(*n.b);
                     switch (n.op) {
                         case IndexOp::add: return a.add(b);
                         case IndexOp::sub: return a.sub(b);
                         case IndexOp::min: return a.min(b);
                         case IndexOp::max: return a.max(b);
                     }
                     raise_internal_error(__FILE__, __LINE__, "no such index operator");
                 },
                 [&](const IndexScale& n) { return convert(*n.a).scale(static_cast<long>(n.factor)); },
                 [&](const IndexDiv& n) { return convert(*n.a).scale_down(static_cast<long>(n.divisor)).floor(); },
                 [&](const IndexMod& n) { return convert(*n.a).mod(static_cast<long>(n.divisor)); },
                 [&](const IndexSelect& n) {
                     const isl::set holds = convert(*n.condition);
                     return convert(*n.if_true)
                         .intersect_domain(holds)
                         .union_add(convert(*n.if_false).intersect_domain(holds.complement()));
                 }},
        index.node);
}

isl::set AffineSpace::convert(const Condition& condition) const {
    return std::visit(
        Overload{[&](const Truth& n) { return n.value ? isl::set::universe(space_) : isl::set::empty(space_); },
                 [&](const Comparison& n) {
                     const isl::pw_aff a = convert(n.a);
                     const isl::pw_aff b = convert(n.b);
                     switch (n.relation) {
                         case Relation::lt: return a.lt_set(b);
                         case Relation::le: return a.le_set(b);
                         case Relation::eq: return a.eq_set(b);
                         case Relation::ne: return a.ne_set(b);
                         case Relation::gt: return a.gt_set(b);
                         case Relation::ge: return a.ge_set(b);
                     }
                     raise_internal_error(__FILE__, __LINE__, "no such relation");
                 },
                 [&](const And& n) { return convert(*n.a).intersect(convert(*n.b)); },
                 [&](const Or& n) { return convert(*n.a).unite(convert(*n.b)); },
                 [&](const Not& n) { return convert(*n.a).complement(); }},
        condition.node);
}

isl::multi_pw_aff AffineSpace::convert(const std::vector<Index>& indices) const {
    const isl::space space = space_.add_unnamed_tuple(static_cast<unsigned>(indices.size()));
    isl::multi_pw_aff map = space.zero_multi_pw_aff();
    for (std::size_t i = 0; i < indices.size(); ++i) { map = map.set_at(static_cast<int>(i), convert(indices[i])); }
    return map;
}

}  // namespace haruspex::sare
