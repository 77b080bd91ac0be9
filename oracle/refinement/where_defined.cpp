#include "oracle/refinement/where_defined.h"

#include "generators/base/ensure.h"
#include "generators/base/overload.h"

namespace haruspex::refinement {

Term WhereDefined::of(Term t, int depth) {
    constexpr int most_depth = 1'000;
    if (!values_.has_known_part(t) || depth == most_depth) { return t; }
    if (const auto found = known_.find(t); found != known_.end()) { return found->second; }
    const auto range = values_.range(t);
    const smt::Node node = values_.terms()[t];  // the pool grows
    const Term result =
        range && range->low == range->high
            ? values_.literal(value::Value::from_bits(range->type, static_cast<std::uint64_t>(range->low)))
            : made(node, depth + 1);
    known_.emplace(t, result);
    return result;
}

Term WhereDefined::made(const smt::Node& node, int depth) {
    return std::visit(
        Overload{[&](const smt::Unary& n) { return values_.apply(n.op, of(n.a, depth)); },
                 [&](const smt::Binary& n) {
                     const Term a = of(n.a, depth);
                     return values_.apply(n.op, a, of(n.b, depth));
                 },
                 [&](const smt::Cast& n) { return values_.cast(n.to, of(n.a, depth)); },
                 [&](const smt::Select& n) {
                     const Term c = of(n.condition, depth);
                     const auto* known = values_.literal_of(c);
                     if (known != nullptr && known->is_defined()) {
                         return of(known->as_bool() ? n.if_true : n.if_false, depth);
                     }
                     const Term a = of(n.if_true, depth);
                     return values_.select(c, a, of(n.if_false, depth));
                 },
                 [](const auto&) -> Term { raise_internal_error(__FILE__, __LINE__, "a leaf has no parts"); }},
        node);
}

}  // namespace haruspex::refinement
