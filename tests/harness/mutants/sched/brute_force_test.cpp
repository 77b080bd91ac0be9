#include <array>

#include "harness/mutants/sched/mutations.h"
#include "tests/harness/mutants/sched/truth.h"

// Compares the interpreter's verdicts on mutated programs with brute force.
namespace haruspex::mutants::sched {
namespace {

std::vector<BaseProgram> base_programs() {
    std::vector<BaseProgram> all = serial_programs();
    for (const std::vector<BaseProgram>& more : {parallel_programs(), lowered_programs()}) {
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

TEST_CASE("the base programs compute what their SAREs say, at every size, and nobody accuses them") {
    for (const BaseProgram& base : base_programs()) {
        const Truth truth(base);
        for (std::size_t i = 0; i < truth.size_count(); ++i) {
            INFO(truth.program().name << " at " << truth.describe(i));
            CHECK(truth.accusation(truth.program(), i).value_or("nobody") == "nobody");
            CHECK(truth.accusation_by_brute_force(truth.program(), i).value_or("nobody") == "nobody");
        }
    }
}

// Whether the program is wrong at one of the sizes. Checks that both agree at each size up to the first such one.
bool is_accused(const Truth& truth, const haruspex::sched::Program& mutated) {
    for (std::size_t i = 0; i < truth.size_count(); ++i) {
        const auto found = truth.accusation(mutated, i);
        const auto expected = truth.accusation_by_brute_force(mutated, i);
        if (found.has_value() != expected.has_value()) {
            INFO(truth.describe(i));
            CHECK(found.value_or("nobody") == expected.value_or("nobody"));
        }
        if (found) { return true; }
    }
    return false;
}

TEST_CASE("of 5,000 mutations the interpreter accuses exactly those that brute force does, at each size") {
    struct Figures {
        int all = 0, detected = 0;
    };
    std::array<Figures, mutation_kinds> by_kind;
    int all = 0;
    for (const BaseProgram& base : base_programs()) {
        const Truth truth(base);
        for (const Mutation& mutation : mutations(truth.program())) {
            const haruspex::sched::Program mutated = apply(truth.program(), mutation);
            INFO(truth.program().name << ", " << name(mutation.kind) << ": " << mutation.sentence);
            const bool accused = is_accused(truth, mutated);
            Figures& figures = by_kind[static_cast<std::size_t>(mutation.kind)];
            ++figures.all;
            if (accused) { ++figures.detected; }
            ++all;
        }
    }
    for (std::size_t k = 0; k < mutation_kinds; ++k) {
        const auto kind = static_cast<MutationKind>(k);
        INFO(name(kind) << ": " << by_kind[k].detected << " of " << by_kind[k].all);
        CHECK(by_kind[k].all > 0);
        // Memory that is never freed is not visible.
        CHECK((by_kind[k].detected > 0) == !(is_of_prophecy(kind) || kind == MutationKind::free_dropped));
    }
    CHECK(all >= 5000);
}

TEST_CASE("what several mutations make is accused by both or by nobody, too") {
    Choices choices(random_source(7));
    int accused = 0;
    int all = 0;
    for (const BaseProgram& base : base_programs()) {
        const Truth truth(base);
        for (int i = 0; i < 4; ++i) {
            const std::vector<Mutation> first = mutations(truth.program());
            const haruspex::sched::Program once = apply(truth.program(), choices.one_of(first));
            const std::vector<Mutation> second = mutations(once);
            // Nothing is left to mutate if the only statement was dropped.
            for (int j = 0; j < 10 && !second.empty(); ++j) {
                const haruspex::sched::Program twice = apply(once, choices.one_of(second));
                INFO(haruspex::sched::print(twice));
                if (is_accused(truth, twice)) { ++accused; }
                ++all;
            }
        }
    }
    CHECK(accused > all / 2);
    CHECK(accused < all);
}

}  // namespace
}  // namespace haruspex::mutants::sched
