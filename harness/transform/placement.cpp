// Transformations of the place where a function is computed: in its consumers, within their loops, or before them.

#include <algorithm>
#include <functional>
#include <utility>

#include "generators/sare/traverse.h"
#include "harness/sched/traverse.h"
#include "harness/transform/dependence.h"
#include "harness/transform/loop_pieces.h"
#include "harness/transform/naive.h"
#include "harness/transform/storage.h"
#include "harness/transform/transformations.h"

namespace haruspex::transform {

using namespace haruspex::sched;
using sare::Index;

namespace {

// The only write to an array, with the loops around it within the statement.
struct Definition {
    const Write* write = nullptr;
    std::vector<const For*> loops;
};

// Returns false if there are several writes, or one with lanes or an accumulation.
bool find_write(const Block& block, const std::string& array, std::vector<const For*>& loops, Definition& found) {
    for (const Stmt& stmt : block) {
        if (const auto* assign = std::get_if<Assign>(&stmt.node)) {
            for (const Write& write : assign->writes) {
                if (write.array != array) { continue; }
                if (found.write != nullptr || assign->lanes || write.accumulation) { return false; }
                found = {&write, loops};
            }
        }
        const auto* loop = std::get_if<For>(&stmt.node);
        if (loop != nullptr) { loops.push_back(loop); }
        bool single = true;
        for_each_block(stmt, [&](const Block& inner) { single = single && find_write(inner, array, loops, found); });
        if (loop != nullptr) { loops.pop_back(); }
        if (!single) { return false; }
    }
    return true;
}

// The value of a cell by its definition, with the loops' variables expressed by the cell's coordinates.
struct Formula {
    std::vector<std::string> coordinates;
    Expr value;
};

std::optional<Formula> formula(const Definition& definition, Workshop& workshop) {
    std::set<std::string> loops, solved;
    for (const For* loop : definition.loops) { loops.insert(loop->variable); }
    Formula result{{}, definition.write->value};
    Substitution by;
    for (const Expr& code : definition.write->indices) {
        const auto index = to_index(code);
        if (!index) { return std::nullopt; }
        result.coordinates.push_back(workshop.names.fresh("c"));
        const Index c = sare::variable(result.coordinates.back());
        std::string variable;
        for (const std::string& v : sare::free_variables(*index)) {
            if (!loops.contains(v)) { continue; }
            const auto factor = coefficient(*index, v);
            if (!variable.empty() || !factor || (*factor != 1 && *factor != -1)) { return std::nullopt; }
            variable = v;
        }
        if (variable.empty() || !solved.insert(variable).second) { return std::nullopt; }
        const Index v = sare::variable(variable);
        // c = rest ± v
        const bool plus = *coefficient(*index, variable) == 1;
        by.emplace(variable, expr(plus ? v + c - *index : *index + v - c));
    }
    bool closed = true;
    for_each_expr(result.value, [&](const Expr& part) {
        closed = closed && !std::holds_alternative<ValueVariable>(part.node);
        const auto* v = std::get_if<Variable>(&part.node);
        closed = closed && (v == nullptr || !loops.contains(v->name) || solved.contains(v->name));
    });
    if (!closed) { return std::nullopt; }
    result.value = sched::substitute(std::move(result.value), by);
    return result;
}

// Replaces reads of the array by the formula's value.
void expand(Expr& expr, const std::string& array, const Formula& formula) {
    for_each_part(expr, [&](Expr& part) { expand(part, array, formula); });
    const auto* load = std::get_if<Load>(&expr.node);
    if (load == nullptr || load->array != array) { return; }
    Substitution by;
    for (std::size_t d = 0; d < formula.coordinates.size(); ++d) {
        by.emplace(formula.coordinates[d], load->indices[d]);
    }
    expr = sched::substitute(formula.value, by);
}

std::size_t size(const Expr& expr) {
    std::size_t nodes = 0;
    for_each_expr(expr, [&](const Expr&) { ++nodes; });
    return nodes;
}

bool writes(const Stmt& stmt, const std::string& array) {
    bool found = false;
    for_each_statement(Block{stmt}, [&](const Stmt& s) {
        if (const auto* assign = std::get_if<Assign>(&s.node)) {
            found = found || std::ranges::any_of(assign->writes, [&](const Write& w) { return w.array == array; });
        }
    });
    return found;
}

}  // namespace

bool inline_function(Program& program, Workshop& workshop) {
    return at_some<Allocate>(program, workshop, [&](const Site& site, Allocate& allocation) {
        const std::string array = allocation.array;
        Block& block = *site.block;
        const auto used = uses(block, site.position + 1, array);
        if (!used || workshop.padded.contains(stem(array)) || workshop.contracted.contains(stem(array))) {
            return false;
        }
        // The definition must be the first of the uses.
        Definition definition;
        std::vector<const For*> loops;
        const Block rest(block.begin() + static_cast<std::ptrdiff_t>(used->first), block.end());
        if (!find_write(rest, array, loops, definition) || definition.write == nullptr ||
            !writes(rest.front(), array) || binds_lets({rest.front()})) {
            return false;
        }
        const auto found = formula(definition, workshop);
        if (!found || size(found->value) > 40) { return false; }
        // The arrays it reads must be unchanged at all later reads.
        const std::set<std::string> local = allocated_in(rest);
        for (const std::string& read : arrays_read(found->value)) {
            const auto changes = [&](const Stmt& s) { return writes(s, read); };
            if (read == array || local.contains(read) || std::ranges::any_of(rest, changes) || frees(rest, read)) {
                return false;
            }
        }
        Block inlined = rest;
        std::size_t largest = 0;
        for_each_statement(inlined, [&](Stmt& stmt) {
            for_each_part(stmt, [&](Expr& part) {
                expand(part, array, *found);
                part = tidied(std::move(part));
                largest = std::max(largest, size(part));
            });
        });
        constexpr std::size_t most_nodes = 150;
        if (largest > most_nodes) { return false; }
        const std::function<void(Block&)> remove = [&](Block& statements) {
            for (Stmt& stmt : statements) {
                if (auto* assign = std::get_if<Assign>(&stmt.node)) {
                    std::erase_if(assign->writes, [&](const Write& w) { return w.array == array; });
                }
                for_each_block(stmt, remove);
            }
            std::erase_if(statements, [&](const Stmt& stmt) {
                const auto* assign = std::get_if<Assign>(&stmt.node);
                const auto* release = std::get_if<Free>(&stmt.node);
                return (assign != nullptr && assign->writes.empty()) || (release != nullptr && release->array == array);
            });
        };
        remove(inlined);
        drop_empty(inlined);
        block.erase(block.begin() + static_cast<std::ptrdiff_t>(used->first), block.end());
        block.insert(block.end(), inlined.begin(), inlined.end());
        block.erase(block.begin() + static_cast<std::ptrdiff_t>(site.position));
        return true;
    });
}

namespace {

using Box = std::vector<Range>;

std::optional<Box> box_of(const Allocate& allocation) {
    Box box;
    for (const Dimension& d : allocation.dimensions) {
        const auto min = to_index(d.min);
        const auto extent = to_index(d.extent);
        const auto low = min ? to_affine(*min) : std::nullopt;
        const auto size = extent ? to_affine(*extent) : std::nullopt;
        if (!low || !size || d.stride) { return std::nullopt; }
        box.push_back({*low, *low + *size});
    }
    return box;
}

// The cells of the arrays that an iteration of the loop reads; the variables of the loop and of those around it are
// symbols. Fails if a bound or an index has no affine range.
class Footprint {
public:
    Footprint(std::set<std::string> arrays, std::size_t rank) : arrays_(std::move(arrays)), box_(rank) {}

    bool collect(const Block& block, Ranges variables) {
        for (const Stmt& stmt : block) {
            if (!collect(stmt, variables)) { return false; }
        }
        return true;
    }
    std::optional<Box> box() const {
        Box found;
        for (const auto& range : box_) {
            if (!range) { return std::nullopt; }
            found.push_back(*range);
        }
        return found;
    }
    bool reads() const { return reads_; }

private:
    bool collect(const Stmt& stmt, Ranges variables) {
        if (std::holds_alternative<Let>(stmt.node)) { return false; }
        bool affine = true;
        for_each_part(stmt, [&](const Expr& part) {
            for_each_expr(part, [&](const Expr& e) {
                if (const auto* reduce = std::get_if<LaneReduce>(&e.node)) {
                    variables[reduce->lanes.variable] = {Affine{{}, 0}, Affine{{}, reduce->lanes.count - 1}};
                }
                const auto* load = std::get_if<Load>(&e.node);
                if (load != nullptr && arrays_.contains(load->array)) { affine = affine && take(*load, variables); }
            });
        });
        if (const auto* loop = std::get_if<For>(&stmt.node)) {
            const auto min = to_index(loop->min);
            const auto extent = to_index(loop->extent);
            const auto low = min ? range_of(*min, variables) : std::nullopt;
            const auto high = min && extent ? range_of(*min + *extent, variables) : std::nullopt;
            if (!low || !high) { return false; }
            variables[loop->variable] = {low->low, high->high + Affine{{}, -1}};
        }
        if (const auto* assign = std::get_if<Assign>(&stmt.node); assign != nullptr && assign->lanes) { return false; }
        for_each_block(stmt, [&](const Block& inner) { affine = affine && collect(inner, variables); });
        return affine;
    }

    bool take(const Load& load, const Ranges& variables) {
        reads_ = true;
        for (std::size_t d = 0; d < box_.size(); ++d) {
            const auto index = to_index(load.indices[d]);
            const auto range = index ? range_of(*index, variables) : std::nullopt;
            if (!range) { return false; }
            box_[d] = box_[d] ? hull(*box_[d], *range) : *range;
        }
        return true;
    }

    std::set<std::string> arrays_;
    std::vector<std::optional<Range>> box_;
    bool reads_ = false;
};

// Whether one box has no negative extent and lies within the other, under the facts known there.
bool lies_within(const Box& inner, const Box& outer, const Around& around, const Workshop& workshop) {
    const auto in_terms = [&](const Affine& a) { return sare::substitute(to_index(a), around.lets); };
    sare::Condition outside = sare::truth(false);
    sare::Condition empty = sare::truth(false);
    for (std::size_t d = 0; d < inner.size(); ++d) {
        const Index low = in_terms(inner[d].low), high = in_terms(inner[d].high);
        if (workshop.possible(around.known && sare::compare(sare::Relation::gt, low, high))) { return false; }
        outside = outside || sare::compare(sare::Relation::lt, low, in_terms(outer[d].low)) ||
                  sare::compare(sare::Relation::gt, high, in_terms(outer[d].high));
        empty = empty || sare::compare(sare::Relation::eq, low, high);
    }
    return !workshop.possible(around.known && outside && !empty);
}

// Whether every read of the arrays in the body is within the box.
bool covers(const Box& box, const std::set<std::string>& arrays, const Block& body, const Around& around,
            const Workshop& workshop) {
    const auto all = touches(body, around);
    if (!all) { return false; }
    for (const Touch& touch : *all) {
        if (!arrays.contains(touch.array)) { continue; }
        sare::Condition outside = sare::truth(false);
        for (std::size_t d = 0; d < box.size(); ++d) {
            outside =
                outside ||
                sare::compare(sare::Relation::lt, touch.cell[d], sare::substitute(to_index(box[d].low), around.lets)) ||
                sare::compare(sare::Relation::ge, touch.cell[d], sare::substitute(to_index(box[d].high), around.lets));
        }
        if (touch.writes || workshop.possible(touch.domain && outside)) { return false; }
    }
    return true;
}

}  // namespace

// Whether an update's target is not the function's own cell. The boxes that an iteration needs and that the update
// touches then need not contain one another.
bool writes_elsewhere(const sare::Function& function) {
    return std::ranges::any_of(function.updates, [&](const sare::UpdateDefinition& update) {
        for (std::size_t d = 0; d < update.target.size(); ++d) {
            if (!sare::is_pure_position(function, update, d)) { return true; }
        }
        return false;
    });
}

bool compute_at(Program& program, Workshop& workshop) {
    return at_some<Allocate>(program, workshop, [&](const Site& site, Allocate& allocation) {
        Block& block = *site.block;
        // The function whose first component is allocated here, with its naive code intact.
        const sare::Function* function = nullptr;
        for (const sare::Function& f : workshop.algorithm.functions) {
            if (array_name(f.name, f.types.size(), 0) == allocation.array) { function = &f; }
        }
        const auto box = box_of(allocation);
        if (function == nullptr || !box || writes_elsewhere(*function)) { return false; }
        Block naive = allocations(*function, *box);
        const std::size_t components = naive.size();
        for (Stmt& stmt : realisation(workshop.algorithm, *function, *box, workshop.names)) {
            naive.push_back(std::move(stmt));
        }
        const std::size_t end = site.position + naive.size();
        if (end >= block.size()) { return false; }
        const auto at = [&](std::size_t position) { return block.begin() + static_cast<std::ptrdiff_t>(position); };
        if (normalised(Block(at(site.position), at(end))) != normalised(naive)) { return false; }
        std::set<std::string> arrays;
        for (std::size_t c = 0; c < components; ++c) { arrays.insert(array_name(function->name, components, c)); }
        // The only statement that reads it must be a loop.
        std::set<std::size_t> readers;
        for (std::size_t i = end; i < block.size(); ++i) {
            if (std::ranges::any_of(arrays, [&](const std::string& a) { return mentions(block[i], a); })) {
                readers.insert(i);
            }
        }
        if (readers.size() != 1) { return false; }
        const std::size_t reader = *readers.begin();
        auto* loop = std::get_if<For>(&block[reader].node);
        if (loop == nullptr) { return false; }
        // Choose a random depth in the loop nest.
        Around around = inside(site.around, *loop);
        while (loop->body.size() == 1 && workshop.choices.boolean(workshop.policy.deeper_per_mille)) {
            auto* inner = std::get_if<For>(&loop->body.front().node);
            if (inner == nullptr) { break; }
            around = inside(around, *inner);
            loop = inner;
        }
        Footprint footprint(arrays, box->size());
        if (!footprint.collect(loop->body, {})) { return false; }
        auto needed = footprint.box();
        if (!needed) { return false; }
        widen_by_updates(*function, *needed);
        if (!lies_within(*needed, *box, around, workshop) || !covers(*needed, arrays, loop->body, around, workshop)) {
            return false;
        }
        // The arrays it reads must still be there, unchanged.
        for (std::size_t i = site.position; i < end; ++i) {
            for (const auto& touch : touches(block[i], site.around).value_or(std::vector<Touch>{})) {
                if (touch.writes || arrays.contains(touch.array)) { continue; }
                const Block later(at(end), block.end());
                const auto changes = [&](const Stmt& s) { return writes(s, touch.array); };
                if (std::ranges::any_of(later, changes) || frees(later, touch.array)) { return false; }
            }
        }
        Block inside_loop = allocations(*function, *needed);
        for (Stmt& stmt : realisation(workshop.algorithm, *function, *needed, workshop.names)) {
            inside_loop.push_back(std::move(stmt));
        }
        if (statement_count(program.body) + 2 > workshop.policy.most_statements) { return false; }
        loop->body.insert(loop->body.begin(), inside_loop.begin(), inside_loop.end());
        block.erase(at(site.position), at(end));
        return true;
    });
}

}  // namespace haruspex::transform
