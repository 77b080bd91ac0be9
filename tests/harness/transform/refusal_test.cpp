#include <vector>

#include "harness/sched/text.h"
#include "harness/transform/transformations.h"
#include "tests/support/catch.h"

// A transformation that would be wrong is refused for every random choice; a right one next to it is done.
namespace haruspex::transform {
namespace {

// Whether one of 20 draws transforms the program. All programs assume W >= 1 and H >= 1.
bool is_possible(Transformation transformation, const std::string& body) {
    const std::string text = "sched p(W, H) { input in : i32[W + 2, H + 2]; output out : i32[W, H]; " + body + " }";
    const auto program = sched::parse_program(text, "program");
    INFO(text);
    REQUIRE(program);
    sare::Algorithm algorithm;
    for (const char* parameter : {"W", "H"}) {
        algorithm.assumptions =
            algorithm.assumptions && sare::compare(sare::Relation::ge, sare::variable(parameter), sare::constant(1));
    }
    algorithm.functions.push_back({"out", {value::Type::i32}, {"x", "y"}, {}, {}});
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Choices choices(random_source(seed));
        Names names;
        for (const char* taken : {"W", "H", "in", "out", "f", "x", "y", "u", "v"}) { names.fresh(taken); }
        const Policy policy;
        Workshop workshop(algorithm, policy, names, choices);
        if (apply(transformation, *program, workshop)) { return true; }
    }
    return false;
}

std::string nest(const std::string& assignment) {
    return "for y in [1, H) { for x in [1, W - 1) { " + assignment + " } }";
}

TEST_CASE("loops are interchanged unless a dependence would turn round") {
    CHECK(is_possible(Transformation::interchange, nest("out[x, y] {out(x, y)} := out[x - 1, y - 1];")));
    CHECK(!is_possible(Transformation::interchange, nest("out[x, y] {out(x, y)} := out[x + 1, y - 1];")));
}

TEST_CASE("a loop becomes par, lanes or a tile that is done again only without dependences that forbid it") {
    const std::string alone = "for x in [0, W) { out[x, 0] {out(x, 0)} := in[x, 0]; }";
    const std::string forward = "for x in [1, W) { out[x, 0] {out(x, 0)} := out[x - 1, 0]; }";
    const std::string backward = "for x in [0, W - 1) { out[x, 0] {out(x, 0)} := out[x + 1, 0]; }";
    for (const Transformation t : {Transformation::parallel, Transformation::lanes, Transformation::tile_shifted}) {
        CHECK(is_possible(t, alone));
        CHECK(!is_possible(t, forward));
    }
    CHECK(!is_possible(Transformation::parallel, backward));
    CHECK(!is_possible(Transformation::tile_shifted, backward));
    // All lanes read before any lane writes.
    CHECK(is_possible(Transformation::lanes, backward));
}

TEST_CASE("a loop is cut in two unless the second part feeds the first") {
    CHECK(
        is_possible(Transformation::fission,
                    "for x in [1, W) { out[x, 0] {out(x, 0)} := in[x, 0]; out[x - 1, 0] {out(x, 1)} := out[x, 0]; }"));
    CHECK(!is_possible(
        Transformation::fission,
        "for x in [1, W) { out[x, 0] {out(x, 0)} := out[x - 1, 1]; out[x, 1] {out(x, 1)} := out[x, 0]; }"));
}

TEST_CASE("loops are fused with as much delay as there must be, and not where it is unbounded") {
    const std::string first = "allocate f : i32[W]; for x in [0, W) { f[x] {out(x, 0)} := in[x, 0]; } ";
    CHECK(is_possible(Transformation::fusion, first + "for u in [0, W - 2) { out[u, 0] {out(u, 0)} := f[u + 2]; }"));
    CHECK(!is_possible(Transformation::fusion, first + "for u in [0, W) { out[u, 0] {out(u, 0)} := f[W - 1 - u]; }"));
}

TEST_CASE("an array is contracted when what it loses is not read again") {
    const std::string allocation = "allocate f : i32[W + 2]; ";
    CHECK(is_possible(Transformation::contract, allocation +
                                                    "for x in [0, W) { f[x] {out(x, 0)} := in[x, 0]; if 2 <= x { "
                                                    "out[x, 0] {out(x, 0)} := f[x - 2]; } }"));
    CHECK(!is_possible(Transformation::contract, allocation + "for x in [0, W) { f[x] {out(x, 0)} := in[x, 0]; } "
                                                              "for u in [0, W) { out[u, 0] {out(u, 0)} := f[u]; }"));
    CHECK(
        !is_possible(Transformation::contract,
                     allocation + "par x in [0, W) { f[x] {out(x, 0)} := in[x, 0]; out[x, 0] {out(x, 0)} := f[x]; }"));
}

TEST_CASE("tiles are rounded up in arrays that can have room, and not in an output") {
    const std::string second = "for u in [0, W) { out[u, 0] {out(u, 0)} := f[u]; }";
    CHECK(is_possible(Transformation::tile_rounded_up,
                      "allocate f : i32[W]; for x in [0, W) { f[x] {out(x, 0)} := in[x, 0]; } " + second));
    CHECK(!is_possible(Transformation::tile_rounded_up, "for x in [0, W) { out[x, 0] {out(x, 0)} := in[x, 0]; }"));
    // The excess iterations would overwrite a cell written earlier.
    CHECK(!is_possible(Transformation::tile_rounded_up,
                       "allocate f : i32[W + 1]; f[W] {out(W, 0)} := 1i32; "
                       "for x in [0, W) { f[x] {out(x, 0)} := in[x, 0]; } out[0, 0] {out(0, 0)} := f[W];"));
}

TEST_CASE("a definition takes the place of reads unless what it reads has changed since") {
    const std::string first = "allocate f : i32[W]; for x in [0, W) { f[x] {out(x, 0)} := out[x, 0]; } ";
    const std::string last = "for u in [0, W) { out[u, 1] {out(u, 1)} := f[u]; }";
    CHECK(!is_possible(Transformation::inlining, first + last));
    CHECK(is_possible(Transformation::inlining,
                      "allocate f : i32[W]; for x in [0, W) { f[x] {out(x, 0)} := in[x + 1, 0]; } " + last));
}

TEST_CASE("statements are swapped unless one needs the other") {
    CHECK(is_possible(Transformation::reorder, "out[0, 0] {out(0, 0)} := 1i32; out[1, 0] {out(1, 0)} := 2i32;"));
    CHECK(!is_possible(Transformation::reorder, "out[0, 0] {out(0, 0)} := 1i32; out[1, 0] {out(1, 0)} := out[0, 0];"));
}

}  // namespace
}  // namespace haruspex::transform
