#include "oracle/validator/flow/accumulation.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "generators/base/overload.h"
#include "harness/sched/traverse.h"

namespace haruspex::validator {
namespace {

using namespace sched;

using Accumulates = std::function<bool(const Write&)>;

struct Place {
    const Block* block;
    std::size_t position;
};

// The blocks around a write, from the outermost one, with the position of the statement that contains the write.
bool find(const Block& block, const Write& write, std::vector<Place>& path) {
    for (std::size_t i = 0; i < block.size(); ++i) {
        path.push_back({&block, i});
        if (const auto* assign = std::get_if<Assign>(&block[i].node)) {
            if (std::ranges::any_of(assign->writes, [&](const Write& w) { return &w == &write; })) { return true; }
        }
        bool found = false;
        for_each_block(block[i], [&](const Block& inner) { found = found || find(inner, write, path); });
        if (found) { return true; }
        path.pop_back();
    }
    return false;
}

bool declares(const Stmt& stmt, const std::string& array) {
    const auto* allocate = std::get_if<Allocate>(&stmt.node);
    return allocate != nullptr && allocate->array == array;
}

class Search {
public:
    Search(std::string array, const Accumulates& accumulates) : array_(std::move(array)), accumulates_(accumulates) {}

    // Whether the statement accesses the array by accumulations only. An inner array of the same name counts as an
    // access.
    bool only_accumulates(const Stmt& stmt) const {
        const bool is_plain = std::visit(
            Overload{[&](const Assign& s) { return only_accumulates(s); },
                     [&](const Allocate& s) { return s.array != array_ && !reads_in_parts(stmt); },
                     [&](const Free& s) { return s.array != array_; }, [](const Semaphore&) { return false; },
                     [](const Acquire&) { return false; }, [](const Release&) { return false; },
                     [](const Fork&) { return false; }, [&](const auto&) { return !reads_in_parts(stmt); }},
            stmt.node);
        if (!is_plain) { return false; }
        bool all = true;
        for_each_block(stmt, [&](const Block& block) {
            all = all && std::ranges::all_of(block, [&](const Stmt& s) { return only_accumulates(s); });
        });
        return all;
    }

    void collect(const Stmt& stmt, std::vector<const Write*>& writes) const {
        if (const auto* assign = std::get_if<Assign>(&stmt.node)) {
            for (const Write& write : assign->writes) {
                if (write.array == array_) { writes.push_back(&write); }
            }
        }
        for_each_block(stmt, [&](const Block& block) {
            for (const Stmt& s : block) { collect(s, writes); }
        });
    }

private:
    bool reads(const Expr& expr) const { return arrays_read(expr).contains(array_); }

    bool reads_in_parts(const Stmt& stmt) const {
        bool found = false;
        for_each_part(stmt, [&](const Expr& part) { found = found || reads(part); });
        return found;
    }

    bool only_accumulates(const Assign& assign) const {
        if (assign.condition && reads(*assign.condition)) { return false; }
        return std::ranges::all_of(assign.writes, [&](const Write& write) {
            if (std::ranges::any_of(write.indices, [&](const Expr& index) { return reads(index); })) { return false; }
            return write.array == array_ ? accumulates_(write) : !reads(write.value);
        });
    }

    std::string array_;
    const Accumulates& accumulates_;
};

}  // namespace

std::optional<AccumulationScope> accumulation_scope(const Program& program, const Write& write,
                                                    const Accumulates& accumulates) {
    std::vector<Place> path;
    if (!find(program.body, write, path)) { return std::nullopt; }
    // The innermost declaration of the array: no scope begins before it.
    std::size_t outermost = 0, begin = 0;
    for (std::size_t depth = 0; depth < path.size(); ++depth) {
        for (std::size_t i = 0; i < path[depth].position; ++i) {
            if (declares((*path[depth].block)[i], write.array)) { outermost = depth, begin = i + 1; }
        }
    }
    const Search search(write.array, accumulates);
    for (std::size_t depth = outermost; depth < path.size(); ++depth) {
        const auto& [block, position] = path[depth];
        if (!search.only_accumulates((*block)[position])) { continue; }
        const auto continues = [&, block = block](std::size_t i) {
            const Stmt& stmt = (*block)[i];
            return !std::holds_alternative<Allocate>(stmt.node) && search.only_accumulates(stmt);
        };
        std::size_t first = position, last = position;
        while (first > (depth == outermost ? begin : 0) && continues(first - 1)) { --first; }
        while (last + 1 < block->size() && continues(last + 1)) { ++last; }
        const auto writes_of = [&, block = block](std::size_t i) {
            std::vector<const Write*> writes;
            search.collect((*block)[i], writes);
            return writes;
        };
        while (writes_of(first).empty()) { ++first; }
        while (writes_of(last).empty()) { --last; }
        AccumulationScope scope{block, first, last, {}};
        for (std::size_t i = first; i <= last; ++i) { search.collect((*block)[i], scope.writes); }
        return scope;
    }
    return std::nullopt;
}

}  // namespace haruspex::validator
