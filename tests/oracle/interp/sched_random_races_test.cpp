#include <array>
#include <set>

#include "generators/base/choice.h"
#include "tests/oracle/interp/sched_support.h"

// Compares random programs with par loops with the rules as given in the thesis.
namespace haruspex::interp {
namespace {

constexpr int cells = 4;
constexpr std::array<const char*, 3> variables{"y", "x", "r"};

// (variable + offset) mod 4, or the offset alone.
struct Index {
    int variable = -1;
    int offset = 0;
};

struct Node {
    enum class Kind : std::uint8_t { write, accumulate, branch, branch_on_cell, loop, par, atomic, local };
    Kind kind = Kind::write;
    bool is_local = false;  // concerns the array t instead of s
    Index at, from, value;
    bool reads = false;
    int variable = 0;
    std::vector<Node> body;
};

class Generator {
public:
    Generator(Choices& choices, bool with_atomic) : choices_(choices), with_atomic_(with_atomic) {}

    std::vector<Node> program() {
        std::vector<Node> nodes = block(0, {}, false);
        nodes.push_back({.kind = Node::Kind::par, .variable = 0, .body = block(1, {0}, false)});
        return nodes;
    }

private:
    std::vector<Node> block(int depth, std::vector<int> bound, bool has_local) {
        std::vector<Node> nodes;
        const std::int64_t count = choices_.integer(1, 3);
        for (std::int64_t i = 0; i < count; ++i) { nodes.push_back(node(depth, bound, has_local)); }
        return nodes;
    }

    Node node(int depth, const std::vector<int>& bound, bool has_local) {
        using Kind = Node::Kind;
        const bool nest = depth > 0 && depth < 4;
        const auto kind =
            static_cast<Kind>(choices_.weighted({8, 2, nest ? 3 : 0, nest ? 1 : 0, nest ? 2 : 0, nest ? 2 : 0,
                                                 nest && with_atomic_ ? 3 : 0, nest && !has_local ? 1 : 0}));
        Node n{.kind = kind, .is_local = has_local && choices_.boolean(500)};
        n.at = index(bound);
        n.from = index(bound);
        n.value = index(bound);
        n.reads = choices_.boolean(400);
        std::vector<int> inner = bound;
        if (kind == Kind::loop || kind == Kind::par) {
            n.variable = kind == Kind::loop ? 2 : 1;
            inner.push_back(n.variable);
        }
        if (kind != Kind::write && kind != Kind::accumulate) {
            n.body = block(depth + 1, inner, has_local || kind == Kind::local);
        }
        return n;
    }

    Index index(const std::vector<int>& bound) {
        Index i{-1, static_cast<int>(choices_.integer(0, cells - 1))};
        if (!bound.empty() && choices_.boolean(600)) { i.variable = choices_.one_of(bound); }
        return i;
    }

    Choices& choices_;
    bool with_atomic_;
};

std::string text(const Index& i) {
    if (i.variable < 0) { return std::to_string(i.offset); }
    return "(" + std::string(variables[static_cast<std::size_t>(i.variable)]) + " + " + std::to_string(i.offset) +
           ") % 4";
}

std::string text(const std::vector<Node>& nodes) {
    using Kind = Node::Kind;
    std::string result;
    for (const Node& n : nodes) {
        const std::string array = n.is_local ? "t" : "s";
        const std::string variable = variables[static_cast<std::size_t>(n.variable)];
        const std::string value = (n.reads ? array + "[" + text(n.from) + "] + " : "") + "i32<" + text(n.value) + ">";
        switch (n.kind) {
            case Kind::write: result += array + "[" + text(n.at) + "] := " + value + ";\n"; break;
            case Kind::accumulate: result += array + "[" + text(n.at) + "] += {} " + value + ";\n"; break;
            case Kind::branch: result += "if " + text(n.at) + " < 2 {\n" + text(n.body) + "}\n"; break;
            case Kind::branch_on_cell:
                result += "if " + array + "[" + text(n.at) + "] < 2i32 {\n" + text(n.body) + "}\n";
                break;
            case Kind::loop: result += "for " + variable + " in [0, 2) {\n" + text(n.body) + "}\n"; break;
            case Kind::par: result += "par " + variable + " in [0, 3) {\n" + text(n.body) + "}\n"; break;
            case Kind::atomic: result += "atomic {\n" + text(n.body) + "}\n"; break;
            case Kind::local:
                result += "if true { allocate t : i32[4]; for z in [0, 4) { t[z] := i32<z>; }\n" + text(n.body) + "}\n";
                break;
        }
    }
    return result;
}

// The judgement ℰ; μ ⊢ c ⇓ ⟨δμ; ρ⟩. Without atomic blocks every iteration of a par loop starts from the memory before
// it, as in the rule; with them, iterations run in order.
class Judgement {
public:
    using Cell = std::pair<int, int>;  // an array, numbered by its allocations, and an index
    using Memory = std::map<Cell, std::int64_t>;
    struct Touch {
        bool reads = false, writes = false, reads_atomically = false, writes_atomically = false;
    };
    struct Effect {
        Memory delta;
        std::map<Cell, Touch> touched;
    };

    Judgement(const std::vector<Node>& program, bool with_atomic) : with_atomic_(with_atomic) {
        for (int c = 0; c < cells; ++c) { memory_[{0, c}] = c; }
        Effect effect;
        block(program, memory_, effect, false);
    }

    bool read_write = false, write_write = false;
    const Memory& memory() const { return memory_; }

private:
    int evaluate(const Index& i) const {
        return i.variable < 0 ? i.offset : (environment_[static_cast<std::size_t>(i.variable)] + i.offset) % cells;
    }
    Cell cell(const Node& n, const Index& i) const { return {n.is_local ? local_ : 0, evaluate(i)}; }

    static std::int64_t read(const Cell& cell, const Memory& memory, Effect& effect, bool atomic) {
        Touch& touch = effect.touched[cell];
        (atomic ? touch.reads_atomically : touch.reads) = true;
        return memory.at(cell);
    }
    static void write(const Cell& cell, std::int64_t v, Memory& memory, Effect& effect, bool atomic) {
        Touch& touch = effect.touched[cell];
        (atomic ? touch.writes_atomically : touch.writes) = true;
        memory[cell] = v;
        effect.delta[cell] = v;
    }

    void block(const std::vector<Node>& nodes, Memory& memory, Effect& effect, bool atomic) {
        for (const Node& n : nodes) { run(n, memory, effect, atomic); }
    }

    void run(const Node& n, Memory& memory, Effect& effect, bool atomic) {
        using Kind = Node::Kind;
        switch (n.kind) {
            case Kind::write:
            case Kind::accumulate: {
                std::int64_t v = evaluate(n.value);
                if (n.reads) { v += read(cell(n, n.from), memory, effect, atomic); }
                if (n.kind == Kind::accumulate) { v += read(cell(n, n.at), memory, effect, atomic); }
                write(cell(n, n.at), v, memory, effect, atomic);
                break;
            }
            case Kind::branch:
                if (evaluate(n.at) < 2) { block(n.body, memory, effect, atomic); }
                break;
            case Kind::branch_on_cell:
                if (read(cell(n, n.at), memory, effect, atomic) < 2) { block(n.body, memory, effect, atomic); }
                break;
            case Kind::loop: {
                const auto outside = environment_;
                for (int i = 0; i < 2; ++i) {
                    environment_[static_cast<std::size_t>(n.variable)] = i;
                    block(n.body, memory, effect, atomic);
                }
                environment_ = outside;
                break;
            }
            case Kind::par: par(n, memory, effect, atomic); break;
            case Kind::atomic: block(n.body, memory, effect, true); break;
            case Kind::local: {
                const int outside = local_;
                local_ = ++last_local_;
                for (int c = 0; c < cells; ++c) { memory[{local_, c}] = c; }
                block(n.body, memory, effect, atomic);
                local_ = outside;
                break;
            }
        }
    }

    void par(const Node& n, Memory& memory, Effect& effect, bool atomic) {
        const Memory before = memory;
        const auto outside = environment_;
        std::vector<Effect> effects;
        for (int i = 0; i < 3; ++i) {
            environment_[static_cast<std::size_t>(n.variable)] = i;
            Memory own = with_atomic_ ? memory : before;
            Effect& iteration = effects.emplace_back();
            block(n.body, own, iteration, false);
            for (const auto& [cell, v] : iteration.delta) { memory[cell] = v; }
        }
        environment_ = outside;
        for (std::size_t i = 0; i < effects.size(); ++i) {
            for (std::size_t j = 0; j < effects.size(); ++j) {
                if (i != j) { compare(effects[i], effects[j]); }
            }
        }
        for (const Effect& iteration : effects) {
            for (const auto& [cell, v] : iteration.delta) { effect.delta[cell] = v; }
            for (const auto& [cell, t] : iteration.touched) {
                Touch& all = effect.touched[cell];
                (atomic ? all.reads_atomically : all.reads) |= t.reads;
                (atomic ? all.writes_atomically : all.writes) |= t.writes;
                all.reads_atomically |= t.reads_atomically;
                all.writes_atomically |= t.writes_atomically;
            }
        }
    }

    void compare(const Effect& one, const Effect& other) {
        const auto updates = [](const Touch& t) { return t.writes_atomically && !t.reads && !t.writes; };
        for (const auto& [cell, a] : one.touched) {
            const auto found = other.touched.find(cell);
            if (found == other.touched.end() || (updates(a) && updates(found->second))) { continue; }
            const Touch& b = found->second;
            const bool a_writes = a.writes || a.writes_atomically;
            const bool b_writes = b.writes || b.writes_atomically;
            if (a_writes && (b.reads || b.reads_atomically)) { read_write = true; }
            if (a_writes && b_writes && one.delta.at(cell) != other.delta.at(cell)) { write_write = true; }
        }
    }

    bool with_atomic_;
    std::array<int, 3> environment_{};
    int local_ = 0, last_local_ = 0;
    Memory memory_;
};

void compare_with_rules(std::uint64_t seed, int programs, bool with_atomic) {
    int races = 0;
    int benign = 0;
    for (int p = 0; p < programs; ++p) {
        Choices choices(random_source(derive_seed(seed, static_cast<std::uint64_t>(p))));
        const std::vector<Node> program = Generator(choices, with_atomic).program();
        const std::string source =
            "sched p() {\noutput s : i32[4];\nfor z in [0, 4) { s[z] := i32<z>; }\n" + text(program) + "}\n";
        INFO(source);
        const Judgement expected(program, with_atomic);
        const Run run(source);
        REQUIRE(run.troubles().empty() == !(expected.read_write || expected.write_write));
        if (!run.troubles().empty()) {
            ++races;
            // Both see the same memory up to the first race.
            const TroubleKind first = run.troubles().front().kind;
            if (!expected.read_write && source.find("i32 {") == std::string::npos) {
                CHECK(first == TroubleKind::write_write_race);
            }
            CHECK((first == TroubleKind::write_write_race ? expected.write_write : expected.read_write));
            continue;
        }
        ++benign;
        std::string memory;
        for (int c = 0; c < cells; ++c) { memory += (c > 0 ? " " : "") + std::to_string(expected.memory().at({0, c})); }
        CHECK(run.cells("s") == memory);
    }
    // The test needs many programs of both kinds.
    CHECK(races > programs / 10);
    CHECK(benign > programs / 10);
}

TEST_CASE("random par loops race exactly when U-PARLOOP does not apply, and else end in its memory") {
    compare_with_rules(1, 20000, false);
}

TEST_CASE("random par loops with atomic blocks race exactly when two iterations conflict") {
    compare_with_rules(2, 20000, true);
}

}  // namespace
}  // namespace haruspex::interp
