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

// The place of a statement.
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

// In characters of a program's text.
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

// A change of a program of which only the kind is known yet.
struct Suggestion {
    MutationKind kind;
    std::size_t statement, change;  // as in Mutation
};

// Returns the changes that the statements suggest, well-typed or not, in textual order.
std::vector<Suggestion> suggestions(const Program& program) {
    const std::vector<std::string> written = stores(program);
    std::vector<Suggestion> found;
    std::size_t statement = 0;
    const auto visit = [&](const auto& self, const Block& block) -> void {
        for (std::size_t position = 0; position < block.size(); ++position) {
            ChangeSelector none{std::nullopt};
            change(block, position, written, none);
            std::size_t number = 0;
            for (const MutationKind kind : none.kinds()) { found.push_back({kind, statement, number++}); }
            ++statement;
            for_each_block(block[position], [&](const Block& inner) { self(self, inner); });
        }
    };
    visit(visit, program.body);
    return found;
}

struct Mutated {
    Mutation mutation;
    Program program;
};

Mutated make(const Program& program, const Suggestion& suggestion) {
    Program mutated = program;
    std::size_t remaining = suggestion.statement;
    const std::optional<Place> place = find(mutated.body, remaining);
    ENSURE(place.has_value(), "a mutation of a statement that the program does not have");
    ChangeSelector wish{suggestion.change};
    const std::optional<Change> made = change(*place->block, place->position, stores(program), wish);
    ENSURE(made.has_value(), "a mutation that the statement does not suggest");
    Block& block = *place->block;
    const auto first = block.begin() + static_cast<std::ptrdiff_t>(made->first);
    const auto after = block.erase(first, first + static_cast<std::ptrdiff_t>(made->count));
    block.insert(after, made->instead.begin(), made->instead.end());
    return {{suggestion.kind, suggestion.statement, suggestion.change, made->sentence}, std::move(mutated)};
}

bool is_mutation(const Program& program, const Program& mutated) {
    return mutated != program && check(mutated, Rules::extended);
}

}  // namespace

std::vector<Mutation> mutations(const Program& program) {
    std::vector<Mutation> found;
    for (const Suggestion& suggestion : suggestions(program)) {
        Mutated made = make(program, suggestion);
        if (is_mutation(program, made.program)) { found.push_back(std::move(made.mutation)); }
    }
    return found;
}

Program apply(const Program& program, const Mutation& mutation) {
    Mutated made = make(program, {mutation.kind, mutation.statement, mutation.change});
    ENSURE(made.mutation.sentence == mutation.sentence, "a mutation that the statement does not suggest");
    return std::move(made.program);
}

std::optional<Mutation> random_mutation(const Program& program, Choices& choices,
                                        const std::function<bool(MutationKind)>& admits) {
    if (print(program).size() > most_text) { return std::nullopt; }
    std::map<MutationKind, std::vector<Suggestion>> by_kind;
    for (const Suggestion& suggestion : suggestions(program)) {
        if (admits(suggestion.kind)) { by_kind[suggestion.kind].push_back(suggestion); }
    }
    // Tried one by one: checking that all are well-typed takes long for a long program.
    while (!by_kind.empty()) {
        const auto kind = std::next(by_kind.begin(), choices.integer(0, std::ssize(by_kind) - 1));
        choices.shuffle(kind->second);
        for (const Suggestion& suggestion : kind->second) {
            Mutated made = make(program, suggestion);
            if (is_mutation(program, made.program)) { return std::move(made.mutation); }
        }
        by_kind.erase(kind);
    }
    return std::nullopt;
}

}  // namespace haruspex::mutants::sched
