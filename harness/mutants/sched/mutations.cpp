#include "harness/mutants/sched/mutations.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>

#include "generators/base/ensure.h"
#include "harness/mutants/sched/changes.h"
#include "harness/sched/text.h"
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

// Of a program, in characters: what is suggested of a statement has copies of it, as many as it is long.
constexpr std::size_t most_text = 150'000;

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

// What the statements suggest, well-typed or not, in the order of the text.
void for_each_suggestion(const Program& program, const std::function<void(Mutation, const Change&)>& visit_one) {
    const std::vector<std::string> written = stores(program);
    std::size_t statement = 0;
    const auto visit = [&](const auto& self, const Block& block) -> void {
        for (std::size_t position = 0; position < block.size(); ++position) {
            std::size_t number = 0;
            for (const Change& change : changes(block, position, written)) {
                visit_one({change.kind, statement, number++, change.sentence}, change);
            }
            ++statement;
            for_each_block(block[position], [&](const Block& inner) { self(self, inner); });
        }
    };
    visit(visit, program.body);
}

bool is_mutation(const Program& program, const Program& mutated) {
    return mutated != program && check(mutated, Rules::extended);
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
    for_each_suggestion(program, [&](Mutation suggestion, const Change& change) {
        Program mutated = program;
        std::size_t remaining = suggestion.statement;
        make(*find(mutated.body, remaining), change);
        if (is_mutation(program, mutated)) { found.push_back(std::move(suggestion)); }
    });
    return found;
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

std::optional<Mutation> random_mutation(const Program& program, Choices& choices,
                                        const std::function<bool(MutationKind)>& admits) {
    if (print(program).size() > most_text) { return std::nullopt; }
    std::map<MutationKind, std::vector<Mutation>> by_kind;
    for_each_suggestion(program, [&](Mutation suggestion, const Change&) {
        if (admits(suggestion.kind)) { by_kind[suggestion.kind].push_back(std::move(suggestion)); }
    });
    // To see whether all are well-typed takes long in a long program.
    while (!by_kind.empty()) {
        const auto kind = std::next(by_kind.begin(), choices.integer(0, std::ssize(by_kind) - 1));
        choices.shuffle(kind->second);
        const auto found = std::ranges::find_if(
            kind->second, [&](const Mutation& suggestion) { return is_mutation(program, apply(program, suggestion)); });
        if (found != kind->second.end()) { return std::move(*found); }
        by_kind.erase(kind);
    }
    return std::nullopt;
}

}  // namespace haruspex::mutants::sched
