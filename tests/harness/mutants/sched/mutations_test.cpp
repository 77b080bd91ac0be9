#include "harness/mutants/sched/mutations.h"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "harness/sched/text.h"
#include "harness/sched/traverse.h"
#include "harness/sched/typing.h"
#include "tests/support/catch.h"
#include "tests/support/random_sched.h"

namespace haruspex::mutants::sched {
namespace {

using haruspex::sched::Program;

Program parse(const std::string& statements) {
    const auto program = haruspex::sched::parse_program(
        "sched p(N) {\n  input in : i32[N, N];\n  output f : i32[N, N];\n  output g : i32[N];\n" + statements + "\n}\n",
        "test");
    if (!program) { FAIL(to_string(program.error())); }
    return *program;
}

// The program's statements in one line.
std::string body(const Program& program) {
    std::string line;
    for (const haruspex::sched::Stmt& stmt : program.body) {
        std::istringstream words(haruspex::sched::print(stmt));
        for (std::string word; words >> word;) { line += (line.empty() ? "" : " ") + word; }
    }
    return line;
}

// The statements after each mutation of this kind, in order.
std::vector<std::string> mutants(MutationKind kind, const std::string& statements) {
    const Program program = parse(statements);
    std::vector<std::string> made;
    for (const Mutation& mutation : mutations(program)) {
        if (mutation.kind == kind) { made.push_back(body(apply(program, mutation))); }
    }
    return made;
}

using Texts = std::vector<std::string>;

TEST_CASE("index_off_by_one: the indices of reads and affine lets") {
    CHECK(mutants(MutationKind::index_off_by_one, "g[0] := in[0, N - 1] + 1i32;") ==
          Texts{"g[0] := in[-1, N - 1] + 1i32;", "g[0] := in[1, N - 1] + 1i32;", "g[0] := in[0, N - 2] + 1i32;",
                "g[0] := in[0, N] + 1i32;"});
    CHECK(mutants(MutationKind::index_off_by_one, "let x = 2*N; g[x] := 1i32;") ==
          Texts{"let x = 2*N - 1; g[x] := 1i32;", "let x = 2*N + 1; g[x] := 1i32;"});
    CHECK(mutants(MutationKind::index_off_by_one, "let c = N < 1; if c { g[0] := 1i32; }").empty());
}

TEST_CASE("index_coefficient: factors, divisors and variables within an index") {
    CHECK(mutants(MutationKind::index_coefficient, "g[4*(N/2)] := in[N, 3];") ==
          Texts{"g[3*(N/2)] := in[N, 3];", "g[5*(N/2)] := in[N, 3];", "g[4*(N/1)] := in[N, 3];",
                "g[4*(N/3)] := in[N, 3];", "g[4*(2*N/2)] := in[N, 3];", "g[4*(N/2)] := in[2*N, 3];"});
}

TEST_CASE("indices_swapped: neighbouring indices of reads and writes") {
    CHECK(mutants(MutationKind::indices_swapped, "f[0, N] := in[1, N]; g[0] := in[2, 2];") ==
          Texts{"f[N, 0] := in[1, N]; g[0] := in[2, 2];", "f[0, N] := in[N, 1]; g[0] := in[2, 2];"});
}

TEST_CASE("store_elsewhere: neighbouring cells, and other arrays of the shape that may be written") {
    CHECK(mutants(MutationKind::store_elsewhere, "g[N] := 0i32; allocate t : i32[1]; t[0] := 1i32;") ==
          Texts{"g[N - 1] := 0i32; allocate t : i32[1]; t[0] := 1i32;",
                "g[N + 1] := 0i32; allocate t : i32[1]; t[0] := 1i32;",
                "g[N] := 0i32; allocate t : i32[1]; t[-1] := 1i32;", "g[N] := 0i32; allocate t : i32[1]; t[1] := 1i32;",
                "g[N] := 0i32; allocate t : i32[1]; g[0] := 1i32;"});
}

TEST_CASE("loop_bound: one iteration more or less at either end") {
    CHECK(mutants(MutationKind::loop_bound, "for x in [0, N) { g[x] := 0i32; }") ==
          Texts{"for x in [-1, N) { g[x] := 0i32; }", "for x in [1, N) { g[x] := 0i32; }",
                "for x in [0, N - 1) { g[x] := 0i32; }", "for x in [0, N + 1) { g[x] := 0i32; }"});
}

TEST_CASE("loop_kind: every other kind") {
    CHECK(mutants(MutationKind::loop_kind, "par x in [0, N) { skip; }") ==
          Texts{"for x in [0, N) {}", "vector x in [0, N) {}", "unrolled x in [0, N) {}"});
}

TEST_CASE("lane_count: one lane more or less, of assignments, families and reductions") {
    CHECK(mutants(MutationKind::lane_count,
                  "lanes l < 1 do g[l] := 0i32; let v[l < 4] : i32 = 1i32; g[0] := sum lanes l < 2 of (v[l]);") ==
          Texts{"lanes l < 2 do g[l] := 0i32; let v[l < 4] : i32 = 1i32; g[0] := sum lanes l < 2 of (v[l]);",
                "lanes l < 1 do g[l] := 0i32; let v[l < 3] : i32 = 1i32; g[0] := sum lanes l < 2 of (v[l]);",
                "lanes l < 1 do g[l] := 0i32; let v[l < 5] : i32 = 1i32; g[0] := sum lanes l < 2 of (v[l]);",
                "lanes l < 1 do g[l] := 0i32; let v[l < 4] : i32 = 1i32; g[0] := sum lanes l < 1 of (v[l]);",
                "lanes l < 1 do g[l] := 0i32; let v[l < 4] : i32 = 1i32; g[0] := sum lanes l < 3 of (v[l]);"});
}

TEST_CASE("lane_expression: the mirrored lane, the first one, a neighbour in a family") {
    CHECK(mutants(MutationKind::lane_expression, "let v[l < 4] : i32 = 1i32; lanes k < 4 do g[k] := v[k];") ==
          Texts{"let v[l < 4] : i32 = 1i32; lanes k < 4 do g[3 - k] := v[k];",
                "let v[l < 4] : i32 = 1i32; lanes k < 4 do g[0] := v[k];",
                "let v[l < 4] : i32 = 1i32; lanes k < 4 do g[k] := v[k - 1];",
                "let v[l < 4] : i32 = 1i32; lanes k < 4 do g[k] := v[k + 1];",
                "let v[l < 4] : i32 = 1i32; lanes k < 4 do g[k] := v[3 - k];",
                "let v[l < 4] : i32 = 1i32; lanes k < 4 do g[k] := v[0];"});
}

TEST_CASE("guard_changed: relations, connectives, negations") {
    CHECK(mutants(MutationKind::guard_changed, "if N < 3 and not N = 0 { skip; }") ==
          Texts{"if N < 3 or not N = 0 {}", "if N <= 3 and not N = 0 {}", "if N >= 3 and not N = 0 {}",
                "if N < 3 and N = 0 {}", "if N < 3 and not N != 0 {}", "if N < 3 and not N <= 0 {}"});
}

TEST_CASE("guard_dropped: of branches, assignments, reads, and one side of a connective") {
    CHECK(mutants(MutationKind::guard_dropped, "if N < 3 { g[0] := 1i32; } else { skip; }") ==
          Texts{"if true { g[0] := 1i32; }"});
    CHECK(mutants(MutationKind::guard_dropped, "if N < 3 or N > 7 do g[0] := in[0, 0]?(N > 0);") ==
          Texts{"if N < 3 do g[0] := in[0, 0]?(N > 0);", "if N > 7 do g[0] := in[0, 0]?(N > 0);",
                "g[0] := in[0, 0]?(N > 0);", "if N < 3 or N > 7 do g[0] := in[0, 0];"});
}

TEST_CASE("operator_replaced: every operator that takes and gives the same types") {
    CHECK(mutants(MutationKind::operator_replaced, "g[0] := 1i32 + 2i32;") ==
          Texts{"g[0] := 1i32 - 2i32;", "g[0] := 1i32 * 2i32;", "g[0] := 1i32 / 2i32;", "g[0] := 1i32 % 2i32;",
                "g[0] := min(1i32, 2i32);", "g[0] := max(1i32, 2i32);"});
    CHECK(mutants(MutationKind::operator_replaced, "g[0] := select([N < 1] && [N > 2], -1i32, -in[0, 0]);") ==
          Texts{"g[0] := select([N < 1] || [N > 2], -1i32, -in[0, 0]);",
                "g[0] := select([N < 1] && [N > 2], -1i32, in[0, 0]);"});
    CHECK(mutants(MutationKind::operator_replaced, "g[0] += {N} 1i32;") ==
          Texts{"g[0] *= {N} 1i32;", "g[0] min= {N} 1i32;", "g[0] max= {N} 1i32;"});
    CHECK(mutants(MutationKind::operator_replaced, "g[0] := sum lanes l < 2 of (1i32);") ==
          Texts{"g[0] := prod lanes l < 2 of (1i32);", "g[0] := min lanes l < 2 of (1i32);",
                "g[0] := max lanes l < 2 of (1i32);"});
}

TEST_CASE("operands_swapped: also the alternatives of a select, and not what is the same") {
    CHECK(
        mutants(MutationKind::operands_swapped, "g[0] := select(N < 2, 1i32 - 2i32, 3i32 * 3i32);") ==
        Texts{"g[0] := select(N < 2, 3i32 * 3i32, 1i32 - 2i32);", "g[0] := select(N < 2, 2i32 - 1i32, 3i32 * 3i32);"});
}

TEST_CASE("literal_changed: numbers of values, and truths") {
    CHECK(mutants(MutationKind::literal_changed, "g[5] := 2147483647i32 + i32<2*N + 1>;") ==
          Texts{"g[5] := 2147483646i32 + i32<2*N + 1>;", "g[5] := 2147483647i32 + i32<1*N + 1>;",
                "g[5] := 2147483647i32 + i32<3*N + 1>;", "g[5] := 2147483647i32 + i32<2*N + 0>;",
                "g[5] := 2147483647i32 + i32<2*N + 2>;"});
    CHECK(mutants(MutationKind::literal_changed, "if true { skip; }") == Texts{"if false {}"});
}

TEST_CASE("allocation_size: each extent") {
    CHECK(mutants(MutationKind::allocation_size, "allocate t : i32[N, 2 from 5];") ==
          Texts{"allocate t : i32[N - 1, 2 from 5];", "allocate t : i32[N + 1, 2 from 5];",
                "allocate t : i32[N, 1 from 5];", "allocate t : i32[N, 3 from 5];"});
}

TEST_CASE("allocation_condition: never, always, the opposite") {
    CHECK(mutants(MutationKind::allocation_condition, "allocate t : i32[N];") ==
          Texts{"allocate t : i32[N] if false;"});
    CHECK(mutants(MutationKind::allocation_condition, "allocate t : i32[N] if N > 2;") ==
          Texts{"allocate t : i32[N] if false;", "allocate t : i32[N];", "allocate t : i32[N] if not N > 2;"});
}

TEST_CASE("free_moved: to each place between its allocation and where it is; free_dropped") {
    const std::string statements = "g[0] := 0i32; allocate t : i32[1]; g[1] := 1i32; g[2] := 2i32; free t;";
    CHECK(mutants(MutationKind::free_moved, statements) ==
          Texts{"g[0] := 0i32; allocate t : i32[1]; g[1] := 1i32; free t; g[2] := 2i32;",
                "g[0] := 0i32; allocate t : i32[1]; free t; g[1] := 1i32; g[2] := 2i32;"});
    CHECK(mutants(MutationKind::free_dropped, statements) ==
          Texts{"g[0] := 0i32; allocate t : i32[1]; g[1] := 1i32; g[2] := 2i32;"});
}

TEST_CASE("let_moved: behind each statement that stores and does not need it") {
    CHECK(mutants(MutationKind::let_moved,
                  "let v : i32 = g[0]; let x = 1; if N > 0 { g[0] := 1i32; } g[x] := 2i32; g[2] := v;") ==
          Texts{"let x = 1; if N > 0 { g[0] := 1i32; } let v : i32 = g[0]; g[x] := 2i32; g[2] := v;",
                "let x = 1; if N > 0 { g[0] := 1i32; } g[x] := 2i32; let v : i32 = g[0]; g[2] := v;"});
}

TEST_CASE("statement_swapped: neighbours that may change places") {
    CHECK(mutants(MutationKind::statement_swapped, "let x = 0; g[x] := 1i32; g[1] := 2i32; g[1] := 2i32;") ==
          Texts{"let x = 0; g[1] := 2i32; g[x] := 1i32; g[1] := 2i32;"});
}

TEST_CASE("statement_dropped: what nobody needs, and one of several writes") {
    CHECK(mutants(MutationKind::statement_dropped, "let x = 0; g[x] := 1i32, g[1] := 2i32;") ==
          Texts{"let x = 0; g[1] := 2i32;", "let x = 0; g[x] := 1i32;", "let x = 0;"});
}

TEST_CASE("statement_doubled: what declares nothing") {
    CHECK(mutants(MutationKind::statement_doubled, "let x = 0; for r in [0, 2) { g[0] += {r} 1i32; }") ==
          Texts{"let x = 0; for r in [0, 2) { g[0] += {r} 1i32; } for r in [0, 2) { g[0] += {r} 1i32; }",
                "let x = 0; for r in [0, 2) { g[0] += {r} 1i32; g[0] += {r} 1i32; }"});
}

TEST_CASE("atomic_dropped: the statements stay") {
    CHECK(mutants(MutationKind::atomic_dropped, "atomic { g[0] := 1i32; }") == Texts{"if true { g[0] := 1i32; }"});
}

TEST_CASE("prophecies: index, component, dropped; nothing else changes") {
    const std::string statements = "g[0] {A(N)[1] + 2i32} += {N + 1} 1i32;";
    CHECK(mutants(MutationKind::prophecy_index, statements) ==
          Texts{"g[0] {A(N - 1)[1] + 2i32} += {N + 1} 1i32;", "g[0] {A(N + 1)[1] + 2i32} += {N + 1} 1i32;",
                "g[0] {A(N)[1] + 2i32} += {N} 1i32;", "g[0] {A(N)[1] + 2i32} += {N + 2} 1i32;"});
    CHECK(mutants(MutationKind::prophecy_component, statements) ==
          Texts{"g[0] {A(N) + 2i32} += {N + 1} 1i32;", "g[0] {A(N)[2] + 2i32} += {N + 1} 1i32;"});
    CHECK(mutants(MutationKind::prophecy_dropped, statements) == Texts{"g[0] += {N + 1} 1i32;"});
}

TEST_CASE("statements are numbered in the order of the text; sentences say what changes where") {
    const Program program = parse("for x in [0, N) { if x > 0 { g[x] := in[x, 0]; } } g[0] := 7i32;");
    const std::vector<Mutation> all = mutations(program);
    const auto coefficient = std::ranges::find(all, MutationKind::index_off_by_one, &Mutation::kind);
    REQUIRE(coefficient != all.end());
    CHECK(coefficient->statement == 2);
    CHECK(coefficient->sentence == "`in[x, 0]` becomes `in[x - 1, 0]` in `g[x] := in[x, 0]`");
    CHECK(all.back().statement == 3);
    CHECK(all.back().sentence == "`g[0] := 7i32` is done twice");
    CHECK(mutations(program) == all);
}

TEST_CASE("kinds have names of their own") {
    std::set<std::string_view> names;
    for (std::size_t k = 0; k < mutation_kinds; ++k) { names.insert(name(static_cast<MutationKind>(k))); }
    CHECK(names.size() == mutation_kinds);
}

// Removes prophecies and reduced indices, which are never executed.
Program without_ghosts(const Program& program) {
    Program bare = haruspex::sched::erase_prophecies(program);
    haruspex::sched::for_each_statement(bare.body, [](haruspex::sched::Stmt& stmt) {
        auto* assignment = std::get_if<haruspex::sched::Assign>(&stmt.node);
        if (assignment == nullptr) { return; }
        for (haruspex::sched::Write& write : assignment->writes) {
            if (write.accumulation) { write.accumulation->reduced.clear(); }
        }
    });
    return bare;
}

TEST_CASE("mutations of random programs are well-typed, differ, and are read back as they are printed") {
    std::array<int, mutation_kinds> by_kind{};
    int all = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Choices choices(random_source(seed));
        const Program program = testing::random_program(choices, {.depth = 2, .nesting = 2});
        for (const Mutation& mutation : mutations(program)) {
            const Program mutated = apply(program, mutation);
            INFO(seed << ": " << name(mutation.kind) << ": " << mutation.sentence);
            REQUIRE(haruspex::sched::check(mutated, haruspex::sched::Rules::extended).has_value());
            REQUIRE(mutated != program);
            const auto again = haruspex::sched::parse_program(haruspex::sched::print(mutated), "again");
            REQUIRE(again.has_value());
            REQUIRE(*again == mutated);
            REQUIRE(is_of_prophecy(mutation.kind) == (without_ghosts(mutated) == without_ghosts(program)));
            ++by_kind[static_cast<std::size_t>(mutation.kind)];
            ++all;
        }
    }
    CHECK(all > 5000);
    for (std::size_t k = 0; k < mutation_kinds; ++k) {
        INFO(name(static_cast<MutationKind>(k)));
        CHECK(by_kind[k] > 0);
    }
}

TEST_CASE("random mutations are among all, of every kind; a program without statements has none") {
    const Program program = parse("allocate t : i32[1] if N > 0; for x in [0, N) { g[x] {A(x)} := in[x, 0]; } free t;");
    const std::vector<Mutation> all = mutations(program);
    std::set<MutationKind> possible, drawn;
    for (const Mutation& mutation : all) { possible.insert(mutation.kind); }
    Choices choices(random_source(1));
    for (int i = 0; i < 300; ++i) {
        const auto mutation = random_mutation(program, choices);
        REQUIRE(mutation.has_value());
        CHECK(std::ranges::find(all, *mutation) != all.end());
        drawn.insert(mutation->kind);
    }
    CHECK(drawn == possible);
    CHECK_FALSE(random_mutation(parse(""), choices).has_value());

    for (int i = 0; i < 50; ++i) {
        const auto of_prophecy = random_mutation(program, choices, is_of_prophecy);
        REQUIRE(of_prophecy.has_value());
        CHECK(is_of_prophecy(of_prophecy->kind));
    }
    CHECK_FALSE(random_mutation(program, choices, [](MutationKind) { return false; }).has_value());
    Program too_long = program;
    const std::size_t copies = 150'000 / haruspex::sched::print(program).size() + 1;
    too_long.body.clear();
    for (std::size_t k = 0; k < copies; ++k) {
        too_long.body.insert(too_long.body.end(), program.body.begin(), program.body.end());
    }
    CHECK_FALSE(random_mutation(too_long, choices).has_value());
}

TEST_CASE("a mutation of another program is refused") {
    const Program program = parse("g[0] := 1i32;");
    const std::vector<Mutation> all = mutations(program);
    REQUIRE_FALSE(all.empty());
    CHECK_THROWS_AS(apply(parse(""), all.front()), InternalError);
    CHECK_THROWS_AS(apply(parse("g[0] := 2i32;"), all.back()), InternalError);
}

}  // namespace
}  // namespace haruspex::mutants::sched
