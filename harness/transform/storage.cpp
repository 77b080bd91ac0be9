// Transformations of local arrays.

#include "harness/transform/storage.h"

#include <algorithm>
#include <array>
#include <utility>

#include "generators/base/overload.h"
#include "harness/sched/traverse.h"
#include "harness/transform/dependence.h"
#include "harness/transform/indices.h"
#include "harness/transform/transformations.h"

namespace haruspex::transform {

using namespace haruspex::sched;
using sare::Index;
using sare::Relation;

namespace {

void change_loads(Expr& expr, const std::string& array, const std::function<void(std::vector<Expr>&)>& change) {
    for_each_part(expr, [&](Expr& part) { change_loads(part, array, change); });
    auto* load = std::get_if<Load>(&expr.node);
    if (load != nullptr && load->array == array) { change(load->indices); }
}

}  // namespace

void for_each_access(Block& block, std::size_t from, const std::string& array,
                     const std::function<void(std::vector<Expr>&)>& change) {
    Block tail(block.begin() + static_cast<std::ptrdiff_t>(from), block.end());
    for_each_statement(tail, [&](Stmt& stmt) {
        for_each_part(stmt, [&](Expr& part) { change_loads(part, array, change); });
        if (auto* assign = std::get_if<Assign>(&stmt.node)) {
            for (Write& write : assign->writes) {
                if (write.array == array) { change(write.indices); }
            }
        }
        tidy(stmt);
    });
    std::ranges::move(tail, block.begin() + static_cast<std::ptrdiff_t>(from));
}

bool mentions(const Stmt& stmt, const std::string& array) {
    bool found = false;
    for_each_statement(Block{stmt}, [&](const Stmt& s) {
        for_each_part(s, [&](const Expr& part) { found = found || arrays_read(part).contains(array); });
        if (const auto* assign = std::get_if<Assign>(&s.node)) {
            for (const Write& write : assign->writes) { found = found || write.array == array; }
        }
        const auto* release = std::get_if<Free>(&s.node);
        found = found || (release != nullptr && release->array == array);
    });
    return found;
}

std::optional<std::pair<std::size_t, std::size_t>> uses(const Block& block, std::size_t from,
                                                        const std::string& array) {
    std::optional<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t i = from; i < block.size(); ++i) {
        if (!mentions(block[i], array)) { continue; }
        found = found ? std::pair{found->first, i} : std::pair{i, i};
    }
    return found;
}

bool frees(const Block& block, const std::string& array) {
    bool found = false;
    for_each_statement(block, [&](const Stmt& stmt) {
        const auto* release = std::get_if<Free>(&stmt.node);
        found = found || (release != nullptr && release->array == array);
    });
    return found;
}

void drop_empty(Block& block) {
    for (Stmt& stmt : block) {
        for_each_block(stmt, [](Block& inner) { drop_empty(inner); });
    }
    std::erase_if(block, [](const Stmt& stmt) {
        return std::visit(Overload{[](const For& s) { return s.body.empty(); },
                                   [](const If& s) { return s.then.empty() && s.otherwise.empty(); },
                                   [](const auto&) { return false; }},
                          stmt.node);
    });
}

namespace {

Block after(const Site& site) {
    return {site.block->begin() + static_cast<std::ptrdiff_t>(site.position) + 1, site.block->end()};
}

// Whether iterations of a par loop, or lanes, use the array: after contraction they might collide.
bool used_at_once(const Block& block, const std::string& array) {
    bool found = false;
    for_each_statement(block, [&](const Stmt& stmt) {
        const auto* loop = std::get_if<For>(&stmt.node);
        const auto* assign = std::get_if<Assign>(&stmt.node);
        const bool at_once =
            (loop != nullptr && (loop->kind == LoopKind::parallel || loop->kind == LoopKind::vector)) ||
            (assign != nullptr && assign->lanes);
        found = found || (at_once && mentions(stmt, array));
    });
    return found;
}

// Whether another cell in the same place may be written between the write of a cell and a read of it, if cells share a
// place when their indices in the dimension are equal modulo k.
bool overwrites(const std::vector<Touch>& writes, const std::vector<Touch>& reads, std::size_t dimension,
                std::int64_t k, const Workshop& workshop) {
    for (const Touch& w : writes) {
        for (const Touch& o : writes) {
            for (const Touch& r : reads) {
                const Touch source = marked(w, "'"), other = marked(o, "\""), read = marked(r, "*");
                sare::Condition met = source.domain && other.domain && read.domain && same_cell(source, read) &&
                                      earlier(source, other) && earlier(other, read);
                for (std::size_t d = 0; d < other.cell.size(); ++d) {
                    if (d != dimension) {
                        met = met && sare::compare(Relation::eq, other.cell[d], read.cell[d]);
                        continue;
                    }
                    const Index apart = other.cell[d] - read.cell[d];
                    met = met && sare::compare(Relation::ne, apart, sare::constant(0)) &&
                          sare::compare(Relation::eq, sare::floor_mod(apart, k), sare::constant(0));
                }
                if (workshop.possible(met)) { return true; }
            }
        }
    }
    return false;
}

// Returns the number of cells of a dimension that are needed at a time, if it is small and less than a constant extent.
std::optional<std::int64_t> cells_to_keep(const Dimension& dimension, std::size_t d, const std::vector<Touch>& writes,
                                          const std::vector<Touch>& reads, const Workshop& workshop) {
    constexpr std::int64_t most = 5;
    const auto extent = to_index(dimension.extent);
    // If even the most does not suffice, fewer hardly ever do.
    if (!extent || overwrites(writes, reads, d, most, workshop)) { return std::nullopt; }
    const auto whole = constant_of(*extent);
    for (std::int64_t k = 1; k <= most && (!whole || k < *whole); ++k) {
        if (!overwrites(writes, reads, d, k, workshop)) { return k; }
    }
    return std::nullopt;
}

}  // namespace

bool contract(Program& program, Workshop& workshop) {
    return at_some<Allocate>(program, workshop, [&](const Site& site, Allocate& allocation) {
        const std::string array = allocation.array;
        const Block rest = after(site);
        if (allocation.dimensions.empty() || workshop.padded.contains(stem(array)) || used_at_once(rest, array)) {
            return false;
        }
        const auto all = touches(rest, site.around);
        if (!all) { return false; }
        std::vector<Touch> writes, reads;
        for (const Touch& touch : *all) {
            if (touch.array == array) { (touch.writes ? writes : reads).push_back(touch); }
        }
        constexpr std::size_t most_triples = 24;
        if (writes.size() * writes.size() * reads.size() > most_triples) { return false; }
        const std::size_t rank = allocation.dimensions.size();
        const auto first = static_cast<std::size_t>(workshop.choices.integer(0, static_cast<std::int64_t>(rank) - 1));
        for (std::size_t i = 0; i < rank; ++i) {
            const std::size_t d = (first + i) % rank;
            const auto kept = cells_to_keep(allocation.dimensions[d], d, writes, reads, workshop);
            if (!kept) { continue; }
            allocation.dimensions[d] = {Expr{Integer{*kept}}, Expr{Integer{0}}, std::nullopt};
            for_each_access(*site.block, site.position + 1, array, [&](std::vector<Expr>& indices) {
                indices[d] = Expr{IndexBinary{IndexOp::mod, indices[d], Expr{Integer{*kept}}}};
            });
            workshop.contracted.insert(stem(array));
            return true;
        }
        return false;
    });
}

bool relayout(Program& program, Workshop& workshop) {
    return at_some<Allocate>(program, workshop, [&](const Site& site, Allocate& allocation) {
        const std::size_t rank = allocation.dimensions.size();
        if (rank == 0) { return false; }
        const auto d = static_cast<std::size_t>(workshop.choices.integer(0, static_cast<std::int64_t>(rank) - 1));
        Dimension& dimension = allocation.dimensions[d];
        const auto min = to_index(dimension.min);
        const auto extent = to_index(dimension.extent);
        if (!min || !extent) { return false; }
        std::function<void(std::vector<Expr>&)> change;
        Weights<3> forms = workshop.policy.storage;
        if (rank < 2) { forms[0] = 0; }
        const std::size_t form = workshop.choices.weighted(forms);
        if (form == 0) {
            const std::size_t other = (d + 1) % rank;
            std::swap(allocation.dimensions[d], allocation.dimensions[other]);
            change = [d, other](std::vector<Expr>& indices) { std::swap(indices[d], indices[other]); };
        } else if (form == 1) {
            Index by = *min;
            if (constant_of(by) == 0) { by = sare::constant(workshop.choices.one_of(std::array{1, 4, -3})); }
            dimension.min = expr(*min - by);
            change = [d, by = expr(by)](std::vector<Expr>& indices) {
                indices[d] = Expr{IndexBinary{IndexOp::sub, indices[d], by}};
            };
        } else {
            const Index last = *min + *extent - sare::constant(1);
            dimension.min = Expr{Integer{0}};
            change = [d, last = expr(last)](std::vector<Expr>& indices) {
                indices[d] = Expr{IndexBinary{IndexOp::sub, last, indices[d]}};
            };
        }
        for_each_access(*site.block, site.position + 1, allocation.array, change);
        return true;
    });
}

bool allocate_if(Program& program, Workshop& workshop) {
    return at_some<Allocate>(program, workshop, [&](const Site& site, Allocate& allocation) {
        if (allocation.condition) { return false; }
        std::vector<sare::Condition> candidates;
        for (const Dimension& d : allocation.dimensions) {
            if (const auto extent = to_index(d.extent)) {
                candidates.push_back(sare::compare(Relation::gt, simplified(*extent), sare::constant(0)));
            }
        }
        for (const std::string& parameter : program.parameters) {
            candidates.push_back(
                sare::compare(Relation::ge, sare::variable(parameter), sare::constant(workshop.choices.integer(1, 2))));
        }
        if (candidates.empty()) { return false; }
        const sare::Condition condition = workshop.choices.one_of(candidates);
        const auto known = site.around.condition(to_code(condition));
        const auto all = touches(after(site), site.around);
        if (!known || !all || std::holds_alternative<sare::Truth>(condition.node)) { return false; }
        for (const Touch& touch : *all) {
            if (touch.array == allocation.array && workshop.possible(touch.domain && !*known)) { return false; }
        }
        allocation.condition = to_code(condition);
        return true;
    });
}

bool free_early(Program& program, Workshop& workshop) {
    return at_some<Allocate>(program, workshop, [&](const Site& site, Allocate& allocation) {
        const std::string array = allocation.array;
        const auto used = uses(*site.block, site.position + 1, array);
        if (!used || frees(*site.block, array)) { return false; }
        const auto position = workshop.choices.integer(static_cast<std::int64_t>(used->second) + 1,
                                                       static_cast<std::int64_t>(site.block->size()));
        site.block->insert(site.block->begin() + position, Stmt{Free{array}});
        return true;
    });
}

}  // namespace haruspex::transform
