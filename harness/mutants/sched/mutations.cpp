#include "harness/mutants/sched/mutations.h"

#include <algorithm>
#include <array>
#include <utility>

#include "generators/base/ensure.h"
#include "harness/mutants/sched/changes.h"
#include "harness/sched/traverse.h"
#include "harness/sched/typing.h"

namespace haruspex::mutants::sched {

using namespace haruspex::sched;

namespace {

// Where a statement stands.
struct Place {
    Block* block = nullptr;
    std::size_t position = 0;
};

std::optional<Place> find(Block& block, std::size_t& remaining) {
    for (std::size_t i = 0; i < block.size(); ++i) {
        if (remaining == 0) { return Place{&block, i}; }
        --remaining;
        std::optional<Place> found;
        for_each_block(block[i], [&](Block& inner) {
            if (!found) { found = find(inner, remaining); }
        });
        if (found) { return found; }
    }
    return std::nullopt;
}

std::vector<std::string> stores(const Program& program) {
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
        if (std::ranges::find(names, name) == names.end()) { names.push_back(name); }
    };
    for (const Array& array : program.arrays) {
        if (array.role == Role::output) { add(array.name); }
    }
    for_each_statement(program.body, [&](const Stmt& stmt) {
        if (const auto* allocation = std::get_if<Allocate>(&stmt.node)) { add(allocation->array); }
    });
    return names;
}

// The program with the statements changed; `place` lies within it.
void make(const Place& place, const Change& change) {
    Block& block = *place.block;
    const auto first = block.begin() + static_cast<std::ptrdiff_t>(change.first);
    const auto after = block.erase(first, first + static_cast<std::ptrdiff_t>(change.count));
    block.insert(after, change.instead.begin(), change.instead.end());
}

}  // namespace

std::string_view name(MutationKind kind) {
    static constexpr std::array<std::string_view, mutation_kinds> names{
        "index_off_by_one",  "index_coefficient", "indices_swapped", "store_elsewhere",    "loop_bound",
        "loop_kind",         "lane_count",        "lane_expression", "guard_changed",      "guard_dropped",
        "operator_replaced", "operands_swapped",  "literal_changed", "allocation_size",    "allocation_condition",
        "free_moved",        "free_dropped",      "let_moved",       "statement_swapped",  "statement_dropped",
        "statement_doubled", "atomic_dropped",    "prophecy_index",  "prophecy_component", "prophecy_dropped"};
    return names.at(static_cast<std::size_t>(kind));
}

bool is_of_prophecy(MutationKind kind) {
    return kind == MutationKind::prophecy_index || kind == MutationKind::prophecy_component ||
           kind == MutationKind::prophecy_dropped;
}

std::vector<Mutation> mutations(const Program& program) {
    std::vector<Mutation> found;
    const std::vector<std::string> written = stores(program);
    Program original = program;
    for (std::size_t statement = 0;; ++statement) {
        std::size_t remaining = statement;
        const std::optional<Place> place = find(original.body, remaining);
        if (!place) { return found; }
        const std::vector<Change> suggested = changes(*place->block, place->position, written);
        for (std::size_t c = 0; c < suggested.size(); ++c) {
            Program mutated = program;
            remaining = statement;
            make(*find(mutated.body, remaining), suggested[c]);
            if (mutated == program || !check(mutated, Rules::extended)) { continue; }
            found.push_back({suggested[c].kind, statement, c, suggested[c].sentence});
        }
    }
}

Program apply(const Program& program, const Mutation& mutation) {
    Program mutated = program;
    std::size_t remaining = mutation.statement;
    const std::optional<Place> place = find(mutated.body, remaining);
    ENSURE(place.has_value(), "a mutation of a statement that the program does not have");
    const std::vector<Change> suggested = changes(*place->block, place->position, stores(program));
    ENSURE(mutation.change < suggested.size() && suggested[mutation.change].sentence == mutation.sentence,
           "a mutation that the statement does not suggest");
    make(*place, suggested[mutation.change]);
    return mutated;
}

std::optional<Mutation> random_mutation(const Program& program, Choices& choices) {
    std::array<std::vector<Mutation>, mutation_kinds> by_kind;
    for (Mutation& m : mutations(program)) { by_kind[static_cast<std::size_t>(m.kind)].push_back(std::move(m)); }
    std::vector<const std::vector<Mutation>*> present;
    for (const auto& some : by_kind) {
        if (!some.empty()) { present.push_back(&some); }
    }
    if (present.empty()) { return std::nullopt; }
    return choices.one_of(*choices.one_of(present));
}

}  // namespace haruspex::mutants::sched
