#include "harness/transform/random_program.h"

#include <utility>

#include "generators/base/ensure.h"
#include "generators/sare/staging.h"
#include "harness/transform/naive.h"
#include "harness/transform/specification.h"
#include "harness/transform/transformations.h"

namespace haruspex::transform {

namespace {

bool change(Transformation transformation, sched::Program& program, Workshop& workshop) {
    switch (transformation) {
        case Transformation::tile_guarded:
        case Transformation::tile_bounded: return tile(program, workshop, transformation);
        case Transformation::tile_shifted: return tile_shifted(program, workshop);
        case Transformation::tile_rounded_up: return tile_rounded_up(program, workshop);
        case Transformation::interchange: return interchange(program, workshop);
        case Transformation::fission: return fission(program, workshop);
        case Transformation::fusion: return fuse(program, workshop);
        case Transformation::peel: return peel(program, workshop);
        case Transformation::unroll: return unroll(program, workshop);
        case Transformation::skew: return skew(program, workshop);
        case Transformation::parallel: return parallelise(program, workshop);
        case Transformation::vector: return mark_vector(program, workshop);
        case Transformation::lanes: return into_lanes(program, workshop);
        case Transformation::contract: return contract(program, workshop);
        case Transformation::compute_at: return compute_at(program, workshop);
        case Transformation::relayout: return relayout(program, workshop);
        case Transformation::inlining: return inline_function(program, workshop);
        case Transformation::value_let: return name_value(program, workshop);
        case Transformation::affine_let: return name_index(program, workshop);
        case Transformation::reorder: return reorder(program, workshop);
        case Transformation::specialise: return specialise(program, workshop);
        case Transformation::allocate_if: return allocate_if(program, workshop);
        case Transformation::free_early: return free_early(program, workshop);
        case Transformation::assertion: return assert_fact(program, workshop);
        case Transformation::reversal: return reverse(program, workshop);
        case Transformation::separation: return separate(program, workshop);
        case Transformation::lane_sum: return sum_lanes(program, workshop);
    }
    raise_internal_error(__FILE__, __LINE__, "no such transformation");
}

}  // namespace

std::string_view name(Transformation transformation) {
    static constexpr std::array<std::string_view, transformations> names{
        "tile_guarded", "tile_bounded", "tile_shifted", "tile_rounded_up", "interchange", "fission", "fusion",
        "peel",         "unroll",       "skew",         "parallel",        "vector",      "lanes",   "contract",
        "compute_at",   "relayout",     "inlining",     "value_let",       "affine_let",  "reorder", "specialise",
        "allocate_if",  "free_early",   "assertion",    "reversal",        "separation",  "lane_sum"};
    return names.at(static_cast<std::size_t>(transformation));
}

std::optional<sched::Program> apply(Transformation transformation, sched::Program program, Workshop& workshop) {
    if (!change(transformation, program, workshop)) { return std::nullopt; }
    if (statement_count(program.body) > workshop.policy.most_statements ||
        nesting(program.body) > workshop.policy.most_depth) {
        return std::nullopt;
    }
    return program;
}

namespace {

// Applies the transformation if it finds a place.
bool extend(RandomProgram& random, Transformation transformation, Workshop& workshop) {
    std::optional<sched::Program> changed = apply(transformation, random.program, workshop);
    if (!changed) { return false; }
    random.program = std::move(*changed);
    random.applied.push_back(transformation);
    return true;
}

// An array can be contracted only if its producer and consumer are in one loop.
bool extend_by_contraction(RandomProgram& random, Workshop& workshop) {
    if (extend(random, Transformation::contract, workshop)) { return true; }
    constexpr int most_attempts = 8;
    for (int i = 0; i < most_attempts; ++i) {
        RandomProgram fused = random;
        if (workshop.choices.boolean(workshop.policy.interchanged_first_per_mille)) {
            extend(fused, Transformation::interchange, workshop);
        }
        if (!extend(fused, Transformation::fusion, workshop)) { continue; }
        if (workshop.choices.boolean(workshop.policy.fused_again_per_mille)) {
            extend(fused, Transformation::fusion, workshop);
        }
        if (extend(fused, Transformation::contract, workshop)) {
            random = std::move(fused);
            return true;
        }
    }
    return false;
}

}  // namespace

RandomProgram random_program(Choices& choices, const Policy& policy) {
    const sare::Algorithm algorithm = draw_algorithm(choices, policy);
    Names names;
    RandomProgram result{sare::stage(algorithm), naive_program(algorithm, names), {}};
    Workshop workshop(algorithm, policy, names, choices);
    const std::size_t count = 1 + choices.weighted(policy.count);
    // Some attempts find no place.
    std::size_t attempts = 4 * count;
    while (result.applied.size() < count && attempts-- > 0) {
        const auto transformation = static_cast<Transformation>(choices.weighted(policy.transformation));
        if (transformation == Transformation::contract) {
            extend_by_contraction(result, workshop);
        } else {
            extend(result, transformation, workshop);
        }
    }
    return result;
}

}  // namespace haruspex::transform
