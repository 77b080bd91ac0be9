#include "oracle/validator/flow/accumulation.h"

#include <algorithm>
#include <set>
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

bool mentions(const Expr& expr, const std::set<std::string>& values) {
    bool found = false;
    for_each_expr(expr, [&](const Expr& part) {
        const auto* value = std::get_if<ValueVariable>(&part.node);
        found = found || (value != nullptr && values.contains(value->name));
    });
    return found;
}

bool mentions(const Stmt& stmt, const std::set<std::string>& values) {
    bool found = false;
    for_each_part(stmt, [&](const Expr& part) { found = found || mentions(part, values); });
    for_each_block(stmt, [&](const Block& block) {
        for (const Stmt& inner : block) { found = found || mentions(inner, values); }
    });
    return found;
}

class Search {
public:
    Search(std::string array, const Accumulates& accumulates) : array_(std::move(array)), accumulates_(accumulates) {}

    // Whether the statement accesses the array by accumulations only, with the value-lets before it. An inner array of
    // the same name counts as an access.
    bool only_accumulates(const Block& block, std::size_t position) const {
        const Stmt& stmt = block[position];
        const bool is_plain = std::visit(
            Overload{[&](const Assign& s) { return only_accumulates(s) && has_lets_of_its_own(block, position); },
                     [&](const LetValue& s) { return !reads(s.value) || is_before_accumulation(block, position); },
                     [&](const Allocate& s) { return s.array != array_ && !reads_in_parts(stmt); },
                     [&](const Free& s) { return s.array != array_; }, [](const Semaphore&) { return false; },
                     [](const Acquire&) { return false; }, [](const Release&) { return false; },
                     [](const Fork&) { return false; }, [&](const auto&) { return !reads_in_parts(stmt); }},
            stmt.node);
        if (!is_plain) { return false; }
        bool all = true;
        for_each_block(stmt, [&](const Block& inner) {
            for (std::size_t i = 0; i < inner.size(); ++i) { all = all && only_accumulates(inner, i); }
        });
        return all;
    }

    bool accesses(const Stmt& stmt) const {
        bool found = reads_in_parts(stmt);
        if (const auto* assign = std::get_if<Assign>(&stmt.node)) { found = found || writes(*assign); }
        for_each_block(stmt, [&](const Block& block) {
            for (const Stmt& s : block) { found = found || accesses(s); }
        });
        return found;
    }

    void collect(const Block& block, std::size_t position, AccumulationScope& scope) const {
        const Stmt& stmt = block[position];
        if (const auto* assign = std::get_if<Assign>(&stmt.node)) {
            for (const Write& write : assign->writes) {
                if (write.array != array_) { continue; }
                scope.writes.push_back(&write);
                std::vector<const LetValue*> lets = lets_before(block, position);
                const bool is_read = std::ranges::any_of(lets, [&](const LetValue* let) { return reads(let->value); });
                if (is_read) { scope.lets.emplace(&write, std::move(lets)); }
            }
        }
        for_each_block(stmt, [&](const Block& inner) {
            for (std::size_t i = 0; i < inner.size(); ++i) { collect(inner, i, scope); }
        });
    }

private:
    bool reads(const Expr& expr) const { return arrays_read(expr).contains(array_); }

    bool writes(const Assign& assign) const {
        return std::ranges::any_of(assign.writes, [&](const Write& write) { return write.array == array_; });
    }

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

    // The value-lets before a statement with nothing but lets in between, in the order of the text.
    static std::vector<const LetValue*> lets_before(const Block& block, std::size_t position) {
        std::vector<const LetValue*> lets;
        for (std::size_t i = position; i > 0; --i) {
            const auto* let = std::get_if<LetValue>(&block[i - 1].node);
            if (let == nullptr && !std::holds_alternative<Let>(block[i - 1].node)) { break; }
            if (let != nullptr) { lets.insert(lets.begin(), let); }
        }
        return lets;
    }

    // Whether the next statement that is not a let only accumulates, and has the lets before it for itself. Otherwise the
    // let reads what the scope has left, which is not known inside it.
    bool is_before_accumulation(const Block& block, std::size_t position) const {
        const auto is_let = [](const Stmt& stmt) {
            return std::holds_alternative<Let>(stmt.node) || std::holds_alternative<LetValue>(stmt.node);
        };
        while (position < block.size() && is_let(block[position])) { ++position; }
        const auto* assign = position < block.size() ? std::get_if<Assign>(&block[position].node) : nullptr;
        return assign != nullptr && writes(*assign) && only_accumulates(*assign) &&
               has_lets_of_its_own(block, position);
    }

    // Whether the value-lets before the assignment that depend on the array are for its accumulations alone.
    bool has_lets_of_its_own(const Block& block, std::size_t position) const {
        std::set<std::string> dependent;
        for (const LetValue* let : lets_before(block, position)) {
            if (reads(let->value) || mentions(let->value, dependent)) { dependent.insert(let->name); }
        }
        if (dependent.empty()) { return true; }
        const auto& assign = std::get<Assign>(block[position].node);
        if (assign.condition && mentions(*assign.condition, dependent)) { return false; }
        for (const Write& write : assign.writes) {
            const auto is_dependent = [&](const Expr& index) { return mentions(index, dependent); };
            if (std::ranges::any_of(write.indices, is_dependent)) { return false; }
            if (write.array != array_ && is_dependent(write.value)) { return false; }
        }
        for (std::size_t i = position + 1; i < block.size(); ++i) {
            if (mentions(block[i], dependent)) { return false; }
        }
        return true;
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
        if (!search.only_accumulates(*block, position)) { continue; }
        const auto continues = [&, block = block](std::size_t i) {
            return !std::holds_alternative<Allocate>((*block)[i].node) && search.only_accumulates(*block, i);
        };
        std::size_t first = position, last = position;
        while (first > (depth == outermost ? begin : 0) && continues(first - 1)) { --first; }
        while (last + 1 < block->size() && continues(last + 1)) { ++last; }
        while (!search.accesses((*block)[first])) { ++first; }
        while (!search.accesses((*block)[last])) { --last; }
        AccumulationScope scope{block, first, last, {}};
        for (std::size_t i = first; i <= last; ++i) { search.collect(*block, i, scope); }
        return scope;
    }
    return std::nullopt;
}

}  // namespace haruspex::validator
