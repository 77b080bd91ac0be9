#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/scratch.h"

// `haruspex validate`, as a user meets it, on the programs in tests/litmus.
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const std::string haruspex = std::string(HARUSPEX_BINARY_DIR) + "/haruspex";

std::string content_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    REQUIRE(stream.good());
    return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const fs::path& file, const std::string& content) { std::ofstream(file, std::ios::binary) << content; }

struct Ran {
    int exit_code = -1;
    std::string out, err;
};

class Scratch : public tests::ScratchFolder {
public:
    std::string operator/(const std::string& name) const { return (path() / name).string(); }

    Ran run(const std::string& command) const {
        const int status = std::system(("cd " + path().string() + " && { " + command + " ; } > .out 2> .err").c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(path() / ".out"), content_of(path() / ".err")};
    }
    // Writes a litmus program as two files, NAME.sare and NAME.sched, and validates it.
    Ran validate(const std::string& litmus, const std::string& options = "") const {
        const std::string text = content_of(fs::path(HARUSPEX_SOURCE_DIR) / "tests/litmus" / (litmus + ".litmus"));
        const std::string first = "--- specification\n", second = "--- program\n";
        const std::size_t specification = text.find(first) + first.size(), program = text.find(second);
        REQUIRE(program != std::string::npos);
        write(path() / (litmus + ".sare"), text.substr(specification, program - specification));
        write(path() / (litmus + ".sched"), text.substr(program + second.size()));
        return run(haruspex + " validate " + litmus + ".sare " + litmus + ".sched " + options);
    }
};

bool is_there(const std::string& program) {
    return std::system(("command -v " + program + " > /dev/null 2>&1").c_str()) == 0;
}

void check_golden(const std::string& name, const std::string& text) {
    const fs::path file = fs::path(HARUSPEX_SOURCE_DIR) / "tests/reports/cli/golden" / name;
    if (std::getenv("HARUSPEX_ACCEPT") != nullptr) { write(file, text); }
    CHECK(text == content_of(file));
}

// Right and wrong programs with every kind of statement.
constexpr std::array programs{
    "fig55-matmul-parallel", "fig55-shared-local", "matmul-unrolled",    "let-before-store",
    "lanes-collide-equal",   "garbage-chain",      "tail-off-by-one",    "guard-load",
    "overflow-reassociated", "race-outer-only",    "freed-garbage-read", "uninit-one-path",
    "alloc-short-at-seven",  "vacuous-parity",     "race-undone-write",  "tail-off-by-one-context"};

}  // namespace

TEST_CASE("a program that is right for all sizes is validated, with exit code 0") {
    Scratch scratch;
    const Ran ran = scratch.validate("fig55-matmul-parallel");
    CHECK(ran.exit_code == 0);
    CHECK(ran.err.empty());
    CHECK(
        ran.out.starts_with("verdict         validated\nreason          for all sizes\n"
                            "indices         fit 32 bits for sizes up to 32768\nobligations     10 of 10 hold"));
}

TEST_CASE("a wrong program is refuted with the obligation, the sizes, and what the interpreters saw") {
    Scratch scratch;
    const Ran ran = scratch.validate("tail-off-by-one");
    CHECK(ran.exit_code == 1);
    for (const std::string part :
         {"verdict         refuted\n", "obligation      coverage\n", "statement       output F\n",
          "rule            each requested cell holds its tensor's value\n", "counterexample  N=1\n",
          "interpreters    F(0) is uninit_i32, expected "}) {
        INFO(part);
        CHECK(ran.out.find(part) != std::string::npos);
    }
}

TEST_CASE("what is not shown does not pass: exit code 1, and the help says so") {
    Scratch scratch;
    const Ran vacuous = scratch.validate("vacuous-parity");
    CHECK(vacuous.exit_code == 1);
    CHECK(vacuous.out.starts_with("verdict         undecided\nreason          vacuous"));
    const Ran help = scratch.run(haruspex + " validate --help");
    CHECK(help.exit_code == 0);
    CHECK(help.out.find("refuted, undecided or unsupported") != std::string::npos);
    CHECK(help.out.find("haruspex validate blur.sare blur.sched") != std::string::npos);
}

TEST_CASE("validate --float says in which arithmetic a program is validated") {
    Scratch scratch;
    CHECK(scratch.validate("overflow-reassociated-real", "--float real").exit_code == 0);
    CHECK(scratch.validate("overflow-reassociated-real", "--float real")
              .out.contains("reason          for all sizes\nfloats          real numbers\n"));
    CHECK(scratch.validate("overflow-reassociated-real", "--float real --json").out.contains("\"floats\":\"real\""));
    // A program without floats has no line about floats.
    CHECK_FALSE(scratch.validate("fig55-matmul-parallel", "--float real").out.contains("floats"));
    CHECK(scratch.validate("tail-off-by-one", "--json").out.contains("\"floats\":null"));
    CHECK(scratch.validate("overflow-reassociated-ieee", "--float ieee").exit_code == 1);
    const Ran ran = scratch.validate("overflow-reassociated-ieee", "--float fixed");
    CHECK(ran.exit_code == 2);
    CHECK(ran.err.find("--float") != std::string::npos);
}

TEST_CASE("validate --sums-fit proves what holds as long as no partial sum overflows, and says so") {
    Scratch scratch;
    const Ran without = scratch.validate("fit-sum-reversed");
    CHECK(without.exit_code == 1);
    CHECK(scratch.validate("fit-sum-reversed", "--json").out.contains("\"needs_fitting_sums\":null"));
    const Ran with = scratch.validate("fit-sum-reversed", "--sums-fit");
    CHECK(with.exit_code == 0);
    CHECK(with.out.contains("reason          for all sizes, as long as no partial sum overflows\n"));
    const Ran json = scratch.validate("fit-sum-reversed", "--sums-fit --json");
    CHECK(json.out.contains("\"needs_fitting_sums\":true"));
    // A program that does not need it is proved without a condition.
    const Ran plain = scratch.validate("reduction-conv-interchanged", "--sums-fit");
    CHECK(plain.out.contains("reason          for all sizes\n"));
    CHECK(scratch.validate("fit-sum-reversed-first-missing", "--sums-fit").out.starts_with("verdict         refuted"));
}

TEST_CASE("validate --explain can be held against thesis Fig. 5.5") {
    Scratch scratch;
    const Ran ran = scratch.validate("fig55-matmul-parallel", "--explain");
    CHECK(ran.exit_code == 0);
    check_golden("fig55.txt", ran.out);
}

TEST_CASE("validate --explain names the rule of each kind of statement, and what it changes or leaves") {
    Scratch scratch;
    struct Expected {
        std::string litmus;
        std::vector<std::string> parts;
    };
    for (const auto& [litmus, parts] : std::vector<Expected>{
             {"let-before-store",
              {"// => S-Let, of a value:\n", "⟦f[x]⟧_h = A(x)\n", "h₀ ▷\n", "hold[] -> A(-1 + x) : x > 0\n"}},
             {"fig55-private-local",
              {"// => S-Allocate: Γ ← Γ, r[], all of them Uninit\n", "// <= S-Free:\n", "Δh ← free r[] -> true\n",
               "// => S-ParLoop(j): Γ ← Γ, j : 𝔸, 0 <= j < M\n", "ww-covered: ⋃ Δh is single-valued\n"}},
             {"tail-off-by-one",
              {"if N%4 != 0 {\n", "// => S-If: Γ ← Γ, N%4 != 0\n", "// <= S-If:\n", "NOT SHOWN: memory not written\n",
               "counterexample: N=1: F(0) is uninit_i32"}},
             {"lanes-collide-equal",
              {"Γ ← Γ, l : 𝔸, 0 <= l <= 7\n", "⟦a[4t + floor((l)/2)]⟧_h = A(4t + floor((l)/2))\n"}},
             {"tail-off-by-one-context", {"// <= S-Assign, which never runs:\n"}},
             {"race-undone-write", {"counterexample: read_write_race"}},
         }) {
        INFO(litmus);
        const std::string out = scratch.validate(litmus, "--explain").out;
        INFO(out);
        for (const std::string& part : parts) {
            INFO(part);
            CHECK(out.find(part) != std::string::npos);
        }
    }
}

TEST_CASE("the verdict and the explanation are the same, byte for byte, on every run") {
    Scratch scratch;
    for (const std::string program : programs) {
        INFO(program);
        const Ran one = scratch.validate(program, "--explain"), two = scratch.validate(program, "--explain");
        CHECK(one.exit_code == two.exit_code);
        CHECK(one.exit_code < 2);
        CHECK(one.out.find("// => Γ ← ") != std::string::npos);
        CHECK(one.out == two.out);
        for (std::size_t end = one.out.find('\n'); end != std::string::npos; end = one.out.find('\n', end + 1)) {
            const std::size_t begin = one.out.rfind('\n', end - 1) + 1;
            const std::string line = one.out.substr(begin, end - begin);
            INFO(line);
            CHECK_FALSE(line.ends_with("//"));
            CHECK_FALSE(line.ends_with(" "));
        }
    }
}

TEST_CASE("validate --json is one line with the verdict, every obligation and what decided it") {
    Scratch scratch;
    const Ran ran = scratch.validate("tail-off-by-one", "--json");
    CHECK(ran.exit_code == 1);
    CHECK(std::count(ran.out.begin(), ran.out.end(), '\n') == 1);
    const Json json = Json::parse(ran.out);
    CHECK(json.at("verdict") == "refuted");
    CHECK(json.at("kind") == "coverage");
    CHECK(json.at("indices").is_null());
    CHECK(json.at("counterexample").at("sizes").at("N") == 1);
    CHECK(json.at("cross_checks").at("contradictions").empty());
    CHECK_FALSE(json.contains("explanation"));
    std::size_t holding = 0;
    for (const Json& obligation : json.at("obligations")) {
        const bool holds = obligation.at("state") == "holds";
        holding += holds ? 1 : 0;
        CHECK(obligation.contains("rung") == holds);
    }
    std::size_t by_rung = 0;
    for (const auto& [rung, count] : json.at("by_rung").items()) { by_rung += count.get<std::size_t>(); }
    CHECK(holding == by_rung);
    CHECK(holding < json.at("obligations").size());
    CHECK(Json::parse(scratch.validate("tail-off-by-one", "--json --explain").out).contains("explanation"));
}

TEST_CASE("validate --emit-smt2 writes numbered queries that the solvers' programs accept") {
    Scratch scratch;
    std::size_t written = 0;
    for (const std::string program : {"overflow-reassociated", "overflow-reassociated-u32", "overflow-commuted",
                                      "overflow-distributed-u32", "select-on-value", "overflow-reassociated-ieee"}) {
        INFO(program);
        const Ran ran = scratch.validate(program, "--emit-smt2 queries/" + program);
        CHECK(ran.exit_code < 2);
        CHECK(ran.out.find("queries         ") != std::string::npos);
        std::size_t number = 0;
        while (fs::exists(scratch / ("queries/" + program + "/000" + std::to_string(number + 1) + ".smt2"))) {
            ++number;
        }
        for (const auto& entry : fs::directory_iterator(scratch / ("queries/" + program))) {
            ++written;
            CHECK(entry.path().extension() == ".smt2");
            INFO(content_of(entry.path()));
            for (const std::string solver : {"z3 -T:60", "cvc5 --tlimit=60000"}) {
                if (!is_there(solver.substr(0, solver.find(' ')))) { continue; }
                const Ran answer = scratch.run(solver + " " + entry.path().string());
                INFO(solver + ": " + answer.out + answer.err);
                CHECK((answer.out == "sat\n" || answer.out == "unsat\n" || answer.out == "unknown\n"));
            }
        }
        CHECK(number == static_cast<std::size_t>(std::distance(fs::directory_iterator(scratch / ("queries/" + program)),
                                                               fs::directory_iterator())));
    }
    CHECK(written >= 3);
    const Ran again = scratch.validate("overflow-reassociated", "--emit-smt2 queries/overflow-reassociated");
    CHECK(again.exit_code == 2);
    CHECK(again.err.find("holds files already; name a new or an empty folder") != std::string::npos);
}

TEST_CASE("a second solver is asked, or its absence is told before anything is decided") {
    Scratch scratch;
    if (is_there("cvc5")) { CHECK(scratch.validate("overflow-bounded-i32", "--solver both").exit_code == 0); }
    const Ran ran = scratch.validate("matmul-plain");
    CHECK(ran.exit_code == 0);
    const Ran without =
        scratch.run("PATH=/nowhere " + haruspex + " validate matmul-plain.sare matmul-plain.sched --solver both");
    CHECK(without.exit_code == 2);
    CHECK(without.err.find("--solver both: cannot run cvc5: ") != std::string::npos);
    CHECK(without.out.empty());
}

TEST_CASE("proofs rest on cvc5 alone, or on both solvers") {
    if (!is_there("cvc5")) { return; }
    Scratch scratch;
    const Ran alone = scratch.validate("overflow-bounded-i32", "--solver cvc5 --json");
    CHECK(alone.exit_code == 0);
    const Json said = Json::parse(alone.out);
    CHECK(said.at("queries") > 0);
    CHECK(said.at("rlimit") == 0);  // of Z3
    CHECK(said.at("cross_checks").at("agreed") == 0);
    const Json both = Json::parse(scratch.validate("overflow-bounded-i32", "--solver both --json").out);
    CHECK(both.at("verdict") == "validated");
    CHECK(both.at("cross_checks").at("agreed") > 0);
    CHECK(both.at("cross_checks").at("contradictions").empty());
    // cvc5 gives no counterexample; the interpreters find one.
    CHECK(scratch.validate("overflow-reassociated", "--solver cvc5").exit_code == 1);
}

TEST_CASE("a solver that contradicts the other one is told with the query, and nothing is proved by it") {
    Scratch scratch;
    for (const std::string answer : {"sat", "unsat"}) {
        write(scratch / answer, "#!/bin/sh\ncat > /dev/null\necho " + answer + "\n");
        REQUIRE(std::system(("chmod +x " + scratch / answer).c_str()) == 0);
    }
    const Ran right = scratch.validate("overflow-bounded-i32", "--solver both --cvc5 ./sat");
    CHECK(right.exit_code == 1);
    CHECK(right.out.find("SOLVERS DISAGREE\n; z3 says unsat, cvc5 says sat\n; Does the implementation") !=
          std::string::npos);
    CHECK(right.out.find("(check-sat)\n") != std::string::npos);
    CHECK(right.out.find("verdict         undecided") != std::string::npos);
    const Ran wrong = scratch.validate("overflow-reassociated", "--solver both --cvc5 ./unsat --json");
    CHECK(wrong.exit_code == 1);
    const Json contradictions = Json::parse(wrong.out).at("cross_checks").at("contradictions");
    REQUIRE(!contradictions.empty());
    CHECK(contradictions.at(0).at("z3") == "sat");
    CHECK(contradictions.at(0).at("cvc5") == "unsat");
    // The wrong answer is the only one if it is asked alone.
    CHECK(scratch.validate("overflow-bounded-i32", "--solver cvc5 --cvc5 ./sat").exit_code == 1);
}

TEST_CASE("bad input is exit code 2 with the place or the reason") {
    Scratch scratch;
    REQUIRE(scratch.validate("matmul-plain").exit_code == 0);
    const std::string sare = content_of(scratch / "matmul-plain.sare");
    const std::string sched = content_of(scratch / "matmul-plain.sched");
    const auto refused = [&](const std::string& arguments, const std::string& words) {
        INFO(arguments);
        const Ran ran = scratch.run(haruspex + " validate " + arguments);
        INFO(ran.err);
        CHECK(ran.exit_code == 2);
        CHECK(ran.out.empty());
        CHECK(ran.err.find(words) != std::string::npos);
    };
    const auto with = [&](const std::string& name, std::string text, const std::string& what, const std::string& by) {
        const std::size_t at = text.find(what);
        REQUIRE(at != std::string::npos);
        write(scratch / name, text.replace(at, what.size(), by));
        return "matmul-plain.sare " + name;
    };
    refused("matmul-plain.sare", "program is required");
    refused("nowhere.sare matmul-plain.sched", "nowhere.sare");
    refused("matmul-plain.sare nowhere.sched", "nowhere.sched");
    refused("matmul-plain.sched matmul-plain.sched", "matmul-plain.sched:1:1: ");
    refused(with("brackets.sched", sched, "sched matmul", "sched 5matmul"), "brackets.sched:1:7: ");
    refused(with("parameters.sched", sched, "(N, M, P)", "(N, M, P, Q)"),
            "parameters.sched: its parameters are N, M, P, Q, those of the specification N, M, P");
    refused(with("tensor.sched", sched, "for A :", "for D :"), "is for D, which is no tensor of the specification");
    refused(with("role.sched", sched, "for A :", "for C :"), "is for C, which is no input");
    refused("matmul-plain.sare matmul-plain.sched --solver yices", "--solver");
    refused("matmul-plain.sare matmul-plain.sched --emit-smt2 matmul-plain.sare", "matmul-plain.sare");
    refused("matmul-plain.sare matmul-plain.sched --emit-smt2 /proc/haruspex", "/proc/haruspex");
    refused("matmul-plain.sare matmul-plain.sched --explain=twice", "--explain");
    CHECK(sare.starts_with("sare "));
}

// Addresses differ between processes.
TEST_CASE("two processes give one program the same verdict, derivation and figures") {
    const Scratch scratch;
    std::vector<fs::path> litmus;
    for (const auto& entry : fs::directory_iterator(fs::path(HARUSPEX_SOURCE_DIR) / "tests/litmus")) {
        if (entry.path().extension() == ".litmus") { litmus.push_back(entry.path()); }
    }
    std::ranges::sort(litmus);
    REQUIRE(litmus.size() > 200);
    for (std::size_t i = 0; i < litmus.size(); i += 13) {
        const std::string name = litmus[i].stem().string();
        INFO(name);
        const Ran first = scratch.validate(name, "--explain");
        const Ran second = scratch.validate(name, "--explain");
        CHECK(first.out.size() > 100);
        CHECK(first.out == second.out);
        CHECK(first.exit_code == second.exit_code);
    }
}
