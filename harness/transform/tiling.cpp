// Transformations that regroup a loop's iterations without reordering them, or repeat some.

#include <algorithm>
#include <array>
#include <utility>

#include "harness/transform/dependence.h"
#include "harness/transform/loop_pieces.h"
#include "harness/transform/transformations.h"

namespace haruspex::transform {

using namespace haruspex::sched;
using sare::Index;

namespace {

constexpr std::array<std::int64_t, 5> tile_sizes{2, 3, 4, 5, 8};

sare::Condition at_least(const Index& a, std::int64_t n) {
    return sare::compare(sare::Relation::ge, a, sare::constant(n));
}
sare::Condition below(const Index& a, std::int64_t n) {
    return sare::compare(sare::Relation::lt, a, sare::constant(n));
}
Index round_up(const Index& n, std::int64_t size) { return sare::floor_div(n + sare::constant(size - 1), size); }

// The parts of a tiled loop.
struct Tiles {
    std::string outer, inner;  // variables: the tile, the position in it
    std::int64_t size;
    Index number;  // of tiles; the last one may be partial
    Index begin;   // of a tile, from the loop's minimum
    Index offset;  // of an iteration, likewise
};
Tiles tiles(const For& loop, const LoopBounds& bounds, Workshop& workshop) {
    Tiles t{workshop.names.fresh(loop.variable + "o"),
            workshop.names.fresh(loop.variable + "i"),
            workshop.choices.one_of(tile_sizes),
            {},
            {},
            {}};
    t.number = round_up(bounds.extent, t.size);
    t.begin = t.size * sare::variable(t.outer);
    t.offset = t.begin + sare::variable(t.inner);
    return t;
}

// Returns the body for an index of the loop: the index is substituted, or bound by a let.
Block body_at(const For& loop, const Index& index, Workshop& workshop) {
    if (!workshop.choices.boolean(workshop.policy.let_index_per_mille)) { return at(loop.body, loop.variable, index); }
    Block body{{Let{loop.variable, expr(index)}}};
    body.insert(body.end(), loop.body.begin(), loop.body.end());
    return body;
}

bool may_be_tiled(const For& loop) { return loop.kind == LoopKind::serial || loop.kind == LoopKind::parallel; }

// Whether repeating iterations later changes nothing.
bool repeats_harmlessly(const For& loop, const Around& around, const Workshop& workshop) {
    const auto found = touches(Stmt{loop}, around);
    if (!found) { return false; }
    const std::set<std::string> local = allocated_in(loop.body);
    std::vector<Touch> writes, reads;
    for (const Touch& touch : *found) { (touch.writes ? writes : reads).push_back(touch); }
    return !conflict(workshop, writes, reads, sare::truth(true), local) &&
           !conflict(workshop, writes, writes,
                     sare::compare(sare::Relation::ne, marked(loop.variable, "'"), marked(loop.variable, "\"")), local);
}

}  // namespace

bool tile(Program& program, Workshop& workshop, Transformation form) {
    return at_some<For>(program, workshop, [&](const Site& site, For& loop) {
        const auto bounds = bounds_of(loop, site.around);
        if (!bounds || !may_be_tiled(loop)) { return false; }
        const Tiles t = tiles(loop, *bounds, workshop);
        Block body = body_at(loop, bounds->min + t.offset, workshop);
        Index width = sare::constant(t.size);
        if (form == Transformation::tile_guarded) {
            const auto within = sare::compare(sare::Relation::lt, simplified(t.offset), simplified(bounds->extent));
            body = {{If{to_code(within), std::move(body), {}}}};
        } else {
            width = sare::min(width, bounds->extent - t.begin);
        }
        replace(site, {transform::loop(
                          loop.kind, t.outer, sare::constant(0), t.number,
                          {transform::loop(LoopKind::serial, t.inner, sare::constant(0), width, std::move(body))})});
        return true;
    });
}

bool tile_shifted(Program& program, Workshop& workshop) {
    return at_some<For>(program, workshop, [&](const Site& site, For& loop) {
        const auto bounds = bounds_of(loop, site.around);
        if (!bounds || loop.kind != LoopKind::serial || !repeats_harmlessly(loop, site.around, workshop)) {
            return false;
        }
        const Tiles t = tiles(loop, *bounds, workshop);
        const Index begin = sare::min(t.begin, bounds->extent - sare::constant(t.size));
        const bool always_fits = !workshop.possible(site.around.known && below(bounds->known_extent, t.size));
        For otherwise = copied(loop, workshop);
        Stmt tiled =
            transform::loop(LoopKind::serial, t.outer, sare::constant(0), t.number,
                            {transform::loop(LoopKind::serial, t.inner, sare::constant(0), sare::constant(t.size),
                                             body_at(loop, bounds->min + begin + sare::variable(t.inner), workshop))});
        if (!always_fits) {
            tiled = {If{
                to_code(at_least(simplified(bounds->extent), t.size)), {std::move(tiled)}, {{std::move(otherwise)}}}};
        }
        replace(site, {std::move(tiled)});
        return true;
    });
}

namespace {

// Makes room in an array for cells up to `by` beyond its end.
void enlarge(Program& program, const std::string& name, std::int64_t by) {
    const auto add = [&](std::vector<Dimension>& dimensions) {
        for (Dimension& d : dimensions) {
            d.extent = tidied(Expr{IndexBinary{IndexOp::add, d.extent, Expr{Integer{by}}}});
        }
    };
    for (Array& array : program.arrays) {
        if (array.name == name) { add(array.dimensions); }
    }
    for_each_statement(program.body, [&](Stmt& stmt) {
        auto* allocation = std::get_if<Allocate>(&stmt.node);
        if (allocation != nullptr && allocation->array == name) { add(allocation->dimensions); }
    });
}

// Returns the dimensions of an array, in terms of the facts known where it is declared.
std::optional<std::vector<sare::Span>> dimensions_of(Program& program, const sare::Condition& assumptions,
                                                     const std::string& name) {
    const auto spans = [](const std::vector<Dimension>& dimensions,
                          const Around& around) -> std::optional<std::vector<sare::Span>> {
        std::vector<sare::Span> found;
        for (const Dimension& d : dimensions) {
            const auto min = around.index(d.min);
            const auto extent = around.index(d.extent);
            if (!min || !extent || d.stride) { return std::nullopt; }
            found.push_back({*min, *extent});
        }
        return found;
    };
    for (const Array& array : program.arrays) {
        if (array.name == name) { return spans(array.dimensions, {assumptions, {}}); }
    }
    for (const Site& site : sites(program, assumptions)) {
        const auto* allocation = site.as<Allocate>();
        if (allocation != nullptr && allocation->array == name) {
            // Excess accesses might hit it where it is not allocated.
            if (allocation->condition) { return std::nullopt; }
            return spans(allocation->dimensions, site.around);
        }
    }
    return std::nullopt;
}

bool is_output(const Program& program, const std::string& name) {
    return std::ranges::any_of(program.arrays,
                               [&](const Array& a) { return a.name == name && a.role == Role::output; });
}

bool asserts(const Block& block) {
    bool found = false;
    for_each_statement(block, [&](const Stmt& s) { found = found || std::holds_alternative<Assert>(s.node); });
    return found;
}

// Whether the variable occurs in prophecies only as a cell's coordinate: a stage has no steps beyond its recurrence
// domain.
bool is_coordinate(const Block& block, const std::string& variable, const sare::Algorithm& algorithm) {
    bool found = true;
    for_each_statement(block, [&](const Stmt& stmt) {
        const auto* assign = std::get_if<Assign>(&stmt.node);
        if (assign == nullptr) { return; }
        for (const Write& write : assign->writes) {
            const TensorAccess& access = *prophesied_by(write);
            const auto function = std::ranges::find(
                algorithm.functions, access.tensor.substr(0, access.tensor.find('.')), &sare::Function::name);
            for (std::size_t i = function->variables.size(); i < access.indices.size(); ++i) {
                found = found && !free_names(access.indices[i]).contains(variable);
            }
        }
    });
    return found;
}

// Whether the rounded loop stays within its arrays, and its excess writes touch no other access.
bool excess_is_harmless(Program& program, const std::vector<Touch>& excess, const std::set<std::string>& local,
                        Workshop& workshop) {
    const sare::Condition& assumptions = workshop.algorithm.assumptions;
    const auto all = touches(program.body, {assumptions, {}});
    if (!all) { return false; }
    for (const Touch& touch : excess) {
        if (local.contains(touch.array)) { return false; }
        const auto dimensions = dimensions_of(program, assumptions, touch.array);
        if (!dimensions) { return false; }
        sare::Condition outside = sare::truth(false);
        for (std::size_t d = 0; d < dimensions->size(); ++d) {
            const auto& [min, extent] = (*dimensions)[d];
            outside = outside || sare::compare(sare::Relation::lt, touch.cell[d], min) ||
                      sare::compare(sare::Relation::ge, touch.cell[d], min + extent);
        }
        if (workshop.possible(touch.domain && outside)) { return false; }
    }
    // All of them are in the program's outermost block, where only parameters are in scope.
    for (const Touch& touch : excess) {
        if (!touch.writes) { continue; }
        for (const Touch& other : *all) {
            if (other.array != touch.array) { continue; }
            const Touch x = marked(touch, "'");
            const Touch y = marked(other, "\"");
            if (workshop.possible(x.domain && y.domain && same_cell(x, y))) { return false; }
        }
    }
    return true;
}

}  // namespace

bool tile_rounded_up(Program& program, Workshop& workshop) {
    return at_some<For>(program, workshop, [&](const Site& site, For& loop) {
        const auto bounds = bounds_of(loop, site.around);
        if (!bounds || !may_be_tiled(loop) || binds_lets(loop.body) || asserts(loop.body) ||
            !is_coordinate(loop.body, loop.variable, workshop.algorithm)) {
            return false;
        }
        // The accesses of the excess iterations.
        const Tiles t = tiles(loop, *bounds, workshop);
        Around beyond = site.around;
        const Index v = sare::variable(loop.variable);
        const Index end = bounds->known_min + bounds->known_extent;
        const Index rounded = bounds->known_min + t.size * round_up(bounds->known_extent, t.size);
        beyond.known =
            beyond.known && sare::compare(sare::Relation::le, end, v) && sare::compare(sare::Relation::lt, v, rounded);
        auto excess = touches(loop.body, beyond);
        if (!excess) { return false; }
        // The variables of the surrounding loops differ from those of other accesses, so they are part of the touch.
        const std::vector<std::string> outer = site.around.loops;
        for (Touch& touch : *excess) {
            touch.variables.push_back(loop.variable);
            touch.variables.insert(touch.variables.end(), outer.begin(), outer.end());
        }
        std::set<std::string> enlarged;
        for (const Touch& touch : *excess) {
            if (workshop.contracted.contains(stem(touch.array))) { return false; }
            if (is_output(program, touch.array)) {
                if (touch.writes) { return false; }
                continue;
            }
            enlarged.insert(touch.array);
        }
        Program candidate = program;
        for (const std::string& array : enlarged) { enlarge(candidate, array, t.size - 1); }
        if (!excess_is_harmless(candidate, *excess, allocated_in(loop.body), workshop)) { return false; }
        const Stmt tiled =
            transform::loop(loop.kind, t.outer, sare::constant(0), t.number,
                            {transform::loop(LoopKind::serial, t.inner, sare::constant(0), sare::constant(t.size),
                                             body_at(loop, bounds->min + t.offset, workshop))});
        replace(site, {tiled});
        for (const std::string& array : enlarged) {
            enlarge(program, array, t.size - 1);
            workshop.padded.insert(stem(array));
        }
        return true;
    });
}

bool peel(Program& program, Workshop& workshop) {
    return at_some<For>(program, workshop, [&](const Site& site, For& loop) {
        const auto bounds = bounds_of(loop, site.around);
        if (!bounds) { return false; }
        const Index& n = bounds->extent;
        if (workshop.possible(site.around.known && below(bounds->known_extent, 0))) { return false; }
        // The number of iterations that come first.
        Index first = sare::constant(0);
        bool is_one_first = false, is_one_last = false;
        const auto clamped = [&](std::int64_t count) {
            const bool sure = !workshop.possible(site.around.known && below(bounds->known_extent, count));
            return sure ? sare::constant(count) : sare::min(sare::constant(count), n);
        };
        switch (workshop.choices.weighted(workshop.policy.peeling)) {
            case 0: {
                const std::int64_t count = workshop.choices.integer(1, 2);
                first = clamped(count);
                is_one_first = constant_of(first) == 1;
                break;
            }
            case 1: {
                const std::int64_t count = workshop.choices.integer(1, 2);
                const Index last = clamped(count);
                first = n - last;
                is_one_last = constant_of(last) == 1;
                break;
            }
            case 2: first = sare::floor_div(n, 2); break;
            default: {
                if (program.parameters.empty()) { return false; }
                const Index by = sare::constant(workshop.choices.integer(0, 3));
                const Index parameter = sare::variable(workshop.choices.one_of(program.parameters));
                first = sare::max(sare::constant(0), sare::min(n, parameter - by));
            }
        }
        const For second = copied(loop, workshop);
        const Index middle = bounds->min + first;
        Block pieces;
        const auto add = [&](const For& piece, const Index& min, const Index& extent, bool is_one) {
            if (!is_one) {
                pieces.push_back(transform::loop(piece.kind, piece.variable, min, extent, piece.body));
                return;
            }
            for (Stmt& stmt : at(piece.body, piece.variable, min)) { pieces.push_back(std::move(stmt)); }
        };
        add(loop, bounds->min, first, is_one_first);
        add(second, middle, n - first, is_one_last);
        replace(site, std::move(pieces));
        return true;
    });
}

bool unroll(Program& program, Workshop& workshop) {
    return at_some<For>(program, workshop, [&](const Site& site, For& loop) {
        const auto bounds = bounds_of(loop, site.around);
        if (!bounds || loop.kind == LoopKind::vector) { return false; }
        if (workshop.possible(site.around.known && below(bounds->known_extent, 0))) { return false; }
        const auto count = constant_of(bounds->extent);
        const bool whole = count && *count >= 1 && *count <= 4;
        const std::int64_t factor = whole ? *count : workshop.choices.integer(2, 4);
        const std::size_t copies = static_cast<std::size_t>(factor) * statement_count(loop.body);
        if (copies + statement_count(program.body) > workshop.policy.most_statements) { return false; }
        const std::string outer = workshop.names.fresh(loop.variable + "u");
        Block bodies;
        for (std::int64_t c = 0; c < factor; ++c) {
            const For copy = copied(loop, workshop);
            Index index = bounds->min + sare::constant(c);
            if (!whole) { index = index + factor * sare::variable(outer); }
            for (Stmt& stmt : at(copy.body, copy.variable, index)) { bodies.push_back(std::move(stmt)); }
        }
        if (whole && loop.kind != LoopKind::parallel) {
            replace(site, std::move(bodies));
            return true;
        }
        const Index number = sare::floor_div(bounds->extent, factor);
        For rest = copied(loop, workshop);
        Block pieces{transform::loop(loop.kind, outer, sare::constant(0), number, std::move(bodies))};
        const bool divides = !workshop.possible(
            site.around.known &&
            sare::compare(sare::Relation::ne, sare::floor_mod(bounds->known_extent, factor), sare::constant(0)));
        if (!divides) {
            pieces.push_back(transform::loop(loop.kind, rest.variable, bounds->min + factor * number,
                                             bounds->extent - factor * number, std::move(rest.body)));
        }
        replace(site, std::move(pieces));
        return true;
    });
}

bool specialise(Program& program, Workshop& workshop) {
    if (program.parameters.empty()) { return false; }
    return at_some<For>(program, workshop, [&](const Site& site, For& loop) {
        if (statement_count(program.body) + statement_count(loop.body) + 2 > workshop.policy.most_statements) {
            return false;
        }
        const Index parameter = sare::variable(workshop.choices.one_of(program.parameters));
        sare::Condition condition = sare::truth(true);
        switch (workshop.choices.weighted(workshop.policy.specialisation)) {
            case 0: condition = at_least(parameter, workshop.choices.one_of(std::array{2, 4, 8})); break;
            case 1:
                condition = sare::compare(sare::Relation::eq,
                                          sare::floor_mod(parameter, workshop.choices.one_of(std::array{2, 4, 8})),
                                          sare::constant(0));
                break;
            default:
                condition =
                    sare::compare(sare::Relation::eq, parameter, sare::constant(workshop.choices.integer(1, 8)));
        }
        For otherwise = copied(loop, workshop);
        replace(site, {{If{to_code(condition), {{loop}}, {{std::move(otherwise)}}}}});
        return true;
    });
}

}  // namespace haruspex::transform
