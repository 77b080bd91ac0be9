#include "oracle/equivalence/memory.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "generators/affine/context.h"
#include "generators/base/choice.h"
#include "tests/support/catch.h"

namespace haruspex::equivalence {
namespace {

constexpr std::int64_t extent = 3, length = 5;
// Marks a position in the time that is the parameter N.
constexpr std::int64_t of_parameter = -1;

using Point = std::array<std::int64_t, 2>;
using Time = std::array<std::int64_t, length>;

// An access in two loops at time [p, x, q, y, s]: x and y are multiples of i and j, or of j and i.
struct Statement {
    std::string tuple;
    std::array<std::int64_t, 3> cell{};  // c + a*i + b*j
    std::array<std::int64_t, 3> position{};
    std::array<std::int64_t, 2> step{};
    std::size_t outer = 0;

    std::int64_t cell_at(const Point& at) const { return cell[0] + cell[1] * at[0] + cell[2] * at[1]; }
    Time time_at(const Point& at, std::int64_t n) const {
        const auto number = [&](std::size_t k) { return position[k] == of_parameter ? n : position[k]; };
        return {number(0), step[0] * at[outer], number(1), step[1] * at[1 - outer], number(2)};
    }
    isl::map cells(isl::ctx ctx) const {
        return map(ctx, "A[" + std::to_string(cell[0]) + " + " + std::to_string(cell[1]) + "*i + " +
                            std::to_string(cell[2]) + "*j]");
    }
    isl::map times(isl::ctx ctx) const {
        const std::array<std::string, 2> loops{outer == 0 ? "*i, " : "*j, ", outer == 0 ? "*j, " : "*i, "};
        const auto number = [&](std::size_t k) {
            return position[k] == of_parameter ? std::string("N") : std::to_string(position[k]);
        };
        return map(ctx, "[" + number(0) + ", " + std::to_string(step[0]) + loops[0] + number(1) + ", " +
                            std::to_string(step[1]) + loops[1] + number(2) + "]");
    }
    isl::map map(isl::ctx ctx, const std::string& image) const {
        const std::string end = std::to_string(extent);
        return isl::map(
            ctx, "[N] -> { " + tuple + "[i, j] -> " + image + " : 0 <= i < " + end + " and 0 <= j < " + end + " }");
    }
};

// Each statement has its own last position, so no two accesses have the same time.
Statement drawn(Choices& choices, std::int64_t place) {
    Statement statement{place == 0 ? "reader" : "writer" + std::to_string(place)};
    statement.cell = {choices.integer(-2, 2), choices.integer(-2, 2), choices.integer(-2, 2)};
    const auto position = [&] { return choices.boolean(200) ? of_parameter : choices.integer(0, 1); };
    statement.position = {position(), position(), place};
    for (std::int64_t& step : statement.step) { step = choices.boolean(300) ? 2 : choices.boolean(300) ? -1 : 1; }
    statement.outer = choices.boolean(300) ? 1 : 0;
    return statement;
}

template <typename Do>
void for_each_point(Do&& visit) {
    for (std::int64_t i = 0; i < extent; ++i) {
        for (std::int64_t j = 0; j < extent; ++j) { visit(Point{i, j}); }
    }
}

std::string text(const std::string& tuple, const Point& at) {
    return tuple + "[" + std::to_string(at[0]) + ", " + std::to_string(at[1]) + "]";
}

// Compares every write with every read.
isl::union_map last_writes(isl::ctx ctx, const Statement& reader, const std::vector<Statement>& writers,
                           std::int64_t n) {
    std::string pairs;
    for_each_point([&](const Point& here) {
        std::optional<Time> last;
        std::string writer;
        for (const Statement& write : writers) {
            for_each_point([&](const Point& there) {
                const Time time = write.time_at(there, n);
                if (write.cell_at(there) != reader.cell_at(here) || time >= reader.time_at(here, n)) { return; }
                if (last && time <= *last) { return; }
                last = time;
                writer = text(write.tuple, there);
            });
        }
        if (last) { pairs += (pairs.empty() ? "" : "; ") + text(reader.tuple, here) + " -> " + writer; }
    });
    return isl::union_map(ctx, "[N] -> { " + pairs + " }");
}

TEST_CASE("a read sees the last write before it to its cell") {
    std::size_t parts = 0;
    for (std::uint64_t n = 0; n < 200; ++n) {
        INFO("draw " << n);
        Choices choices(random_source(derive_seed(2009, n)));
        const affine::Context isl;
        const isl::ctx ctx = isl.ctx();
        const Statement reader = drawn(choices, 0);
        std::vector<Statement> writers;
        MemoryArray array{"A", {}, false, {}, "A", 0};
        choices.sequence(1, 5, 700, [&](std::size_t i) {
            writers.push_back(drawn(choices, static_cast<std::int64_t>(i) + 1));
            const NodeId node{static_cast<std::uint32_t>(i)};
            array.writes.push_back({node, writers.back().cells(ctx), writers.back().times(ctx)});
        });
        Memory memory;
        const ArrayId id = memory.add_array(std::move(array));
        const NodeId node{static_cast<std::uint32_t>(writers.size())};
        const ReadId read = memory.add_read({node, id, reader.cells(ctx), reader.times(ctx), {}, {}});
        isl::union_map found = isl::union_map::empty(ctx);
        for (const Flow& flow : memory.flow(read)) {
            ++parts;
            CHECK(flow.from.is_single_valued());
            found = found.unite(flow.from.to_union_map());
        }
        for (const std::int64_t n : {-1, 0, 1, 2}) {
            const isl::set is_n(ctx, "[N] -> { : N = " + std::to_string(n) + " }");
            const isl::union_map wanted = last_writes(ctx, reader, writers, n);
            CHECK(found.intersect_params(is_n).is_equal(wanted.intersect_params(is_n)));
        }
    }
    CHECK(parts > 200);
}

}  // namespace
}  // namespace haruspex::equivalence
