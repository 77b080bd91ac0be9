#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/reports/cli/command_line.h"
#include "tests/support/catch.h"

// Hand-written schedules (corpus/accepted) are put to the compiler, and its result is judged.
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using namespace command_line;

const std::string accepted = HARUSPEX_SOURCE_DIR "/corpus/accepted/";

std::vector<std::string> names() {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(accepted)) {
        if (entry.path().extension() == ".json") { found.push_back(entry.path().stem().string()); }
    }
    std::ranges::sort(found);
    return found;
}

Json verdict_of(const Scratch& scratch, const std::string& name, const std::string& options = "") {
    const Ran ran = shell(scratch, haruspex + " run --json " + accepted + name + ".json" + options);
    INFO(ran.err);
    REQUIRE(ran.exit_code < 2);
    return Json::parse(ran.out);
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    return text.replace(text.find(what), what.size(), by);
}

// A case that only the last directive makes wrong: dependent iterations run in parallel, which Halide accepts.
std::string racing(const std::string& last) {
    return R"json({
  "haruspex_case": 1,
  "sare": [
    "sare race(W) assuming W >= 1 {",
    "  input in : i32[1]",
    "  s(x) = 0i32",
    "  update s(x) = s(x) + in(k) over k in [0, 7)",
    "  output s on { [x] : 0 <= x < W }",
    "}"
  ],
  "schedule": ["s.update(0).reorder(x, k)", "s.update(0).parallel(x)", ")json" +
           last + R"json("],
  "sizes": {"W": 32},
  "inputs": {"in": {"min": -9, "max": 9, "scale": 0, "special_values": false}},
  "input_seed": 1,
  "strict_float": false,
  "comparison": "exact",
  "target": "x86-64-linux-avx-avx2-f16c-fma-sse41"
}
)json";
}

}  // namespace

TEST_CASE("what a person wrote runs and is judged") {
    Scratch scratch;
    REQUIRE(names().size() == 6);
    for (const std::string& name : names()) {
        INFO(name);
        const Json verdict = verdict_of(scratch, name);
        const auto cls = verdict.at("class").get<std::string>();
        // Halide 14 rejects two of them, and crashes on the one that copies a loop's body a thousand times.
        const bool is_refused = name == "guarded_producer_vectorize" || name == "inductor_scatter";
        const bool is_judged = cls == "agrees" || (is_refused && cls == "rejected") ||
                               (name == "massive_unroll" && cls.starts_with("compiler_"));
        INFO(cls);
        CHECK(is_judged);
        CHECK(verdict.contains("warnings") == is_refused);
        const Ran validated = shell(scratch, haruspex + " run --validate " + accepted + name + ".json");
        CHECK(validated.exit_code < 2);
        for (const std::string form : {"sare", "program", "schedule"}) {
            CHECK(shell(scratch, haruspex + " show --as " + form + " " + accepted + name + ".json").exit_code == 0);
        }
        if (cls != "agrees") { continue; }
        for (const std::string form : {"stmt", "sched", "passes"}) {
            CHECK(shell(scratch, haruspex + " show --as " + form + " " + accepted + name + ".json").exit_code == 0);
        }
    }
}

TEST_CASE("what a person wrote is minimised and filed when a mutant makes it wrong") {
    Scratch scratch;
    for (const std::string& name : names()) {
        INFO(name);
        if (verdict_of(scratch, name).at("class") == "rejected") { continue; }
        const bool slides = name == "unroll_sliding";
        const std::string mutant = slides ? " --mutant required_max_short" : " --mutant last_lane_repeats";
        const std::string small = scratch / name;
        // A compiler that crashes after much unrolling takes seconds for each run.
        const std::string runs = name == "massive_unroll" ? " --runs 3" : "";
        const Ran ran = shell(scratch, haruspex + " minimize " + accepted + name + ".json -o " + small + runs + mutant);
        INFO(ran.out);
        REQUIRE(ran.exit_code == 1);
        CHECK(shell(scratch, haruspex + " reproduce " + small + mutant).exit_code == 1);
        const Ran filed = shell(scratch, haruspex + " file " + small + " --to " + (scratch / "of-" + name) + mutant);
        INFO(filed.err);
        CHECK(filed.exit_code == 0);
    }
    const Ran known = shell(scratch, haruspex + " known add " + (scratch / "massive_unroll") +
                                         " --runs 2 --reason crash --to " + (scratch / "known"));
    INFO(known.err);
    CHECK(known.exit_code == 0);
}

TEST_CASE("a rule that Halide judges is a warning, and hides nothing") {
    Scratch scratch;
    // The model does not know how many cells a division needs; Halide does.
    std::string text = content_of(accepted + "old_transpose_deinterleave.json");
    text = replaced(text, "t(x, y) = s(y, x)", "t(x, y) = s(y/2, x)");
    text = replaced(text, "\"t.tile(x, y, xo, yo, xi, yi, 8, 8)",
                    "\"t.bound(y, 0, H)\",\n    \"t.tile(x, y, xo, yo, xi, yi, 8, 8, RoundUp)");
    write(scratch / "case.json", text);
    const Ran ran = shell(scratch, haruspex + " run " + (scratch / "case.json"));
    INFO(ran.out);
    CHECK(ran.exit_code == 0);
    CHECK(ran.out.find("class     agrees") != std::string::npos);
    CHECK(ran.out.find("warning   directive 6, s.vectorize(x): the documentation asks that a loop") !=
          std::string::npos);
    const Ran wrong =
        shell(scratch, haruspex + " run --json " + (scratch / "case.json") + " --mutant last_lane_repeats");
    CHECK(wrong.exit_code == 1);
    CHECK(Json::parse(wrong.out).at("warnings").at(0).at("rule") == "constant_extent");
}

TEST_CASE("a rule that nobody checks is judged, warned of, and no finding") {
    Scratch scratch;
    write(scratch / "case.json", racing("s.update(0).fuse(x, k, t)"));
    for (const std::string options : {"", " --validate"}) {
        const Ran ran = shell(scratch, haruspex + " run --json " + (scratch / "case.json") + options);
        INFO(ran.out);
        REQUIRE(ran.exit_code == 0);
        const Json verdict = Json::parse(ran.out);
        // Halide 19 rejects it.
        if (halide_major() >= 19) {
            CHECK(verdict.at("class") == "rejected");
            continue;
        }
        CHECK(verdict.at("class") == "outside_context");
        CHECK(verdict.at("message").get<std::string>().find("the documentation asks that no loop runs iterations") !=
              std::string::npos);
        CHECK(verdict.at("warnings").at(0).at("rule") == "unnoticed_race");
        CHECK(verdict.at("warnings").at(0).at("directive") == 2);
    }
    const Ran minimised = shell(scratch, haruspex + " minimize " + (scratch / "case.json") + " -o " + (scratch / "s"));
    CHECK(minimised.out.find("shows no finding") != std::string::npos);
}

TEST_CASE("a schedule that names what does not exist is refused, with the directive") {
    Scratch scratch;
    write(scratch / "case.json", racing("s.update(0).unroll(q)"));
    for (const std::string command :
         {" run ", " run --validate ", " show --as stmt ", " show --as program ", " minimize "}) {
        const Ran ran = shell(scratch, haruspex + command + (scratch / "case.json"));
        CHECK(ran.exit_code == 2);
        CHECK(ran.out.empty());
        CHECK(ran.err.find("directive 3, s.update(0).unroll(q): \"s.update(0)\": there is no loop over \"q\"") !=
              std::string::npos);
    }
}
