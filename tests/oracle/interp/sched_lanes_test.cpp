#include <array>

#include "generators/base/choice.h"
#include "tests/oracle/interp/sched_support.h"

// Compares lanes with loops: an assignment with lanes equals a loop that evaluates everything into temporaries,
// followed by a loop that stores them.
namespace haruspex::interp {
namespace {

// An index into 16 cells that depends on the variable, and a value over i32 arrays f, g and in.
std::string random_index(Choices& choices, const std::string& variable) {
    const std::string offset = std::to_string(choices.integer(0, 15));
    switch (choices.weighted({4, 2, 1, 1, 1})) {
        case 0: return "(" + variable + " + " + offset + ") % 16";
        case 1: return "(" + std::to_string(choices.integer(2, 3)) + "*" + variable + " + " + offset + ") % 16";
        case 2: return "(" + offset + " - " + variable + " + 16) % 16";
        case 3: return "(" + variable + "/2 + " + offset + ") % 16";
        default: return offset;
    }
}

std::string random_value(Choices& choices, const std::string& variable, int depth) {
    const auto operand = [&] { return random_value(choices, variable, depth + 1); };
    const auto array = [&] { return std::string(choices.one_of(std::array<const char*, 3>{"in", "f", "g"})); };
    switch (choices.weighted({6, depth < 3 ? 4 : 0, 2, depth < 3 ? 2 : 0, 1, 1, 1})) {
        case 0: return array() + "[" + random_index(choices, variable) + "]";
        case 1:
            return "(" + operand() + std::string(choices.one_of(std::array<const char*, 3>{" + ", " - ", " * "})) +
                   operand() + ") % 1000i32";
        case 2: return "i32<" + random_index(choices, variable) + ">";
        case 3: return "select(" + variable + " % 2 = 0, " + operand() + ", " + operand() + ")";
        case 4: return "(" + array() + "[" + random_index(choices, variable) + "] ? (" + variable + " < 3))";
        case 5: return array() + "[int((" + operand() + ") % 16i32)]";
        default: return "(sum lanes k < 3 of (" + array() + "[(k + " + random_index(choices, variable) + ") % 16]))";
    }
}

struct Write {
    std::string array, index, value;
    bool accumulates = false;
};

struct Statement {
    std::string lanes, condition;
    std::vector<Write> writes;
};

Statement random_statement(Choices& choices) {
    Statement s;
    s.lanes = std::to_string(choices.integer(1, 8));
    if (choices.boolean(300)) { s.condition = choices.boolean(500) ? "l % 3 != 1" : "in[l] % 3i32 != 1i32"; }
    const bool accumulates = choices.boolean(200);
    for (const char* array : {"f", "g"}) {
        if (s.writes.empty() || choices.boolean(400)) {
            s.writes.push_back({array, random_index(choices, "l"), random_value(choices, "l", 0), accumulates});
        }
    }
    return s;
}

std::string with_lanes(const Statement& s) {
    std::string text = "lanes l < " + s.lanes + " do ";
    if (!s.condition.empty()) { text += "if " + s.condition + " do "; }
    for (std::size_t w = 0; w < s.writes.size(); ++w) {
        const Write& write = s.writes[w];
        text += (w > 0 ? ", " : "") + write.array + "[" + write.index + "]" + (write.accumulates ? " += {} " : " := ") +
                write.value;
    }
    return text + ";\n";
}

std::string with_loops(const Statement& s) {
    std::string text = "if true {\nallocate done : bool[" + s.lanes + "];\n";
    std::string evaluate = "done[l] := [true];\n";
    std::string store;
    for (std::size_t w = 0; w < s.writes.size(); ++w) {
        const Write& write = s.writes[w];
        const std::string temporary = "t" + std::to_string(w);
        text += "allocate " + temporary + " : i32[" + s.lanes + "];\n";
        evaluate += temporary + "[l] := " + write.value + ";\n";
        store +=
            write.array + "[" + write.index + "]" + (write.accumulates ? " += {} " : " := ") + temporary + "[l];\n";
    }
    if (!s.condition.empty()) { evaluate = "if " + s.condition + " {\n" + evaluate + "}\n"; }
    return text + "for l in [0, " + s.lanes + ") {\ndone[l] := [false];\n" + evaluate + "}\nfor l in [0, " + s.lanes +
           ") {\nif done[l] {\n" + store + "}\n}\n}\n";
}

std::string program(const std::string& statements) {
    return "sched p() {\ninput in : i32[16];\noutput f : i32[16];\noutput g : i32[16];\nfor x in [0, 16) { f[x] := "
           "in[15 - x]; g[x] := in[x] * 3i32; }\n" +
           statements + "}\n";
}

TEST_CASE("random assignments with lanes do what two loops with a temporary do") {
    int clean = 0;
    constexpr int programs = 3000;
    for (int p = 0; p < programs; ++p) {
        Choices choices(random_source(derive_seed(3, static_cast<std::uint64_t>(p))));
        std::string lanes;
        std::string loops;
        for (int s = 0; s < 3; ++s) {
            const Statement statement = random_statement(choices);
            lanes += with_lanes(statement);
            loops += with_loops(statement);
        }
        INFO(program(lanes));
        const Run vector(program(lanes));
        const Run scalar(program(loops));
        // An index may come from a read whose guard was false.
        const auto count = [](const Run& run, TroubleKind kind) {
            return std::ranges::count(run.troubles(), kind, &Trouble::kind);
        };
        const auto uninit = count(scalar, TroubleKind::depends_on_uninit);
        REQUIRE(std::cmp_equal(uninit, scalar.troubles().size()));
        // A conflicting store is executed lane by lane, as in the loop.
        CHECK(vector.cells("f") == scalar.cells("f"));
        CHECK(vector.cells("g") == scalar.cells("g"));
        REQUIRE((count(vector, TroubleKind::depends_on_uninit) > 0) == (uninit > 0));
        const auto conflicts = count(vector, TroubleKind::lane_conflict);
        REQUIRE(std::cmp_equal(count(vector, TroubleKind::depends_on_uninit) + conflicts, vector.troubles().size()));
        clean += vector.troubles().empty() ? 1 : 0;
    }
    CHECK(clean > programs / 3);
    CHECK(clean < programs);
}

TEST_CASE("a lane conflict is found exactly when two lanes leave different values in one cell") {
    for (std::uint64_t p = 0; p < 2000; ++p) {
        Choices choices(random_source(derive_seed(4, p)));
        std::string places = "let p[l < 6] : i32 = ";
        std::string values = "let v[l < 6] : i32 = ";
        std::array<std::int64_t, 6> place{};
        std::array<std::int64_t, 6> v{};
        for (std::size_t l = 0; l < 6; ++l) {
            place[l] = choices.integer(0, 11);
            v[l] = choices.integer(0, 2);
            const std::string when = l < 5 ? "select(l = " + std::to_string(l) + ", " : "";
            places += when + std::to_string(place[l]) + "i32" + (l < 5 ? ", " : ")))))");
            values += when + std::to_string(v[l]) + "i32" + (l < 5 ? ", " : ")))))");
        }
        bool conflicts = false;
        for (std::size_t a = 0; a < 6; ++a) {
            for (std::size_t b = 0; b < a; ++b) { conflicts = conflicts || (place[a] == place[b] && v[a] != v[b]); }
        }
        const std::string text = places + ";\n" + values + ";\nlanes l < 6 do f[int(p[l])] := v[l];\n";
        INFO(text);
        CHECK(Run(over_f(text), {{"N", 0}}).kinds() == (conflicts ? "lane_conflict" : ""));
    }
}

}  // namespace
}  // namespace haruspex::interp
