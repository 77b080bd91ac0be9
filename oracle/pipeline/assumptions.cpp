#include "oracle/pipeline/assumptions.h"

#include "generators/affine/context.h"
#include "generators/sare/isl.h"

namespace haruspex::pipeline {
namespace {

// Whether `relation` holds between the sizes that the specification allows and those that the condition allows.
template <typename Relation>
bool are_related(const sare::Sare& specification, const sare::Condition& condition, Relation relation) {
    constexpr std::uint64_t most_operations = 3'000'000;
    const affine::Context context;
    const affine::Budget budget(context, most_operations);
    const auto answer = affine::guarded(
        [&] {
            const sare::AffineSpace sizes(context.ctx(), specification.parameters, {});
            return relation(sizes.convert(specification.assumptions), sizes.convert(condition));
        },
        &budget);
    return answer.value_or(false);
}

}  // namespace

void assume(sare::Sare& specification, const sare::Condition& condition) {
    specification.assumptions = {sare::And{specification.assumptions, condition}};
}

bool follows(const sare::Condition& condition, const sare::Sare& specification) {
    return are_related(specification, condition,
                       [](const isl::set& sizes, const isl::set& these) { return sizes.is_subset(these); });
}

bool is_possible(const sare::Condition& condition, const sare::Sare& specification) {
    return are_related(specification, condition,
                       [](const isl::set& sizes, const isl::set& these) { return !sizes.is_disjoint(these); });
}

}  // namespace haruspex::pipeline
