#include "harness/transform/random_program.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "generators/sare/text.h"
#include "harness/sched/text.h"
#include "harness/sched/traverse.h"
#include "harness/sched/typing.h"
#include "tests/harness/transform/judged.h"
#include "tests/support/catch.h"

namespace haruspex::transform {
namespace {

RandomProgram drawn(std::uint64_t seed, int number, const Policy& policy = {}) {
    Choices choices(random_source(derive_seed(seed, static_cast<std::uint64_t>(number))));
    return random_program(choices, policy);
}

std::string described(const RandomProgram& random) {
    std::string text;
    for (const Transformation t : random.applied) { text += std::string(name(t)) + " "; }
    return text + "\n" + sare::print(random.sare) + "\n" + sched::print(random.program);
}

// HARUSPEX_PROGRAMS and HARUSPEX_SEED set the number of programs and the seed.
int from_environment(const char* name, int otherwise) {
    const char* text = std::getenv(name);
    return text != nullptr ? std::atoi(text) : otherwise;
}

TEST_CASE("transformed programs are right at every size, and so are their prophecies") {
    const int programs = from_environment("HARUSPEX_PROGRAMS", 2000);
    const auto seed = static_cast<std::uint64_t>(from_environment("HARUSPEX_SEED", 1));
    std::array<int, transformations> with{};
    std::size_t applied = 0;
    int cells = 0, prophesied = 0;
    for (int p = 0; p < programs; ++p) {
        const RandomProgram random = drawn(seed, p);
        INFO("program " << p << " of seed " << seed << ": " << described(random));
        const auto typed = sched::check(random.program, sched::Rules::extended);
        INFO((typed ? "" : typed.error().message));
        REQUIRE(typed);
        Choices sizes(random_source(derive_seed(seed + 1, static_cast<std::uint64_t>(p))));
        for (int s = 0; s < 5; ++s) {
            const Sizes chosen = draw_sizes(random.sare, s, sizes);
            const Judged judged = judge(random.sare, random.program, chosen, static_cast<std::uint64_t>(s));
            for (const auto& [parameter, size] : chosen) { UNSCOPED_INFO(parameter << " = " << size); }
            INFO(judged.wrong);
            REQUIRE(judged.wrong.empty());
            cells += judged.cells;
            prophesied += judged.prophesied;
        }
        applied += random.applied.size();
        for (std::size_t t = 0; t < transformations; ++t) {
            with[t] += std::ranges::count(random.applied, static_cast<Transformation>(t)) > 0 ? 1 : 0;
        }
    }
    CHECK(cells > 20 * programs);
    CHECK(prophesied > cells);
    CHECK(applied >= static_cast<std::size_t>(3 * programs));
    for (std::size_t t = 0; t < transformations; ++t) {
        INFO(name(static_cast<Transformation>(t)) << " in " << with[t] << " of " << programs);
        CHECK((Policy{}.transformation[t] == 0 || 100 * with[t] >= 3 * programs));
    }
}

TEST_CASE("programs whose reductions are reordered are right at every size") {
    constexpr int programs = 600;
    const Policy policy = reordering_policy();
    std::array<int, transformations> with{};
    int cells = 0, reordered = 0, atomic = 0;
    for (int p = 0; p < programs; ++p) {
        const RandomProgram random = drawn(5, p, policy);
        INFO("program " << p << ": " << described(random));
        REQUIRE(sched::check(random.program, sched::Rules::extended));
        Choices sizes(random_source(derive_seed(6, static_cast<std::uint64_t>(p))));
        bool has_wrong_prophecies = false, is_atomic = false;
        sched::for_each_statement(random.program.body, [&](const sched::Stmt& stmt) {
            is_atomic |= std::holds_alternative<sched::Atomic>(stmt.node);
        });
        atomic += is_atomic ? 1 : 0;
        for (int s = 0; s < 5; ++s) {
            const Sizes chosen = draw_sizes(random.sare, s, sizes);
            const auto seed = static_cast<std::uint64_t>(s);
            const Judged judged = judge(random.sare, random.program, chosen, seed, Prophecies::of_steps);
            for (const auto& [parameter, size] : chosen) { UNSCOPED_INFO(parameter << " = " << size); }
            INFO(judged.wrong);
            REQUIRE(judged.wrong.empty());
            cells += judged.cells;
            has_wrong_prophecies |= !judge(random.sare, random.program, chosen, seed).wrong.empty();
        }
        const bool sums_lanes = std::ranges::count(random.applied, Transformation::lane_sum) > 0;
        reordered += has_wrong_prophecies || sums_lanes ? 1 : 0;
        for (std::size_t t = 0; t < transformations; ++t) {
            with[t] += std::ranges::count(random.applied, static_cast<Transformation>(t)) > 0 ? 1 : 0;
        }
    }
    CHECK(cells > 20 * programs);
    INFO(reordered << " of " << programs << " leave other values in between, or fewer");
    CHECK(5 * reordered >= programs);
    INFO(atomic << " accumulate in parallel");
    CHECK(10 * atomic >= programs);
    for (const Transformation t : {Transformation::reversal, Transformation::separation, Transformation::interchange,
                                   Transformation::lane_sum}) {
        INFO(name(t));
        CHECK(10 * with[static_cast<std::size_t>(t)] >= programs);
    }
}

TEST_CASE("a wrong value and a wrong prophecy are seen") {
    constexpr int programs = 200;
    int values = 0, prophecies = 0;
    for (int p = 0; p < programs; ++p) {
        const RandomProgram random = drawn(3, p);
        const auto changed = [&](auto&& change) {
            sched::Program program = random.program;
            sched::for_each_statement(program.body, [&](sched::Stmt& stmt) {
                if (auto* assign = std::get_if<sched::Assign>(&stmt.node)) { change(assign->writes.front()); }
            });
            Choices sizes(random_source(static_cast<std::uint64_t>(p)));
            return !judge(random.sare, program, draw_sizes(random.sare, 1, sizes), 1).wrong.empty();
        };
        values += changed([](sched::Write& write) {
            write.value = {sched::Binary{value::BinaryOp::add, write.value, write.value}};
        })
                      ? 1
                      : 0;
        prophecies += changed([](sched::Write& write) {
            auto& access = std::get<sched::TensorAccess>(write.prophecy->node);
            if (access.indices.empty()) { return; }
            access.indices[0] = {
                sched::IndexBinary{sched::IndexOp::add, access.indices[0], sched::Expr{sched::Integer{1}}}};
        })
                          ? 1
                          : 0;
    }
    CHECK(values > programs / 2);
    CHECK(prophecies > programs / 2);
}

TEST_CASE("the same choices give the same program, and its text reads back") {
    for (int p = 0; p < 200; ++p) {
        const RandomProgram a = drawn(2, p);
        const RandomProgram b = drawn(2, p);
        REQUIRE(a.sare == b.sare);
        REQUIRE(a.program == b.program);
        REQUIRE(a.applied == b.applied);
        const auto read = sched::parse_program(sched::print(a.program), "program");
        REQUIRE(read);
        REQUIRE(*read == a.program);
    }
}

}  // namespace
}  // namespace haruspex::transform
