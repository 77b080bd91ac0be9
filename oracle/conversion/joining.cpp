#include "oracle/conversion/joining.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "harness/sched/traverse.h"

namespace haruspex::conversion {
namespace {

using sched::Block;
using sched::Stmt;
using Statements = std::span<const Stmt>;
using Units = std::map<std::string, std::int64_t>;  // of semaphores

template <typename Visit>
void for_each_inside(Statements statements, Visit visit) {
    for (const Stmt& statement : statements) {
        visit(statement);
        sched::for_each_block(statement, [&](const Block& inner) { sched::for_each_statement(inner, visit); });
    }
}

// The units of a Semaphore, Acquire or Release; nullopt if they are not a number.
template <typename Node>
std::optional<std::int64_t> units(const Node& node) {
    const auto* number = std::get_if<sched::Integer>(&node.units.node);
    return number == nullptr ? std::nullopt : std::optional(number->value);
}

bool synchronises(Statements statements) {
    bool found = false;
    for_each_inside(statements, [&](const Stmt& s) {
        found = found || std::holds_alternative<sched::Semaphore>(s.node) ||
                std::holds_alternative<sched::Acquire>(s.node) || std::holds_alternative<sched::Release>(s.node) ||
                std::holds_alternative<sched::Fork>(s.node);
    });
    return found;
}

struct Touched {
    std::set<std::string> written, all, allocated;
};

Touched touched(Statements statements) {
    Touched arrays;
    for_each_inside(statements, [&](const Stmt& s) {
        sched::for_each_part(s, [&](const sched::Expr& part) { arrays.all.merge(sched::arrays_read(part)); });
        if (const auto* assign = std::get_if<sched::Assign>(&s.node)) {
            for (const sched::Write& write : assign->writes) { arrays.written.insert(write.array); }
        }
        if (const auto* accumulate = std::get_if<sched::Accumulate>(&s.node)) {
            arrays.written.insert(accumulate->array);
        }
        if (const auto* allocate = std::get_if<sched::Allocate>(&s.node)) { arrays.allocated.insert(allocate->array); }
        // Freed memory is not accessible to any other code.
        if (const auto* free = std::get_if<sched::Free>(&s.node)) { arrays.written.insert(free->array); }
    });
    arrays.all.insert(arrays.written.begin(), arrays.written.end());
    arrays.all.insert(arrays.allocated.begin(), arrays.allocated.end());
    return arrays;
}

bool meet(const std::set<std::string>& a, const std::set<std::string>& b) {
    return std::ranges::any_of(a, [&](const std::string& name) { return b.contains(name); });
}

// The releases at the end of a branch; nullopt if there are none, or if one has an unknown number of units.
std::optional<Units> released_last(const Block& branch, std::size_t& without) {
    Units released;
    for (without = branch.size(); without > 0; --without) {
        const auto* release = std::get_if<sched::Release>(&branch[without - 1].node);
        if (release == nullptr) { break; }
        const auto n = units(*release);
        if (!n || *n < 0 || !released.emplace(release->semaphore, *n).second) { return std::nullopt; }
    }
    return released.empty() ? std::nullopt : std::optional(std::move(released));
}

// Whether these are the only uses of the semaphores after their declarations in the block, which give them no units.
bool are_used_here_alone(const Block& block, std::size_t fork, const Units& released, const Units& acquired,
                         std::size_t acquisitions) {
    std::size_t releases = 0, acquires = 0;
    for (const auto& [name, count] : released) {
        const auto declares = [&](const Stmt& s) {
            const auto* semaphore = std::get_if<sched::Semaphore>(&s.node);
            return semaphore != nullptr && semaphore->name == name && units(*semaphore) == 0;
        };
        const auto before = Statements(block).first(fork);
        if (std::ranges::none_of(before, declares)) { return false; }
        const auto taken = acquired.find(name);
        if (taken != acquired.end() && taken->second > count) { return false; }
    }
    for_each_inside(block, [&](const Stmt& s) {
        if (const auto* release = std::get_if<sched::Release>(&s.node)) {
            releases += released.contains(release->semaphore) ? 1 : 0;
        }
        if (const auto* acquire = std::get_if<sched::Acquire>(&s.node)) {
            acquires += released.contains(acquire->semaphore) ? 1 : 0;
        }
    });
    return releases == released.size() && acquires == acquisitions;
}

// The statements that replace the fork, if it has a fixed order.
std::optional<Block> sequence(const Block& block, std::size_t n, Units& released) {
    const auto& fork = std::get<sched::Fork>(block[n].node);
    std::size_t end = 0;
    auto last = released_last(fork.first, end);
    if (!last) { return std::nullopt; }
    const Statements first = Statements(fork.first).first(end);
    Units acquired;
    std::size_t acquisitions = 0, waits = fork.second.size();
    for (std::size_t k = 0; k < fork.second.size(); ++k) {
        const auto* acquire = std::get_if<sched::Acquire>(&fork.second[k].node);
        if (acquire == nullptr || !last->contains(acquire->semaphore)) { continue; }
        const auto count = units(*acquire);
        if (!count || *count < 1) { return std::nullopt; }
        acquired[acquire->semaphore] += *count;
        ++acquisitions;
        waits = std::min(waits, k);
    }
    const Statements before = Statements(fork.second).first(waits);
    if (waits == fork.second.size() || synchronises(first) || synchronises(before)) { return std::nullopt; }
    if (!are_used_here_alone(block, n, *last, acquired, acquisitions)) { return std::nullopt; }
    const Touched mine = touched(first), theirs = touched(before), all_theirs = touched(fork.second);
    const bool is_free = !meet(mine.written, theirs.all) && !meet(theirs.written, mine.all);
    if (!is_free || meet(mine.allocated, all_theirs.allocated)) { return std::nullopt; }
    Block joined(first.begin(), first.end());
    std::ranges::copy_if(fork.second, std::back_inserter(joined), [&](const Stmt& s) {
        const auto* acquire = std::get_if<sched::Acquire>(&s.node);
        return acquire == nullptr || !last->contains(acquire->semaphore);
    });
    released = std::move(*last);
    return joined;
}

void join(Block& block) {
    for (Stmt& statement : block) { sched::for_each_block(statement, join); }
    for (std::size_t n = 0; n < block.size(); ++n) {
        if (!std::holds_alternative<sched::Fork>(block[n].node)) { continue; }
        Units released;
        auto joined = sequence(block, n, released);
        if (!joined) { continue; }
        block.erase(block.begin() + static_cast<std::ptrdiff_t>(n));
        block.insert(block.begin() + static_cast<std::ptrdiff_t>(n), joined->begin(), joined->end());
        std::erase_if(block, [&](const Stmt& s) {
            const auto* semaphore = std::get_if<sched::Semaphore>(&s.node);
            return semaphore != nullptr && released.contains(semaphore->name);
        });
        n = 0;  // preceding statements have moved; the first one is not a fork with a semaphore
    }
}

}  // namespace

void join_forks(sched::Program& program) { join(program.body); }

}  // namespace haruspex::conversion
