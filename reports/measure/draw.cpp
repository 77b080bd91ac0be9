#include "reports/measure/draw.h"

#include <algorithm>
#include <array>

#include "generators/random/random_case.h"
#include "harness/compiler/compiler.h"
#include "harness/mutants/sched/mutations.h"
#include "harness/sched/text.h"
#include "harness/sched/traverse.h"
#include "harness/sched/typing.h"
#include "harness/transform/random_program.h"
#include "oracle/pipeline/documented_rules.h"
#include "reports/measure/reassociation.h"
#include "reports/measure/trials.h"

namespace haruspex::measure {
namespace {

using transform::Transformation;

// The draws for one problem. A third of the mutations make a program wrong. Most mutants change one random case in
// twenty, some change none; another mutant is drawn after every `draws_of_a_mutant` draws.
constexpr int most_draws = 60, draws_of_a_mutant = 20;

constexpr std::array makings_in_turn{Making::transformed,     Making::mutant,    Making::lowered,
                                     Making::lowered_mutated, Making::reordered, Making::mutated,
                                     Making::lowered,         Making::mutant,    Making::reassociated,
                                     Making::lowered_mutated, Making::lowered,   Making::mutated};

// Every second turn of `reordered` becomes `laid_out_anew`.
Making making_of(std::uint64_t index, bool has_mutants) {
    const Making making = makings_in_turn.at(index % makings_in_turn.size());
    if (making == Making::reordered && index / makings_in_turn.size() % 2 == 1) { return Making::laid_out_anew; }
    return making == Making::mutant && !has_mutants ? Making::lowered_mutated : making;
}

bool is_made_wrong(Making making) {
    return making == Making::mutated || making == Making::lowered_mutated || making == Making::mutant;
}

transform::Policy only(std::initializer_list<Transformation> kinds) {
    transform::Policy policy;
    policy.transformation.fill(0);
    for (const Transformation kind : kinds) { policy.transformation.at(static_cast<std::size_t>(kind)) = 1; }
    return policy;
}

transform::Policy policy_of(Making making) {
    using enum Transformation;
    if (making == Making::reordered) { return only({interchange, fission, fusion, skew, reorder, tile_bounded}); }
    if (making == Making::laid_out_anew) { return only({relayout, contract, value_let, affine_let}); }
    return {};
}

// Applies one mutation that is not of a prophecy; nullopt if there is none, or the result is not a valid program.
std::optional<sched::Program> mutated(const sched::Program& program, Choices& choices, std::string& kind) {
    const auto chosen =
        mutants::sched::random_mutation(program, choices, [](auto of) { return !mutants::sched::is_of_prophecy(of); });
    if (!chosen) { return std::nullopt; }
    kind = mutants::sched::name(chosen->kind);
    return mutants::sched::apply(program, *chosen);
}

std::optional<Problem> draw_written(Making making, Choices& choices) {
    const transform::RandomProgram drawn = transform::random_program(choices, policy_of(making));
    Problem problem;
    problem.making = making;
    Written written{drawn.sare, drawn.program, drawn.applied};
    if (making == Making::mutated) {
        auto program = mutated(drawn.program, choices, problem.detail);
        if (!program) { return std::nullopt; }
        written.program = std::move(*program);
    } else if (making == Making::reassociated) {
        written.program = reassociate(drawn.program, choices);
        if (written.program == drawn.program) { return std::nullopt; }
    } else if (drawn.applied.empty()) {
        return std::nullopt;
    }
    auto own = draw_sizes(written.sare.parameters, {written.sare.assumptions}, 11, choices);
    if (!own) { return std::nullopt; }
    problem.own = std::move(*own);
    problem.subject = std::move(written);
    return problem;
}

// A compiler, with a mutant unless its name is empty.
struct Lowering {
    std::string mutant;
    std::shared_ptr<const Source> source;
};

Lowering draw_mutant(const Workplace& workplace, Choices& choices) {
    std::string mutant = choices.one_of(workplace.mutants);
    auto source = workplace.mutant(mutant);
    return {std::move(mutant), std::move(source)};
}

std::optional<Problem> draw_lowered(Making making, const Lowering& lowering, const Workplace& workplace,
                                    Choices& choices) {
    const cases::Case c = random::draw_case(choices, {}, compiler::language_of(workplace.identity));
    if (c.comparison != cases::Comparison::exact) { return std::nullopt; }
    const auto text_without = [&] { return lowered_text(*workplace.unchanged, c); };
    if (making == Making::mutant && !is_lowered_otherwise(*lowering.source, c, text_without)) { return std::nullopt; }
    auto problem = lower(c, lowering.source, workplace.identity, making, lowering.mutant);
    if (!problem) { return std::nullopt; }
    if (making != Making::lowered_mutated) { return std::move(*problem); }
    auto& lowered = std::get<Lowered>(problem->subject);
    const sched::Program& base = lowered.prophesied ? *lowered.prophesied : lowered.plain.program;
    auto program = mutated(base, choices, problem->detail);
    if (!program) { return std::nullopt; }
    lowered.is_changed = true;
    lowered.plain.program = sched::erase_prophecies(*program);
    if (lowered.prophesied) { lowered.prophesied = std::move(*program); }
    return std::move(*problem);
}

}  // namespace

std::string_view name(Making making) {
    static constexpr std::array<std::string_view, makings> names{"transformed",      "reordered", "laid out anew",
                                                                 "re-associated",    "lowered",   "mutated",
                                                                 "lowered, mutated", "mutant",    "row"};
    return names.at(static_cast<std::size_t>(making));
}

Result<Problem> lower(const cases::Case& c, const std::shared_ptr<const Source>& source,
                      const compiler::Identity& identity, Making making, std::string detail) {
    Asked asked;
    asked.plain = asked.prophesied = true;
    asked.sizes = {c.sizes};
    const auto compilation = source->compile(c, asked);
    if (!compilation) { return fail(compilation.error()); }
    if (!compilation->plain) { return fail(compilation->plain.error()); }
    auto plain = sched::parse_program(*compilation->plain, "lowered");
    if (!plain) { return fail(plain.error()); }
    if (!compilation->regions.at(0)) { return fail("regions unknown"); }
    std::expected<sched::Program, std::string> prophesied = std::unexpected(std::string());
    if (compilation->prophesied) {
        auto program = sched::parse_program(*compilation->prophesied, "prophesied");
        if (!program) { return fail(program.error()); }
        prophesied = std::move(*program);
    } else {
        prophesied = std::unexpected(compilation->prophesied.error());
    }
    std::vector<sare::Condition> rules;
    for (const auto& rule : pipeline::size_rules(c, identity)) { rules.push_back(rule.condition); }
    Problem problem;
    problem.making = making;
    problem.detail = std::move(detail);
    problem.own = c.sizes;
    problem.subject =
        Lowered{c, c, {std::move(*plain), *compilation->regions.at(0)}, std::move(prophesied), rules, source, false};
    return problem;
}

std::optional<Problem> draw_problem(std::uint64_t seed, std::uint64_t index, const Workplace& workplace) {
    const Making making = making_of(index, !workplace.mutants.empty());
    const bool is_of_a_compiler =
        making == Making::lowered || making == Making::lowered_mutated || making == Making::mutant;
    Choices choices(random_source(derive_seed(seed, index)));
    Lowering lowering{"", workplace.installed};
    for (int draw = 0; draw < most_draws; ++draw) {
        if (making == Making::mutant && draw % draws_of_a_mutant == 0) { lowering = draw_mutant(workplace, choices); }
        auto problem =
            is_of_a_compiler ? draw_lowered(making, lowering, workplace, choices) : draw_written(making, choices);
        if (!problem || !label(*problem, choices)) { continue; }
        // A problem made to be right that is wrong is kept: it is a fault of the compiler or of haruspex.
        if (problem->is_wrong || !is_made_wrong(making)) { return problem; }
    }
    return std::nullopt;
}

}  // namespace haruspex::measure
