#include "oracle/equivalence/conduct.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "generators/affine/parameters.h"
#include "generators/affine/sets.h"
#include "oracle/equivalence/unsupported.h"

namespace haruspex::equivalence {
namespace {

// { [i_0, …, i_same] -> [j_0, …] : i and j agree in the first `same` dimensions, and i_same comparison j_same }
isl::map prefixes(isl::ctx ctx, std::size_t same, const char* comparison) {
    std::string from, to;
    for (std::size_t d = 0; d <= same; ++d) {
        from += (d == 0 ? "i" : ", i") + std::to_string(d);
        const std::string j = d == same ? "j" : "i" + std::to_string(d);
        to += (d == 0 ? "" : ", ") + j;
    }
    return isl::map(ctx, fmt::format("{{ [{}] -> [{}] : i{} {} j }}", from, to, same, comparison));
}

class Examiner {
public:
    Examiner(Graph& graph, const SchedProgram& program) : graph_(graph), program_(program) {}

    Conduct examine() {
        for (const AssertedCondition& asserted : program_.asserted) {
            if (!asserted.violations.is_empty()) {
                note("assertion_failed", asserted.label, affine::to_string(asserted.violations));
            }
        }
        for (const ReadBeyondLanes& read : program_.beyond_lanes) {
            note("out_of_bounds_read", read.label, affine::to_string(read.iterations));
        }
        for (const Access& access : program_.accesses) { check_bounds(access); }
        for (const FreedArray& freed : program_.freed) { check_freed(freed); }
        std::map<ArrayId, std::vector<const Access*>> by_array;
        for (const Access& access : program_.accesses) { by_array[access.array].push_back(&access); }
        for (const auto& [array, accesses] : by_array) {
            if (std::ranges::none_of(accesses, &Access::writes)) { continue; }
            check_lanes(accesses);
            check_parallel(array, accesses);
        }
        return std::move(conduct_);
    }

private:
    void note(const std::string& kind, const std::string& statement, const std::string& where) {
        if (noted_.insert({kind, statement}).second) { conduct_.faults.push_back({kind, statement, where}); }
    }

    void check_bounds(const Access& access) {
        if (access.writes && graph_.memory().array(access.array).coordinates && !access.cell.is_empty()) {
            note("write_to_input", access.label, affine::to_string(access.cell.domain()));
        }
        const isl::set& cells = program_.arrays.at(access.array).cells;
        if (access.cell.range().is_subset(cells)) { return; }
        const isl::set where = access.cell.intersect_range(access.cell.range().subtract(cells)).domain();
        note(access.writes ? "out_of_bounds_write" : "out_of_bounds_read", access.label, affine::to_string(where));
    }

    void check_freed(const FreedArray& freed) {
        if (freed.is_in_parallel_loop) { throw Unsupported("array freed in a par loop: " + freed.label); }
        const isl::map later(graph_.ctx(), order(*freed.time));
        const ArrayFacts& array = program_.arrays.at(freed.array);
        for (const Access& access : program_.accesses) {
            if (access.array != freed.array) { continue; }
            const isl::map one =
                access.cell.apply_range(prefix(array.cells, array.around)).apply_range(freed.around.reverse());
            const isl::map after = access.time->apply_range(later).apply_range(freed.time->reverse());
            const isl::map bad = one.intersect(after);
            if (!bad.is_empty()) {
                note(access.writes ? "write_after_free" : "read_after_free", access.label,
                     affine::to_string(bad.domain()));
            }
        }
        for (const FreedArray& first : program_.freed) {
            if (first.array != freed.array) { continue; }
            const isl::map one = freed.around.apply_range(first.around.reverse());
            const isl::map after = freed.time->apply_range(later).apply_range(first.time->reverse());
            const isl::map bad = one.intersect(after);
            if (!bad.is_empty()) { note("free_after_free", freed.label, affine::to_string(bad.domain())); }
        }
    }
    // "{ [t, …] -> [u, …] : t later than u }"
    static std::string order(const isl::map& time) {
        std::string t, u, later, equal;
        for (unsigned d = 0; d < time.range_tuple_dim(); ++d) {
            const std::string n = std::to_string(d);
            t += (d == 0 ? "t" : ", t") + n;
            u += (d == 0 ? "u" : ", u") + n;
            later += (d == 0 ? "(" : " or (") + equal + "t" + n + " > u" + n + ")";
            equal += "t" + n + " = u" + n + " and ";
        }
        return "{ [" + t + "] -> [" + u + "] : " + later + " }";
    }
    // { tuple[c] -> [c_0, …, c_(count-1)] }
    static isl::map prefix(const isl::set& set, std::size_t count) {
        const isl::space space = set.space();
        isl::multi_pw_aff first = space.add_unnamed_tuple(static_cast<unsigned>(count)).zero_multi_pw_aff();
        const isl::multi_aff identity = space.identity_multi_aff_on_domain();
        for (std::size_t d = 0; d < count; ++d) {
            first = first.set_at(static_cast<int>(d), isl::pw_aff(identity.at(static_cast<int>(d))));
        }
        return first.as_map();
    }

    // Pairs of accesses to one cell whose iterations agree in the first `same` dimensions and differ in the next.
    isl::map clash(const Access& a, const Access& b, std::size_t same, const char* comparison) const {
        const isl::map different = prefix(graph_.node(a.node).domain, same + 1)
                                       .apply_range(prefixes(graph_.ctx(), same, comparison))
                                       .apply_range(prefix(graph_.node(b.node).domain, same + 1).reverse());
        return a.cell.apply_range(b.cell.reverse()).intersect(different);
    }
    isl::map clash(const Access& a, const Access& b, std::size_t same) const {
        return clash(a, b, same, "<").unite(clash(a, b, same, ">"));
    }

    // --- Lanes: of one assignment, whose writes share the loop that stands for the lanes ---

    void check_lanes(const std::vector<const Access*>& accesses) {
        for (const Access* a : accesses) {
            for (const Access* b : accesses) {
                const bool is_one_assignment = a->writes && b->writes && !a->loops.empty() && !b->loops.empty() &&
                                               a->loops.back().is_lanes && a->loops.back().id == b->loops.back().id;
                if (!is_one_assignment) { continue; }
                const isl::map both = clash(*a, *b, a->loops.size() - 1);
                if (both.is_empty()) { continue; }
                if (a->accumulates || b->accumulates) {
                    note("lane_conflict", a->label, affine::to_string(both.domain()));
                    continue;
                }
                conduct_.same.push_back(
                    {*graph_.node(a->node).root, *graph_.node(b->node).root, both, "lane_conflict", a->label});
            }
        }
    }

    // --- par loops ---

    void check_parallel(ArrayId array, const std::vector<const Access*>& accesses) {
        std::set<std::pair<std::uint32_t, std::size_t>> loops;  // with their depth
        for (const Access* access : accesses) {
            for (std::size_t d = program_.arrays.at(array).around; d < access->loops.size(); ++d) {
                if (access->loops[d].is_parallel) { loops.insert({access->loops[d].id, d}); }
            }
        }
        for (const auto& [loop, depth] : loops) {
            std::vector<const Access*> inside;
            for (const Access* access : accesses) {
                if (access->loops.size() > depth && access->loops[depth].id == loop) { inside.push_back(access); }
            }
            check_parallel(array, inside, depth);
        }
    }

    void check_parallel(ArrayId array, const std::vector<const Access*>& accesses, std::size_t depth) {
        bool may_clash = false;
        std::vector<const Access*> writes;
        for (const Access* a : accesses) {
            if (!a->writes) { continue; }
            writes.push_back(a);
            for (const Access* b : accesses) {
                const isl::map both = clash(*a, *b, depth);
                if (both.is_empty()) { continue; }
                if (!b->writes || b->accumulates || a->accumulates) {
                    note("read_write_race", b->label, affine::to_string(both.range()));
                } else {
                    may_clash = true;
                }
            }
        }
        if (may_clash) { compare_what_iterations_leave(array, writes, depth); }
    }

    // Adds a node for the end of each iteration and each cell that it wrote: { end[i_0, …, i_depth, c] }.
    void compare_what_iterations_leave(ArrayId array, const std::vector<const Access*>& writes, std::size_t depth) {
        const isl::ctx ctx = graph_.ctx();
        std::optional<isl::map> written;  // { [i_0, …, i_depth] -> array[c] }
        for (const Access* write : writes) {
            const isl::map here = prefix(graph_.node(write->node).domain, depth + 1).reverse().apply_range(write->cell);
            written = written ? written->unite(here) : here;
        }
        const std::string statement = writes.front()->label;
        const NodeId end = graph_.add_node(written->wrap().flatten(), "end of an iteration");
        const isl::set ends = graph_.node(end).domain;
        const isl::map iteration = prefix(ends, depth + 1);
        const isl::map cell = suffix(ends, depth + 1).set_range_tuple(written->range_tuple_id()).intersect_domain(ends);
        const isl::map time = iteration.apply_range(end_time(*writes.front(), depth)).intersect_domain(ends);
        const TermId value = graph_.add({Read{graph_.memory().add_read({end, array, cell, time, {}, {}})}, end});
        graph_.set_root(end, value);
        const isl::map other = iteration.apply_range(prefixes(ctx, depth, "<").unite(prefixes(ctx, depth, ">")))
                                   .apply_range(iteration.reverse());
        conduct_.same.push_back({value, value, cell.apply_range(cell.reverse()).intersect(other), "write_write_race",
                                 writes.front()->label, is_read(array) ? std::nullopt : std::optional(array)});
    }

    bool is_read(ArrayId array) const {
        return std::ranges::any_of(program_.accesses, [array](const Access& access) {
            return access.array == array && (!access.writes || access.accumulates);
        });
    }

    static isl::map suffix(const isl::set& set, std::size_t from) {
        const isl::space space = set.space();
        const std::size_t count = set.tuple_dim() - from;
        isl::multi_pw_aff last = space.add_unnamed_tuple(static_cast<unsigned>(count)).zero_multi_pw_aff();
        const isl::multi_aff identity = space.identity_multi_aff_on_domain();
        for (std::size_t d = 0; d < count; ++d) {
            last = last.set_at(static_cast<int>(d), isl::pw_aff(identity.at(static_cast<int>(from + d))));
        }
        return last.as_map();
    }

    // { [i_0, …, i_depth] -> [t_0, …] }, after everything that the iteration does, and before the next one.
    isl::map end_time(const Access& write, std::size_t depth) const {
        const Loop& loop = write.loops[depth];
        std::vector<isl::pw_aff> time = loop.time;
        time.push_back(affine::constant(graph_.ctx(), std::numeric_limits<std::int32_t>::max()));
        time.resize(write.time->range_tuple_dim(), affine::constant(graph_.ctx(), 0));
        return affine::tuple(graph_.ctx(), time)
            .unbind_params_insert_domain(affine::tuple_of(graph_.ctx(), loop.variables))
            .as_map();
    }

    Graph& graph_;
    const SchedProgram& program_;
    Conduct conduct_;
    std::set<std::pair<std::string, std::string>> noted_;
};

}  // namespace

Conduct examine(Graph& graph, const SchedProgram& program) { return Examiner(graph, program).examine(); }

}  // namespace haruspex::equivalence
