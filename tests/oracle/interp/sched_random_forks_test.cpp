#include <array>
#include <set>

#include "generators/base/choice.h"
#include "tests/oracle/interp/sched_support.h"

// Compares random forks of two straight branches with all interleavings.
namespace haruspex::interp {
namespace {

// A branch's action. Each semaphore is released by one branch and acquired by the other one.
struct Action {
    enum class Kind : std::uint8_t { read, write, acquire, release };
    Kind kind = Kind::read;
    int object = 0;  // a cell, or a semaphore
    int units = 0;
};
using Branch = std::vector<Action>;

struct Forked {
    std::array<int, 2> units{};  // initial units of semaphore b, which branch b releases and the other one acquires
    std::array<Branch, 2> branches;
};

Forked random_fork(Choices& choices) {
    Forked fork;
    for (int& units : fork.units) { units = static_cast<int>(choices.integer(0, 2)); }
    for (int b = 0; b < 2; ++b) {
        choices.sequence(1, 7, 850, [&](std::size_t) {
            const auto kind = static_cast<Action::Kind>(choices.weighted({2, 3, 4, 4}));
            const int cell = static_cast<int>(choices.integer(0, 1));
            const int semaphore = kind == Action::Kind::release ? b : 1 - b;
            const bool is_access = kind == Action::Kind::read || kind == Action::Kind::write;
            fork.branches[static_cast<std::size_t>(b)].push_back(
                {kind, is_access ? cell : semaphore, static_cast<int>(choices.integer(0, 2))});
        });
    }
    return fork;
}

std::string text_of(const Forked& fork) {
    std::string text = "sched p() {\n  output c : i32[2];\n  output d : i32[2];\n  c[0] := 0i32; c[1] := 0i32;\n";
    for (std::size_t s = 0; s < 2; ++s) {
        text += "  semaphore s" + std::to_string(s) + " = " + std::to_string(fork.units[s]) + ";\n";
    }
    for (std::size_t b = 0; b < 2; ++b) {
        text += b == 0 ? "  fork {\n" : "  } and {\n";
        for (const Action& action : fork.branches[b]) {
            const std::string object = std::to_string(action.object);
            const std::string units = std::to_string(action.units) + " of s" + object;
            switch (action.kind) {
                case Action::Kind::read: text += "d[" + std::to_string(b) + "] := c[" + object + "];\n"; break;
                case Action::Kind::write: text += "c[" + object + "] := " + std::to_string(b) + "i32;\n"; break;
                case Action::Kind::acquire: text += "acquire " + units + ";\n"; break;
                case Action::Kind::release: text += "release " + units + ";\n"; break;
            }
        }
    }
    return text + "  }\n}\n";
}

struct Truth {
    bool races = false, deadlock = false;
};

// Visits every state that some interleaving reaches. Two accesses race if both are next at the same time.
class Exploration {
public:
    explicit Exploration(const Forked& fork) : fork_(fork) { visit({0, 0}); }
    const Truth& truth() const { return truth_; }

private:
    using State = std::array<std::size_t, 2>;  // progress of each branch

    const Action* next(const State& state, std::size_t b) const {
        return state[b] < fork_.branches[b].size() ? &fork_.branches[b][state[b]] : nullptr;
    }

    int units(const State& state, std::size_t semaphore) const {
        int units = fork_.units[semaphore];
        for (std::size_t b = 0; b < 2; ++b) {
            for (std::size_t i = 0; i < state[b]; ++i) {
                const Action& action = fork_.branches[b][i];
                if (static_cast<std::size_t>(action.object) != semaphore) { continue; }
                if (action.kind == Action::Kind::acquire) { units -= action.units; }
                if (action.kind == Action::Kind::release) { units += action.units; }
            }
        }
        return units;
    }

    static bool is_access(const Action& action) {
        return action.kind == Action::Kind::read || action.kind == Action::Kind::write;
    }

    void visit(const State& state) {
        if (!seen_.insert(state).second) { return; }
        const Action* a = next(state, 0);
        const Action* b = next(state, 1);
        if (a != nullptr && b != nullptr && is_access(*a) && is_access(*b) && a->object == b->object) {
            const bool writes = a->kind == Action::Kind::write || b->kind == Action::Kind::write;
            truth_.races = truth_.races || writes;
        }
        bool moves = false;
        for (std::size_t branch = 0; branch < 2; ++branch) {
            const Action* action = next(state, branch);
            if (action == nullptr) { continue; }
            const bool waits = action->kind == Action::Kind::acquire &&
                               units(state, static_cast<std::size_t>(action->object)) < action->units;
            if (waits) { continue; }
            moves = true;
            State after = state;
            ++after[branch];
            visit(after);
        }
        if (!moves && (a != nullptr || b != nullptr)) { truth_.deadlock = true; }
    }

    const Forked& fork_;
    std::set<State> seen_;
    Truth truth_;
};

Truth judged(const std::string& text, const Options& options) {
    Truth found;
    const Run run(text, {}, options);
    for (const Trouble& trouble : run.troubles()) {
        if (trouble.kind == TroubleKind::deadlock) {
            found.deadlock = true;
        } else {
            CHECK((trouble.kind == TroubleKind::read_write_race || trouble.kind == TroubleKind::write_write_race));
            found.races = true;
        }
    }
    return found;
}

TEST_CASE("random forks race and lock up exactly when some interleaving shows it, and one interleaving suffices") {
    constexpr int forks = 5000;
    std::array<int, 4> seen{};
    for (int i = 0; i < forks; ++i) {
        Choices choices(random_source(derive_seed(31, static_cast<std::uint64_t>(i))));
        const Forked fork = random_fork(choices);
        const std::string text = text_of(fork);
        const Truth truth = Exploration(fork).truth();
        for (const std::uint32_t interleavings : {1U, 6U}) {
            INFO(i << ", " << interleavings << "\n" << text);
            Options options;
            options.interleavings = interleavings;
            const Truth found = judged(text, options);
            REQUIRE(found.deadlock == truth.deadlock);
            REQUIRE(found.races == truth.races);
        }
        ++seen[(truth.races ? 2U : 0U) + (truth.deadlock ? 1U : 0U)];
    }
    for (const int cases : seen) { CHECK(cases > forks / 20); }
}

}  // namespace
}  // namespace haruspex::interp
