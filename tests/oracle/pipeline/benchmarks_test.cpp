#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "generators/case/json.h"
#include "generators/sare/staging.h"
#include "generators/sare/text.h"
#include "generators/schedule/halide/admission.h"
#include "harness/halide/halide_compiler.h"
#include "harness/sched/traverse.h"
#include "oracle/pipeline/judge_case.h"
#include "oracle/pipeline/prophecies.h"
#include "tests/support/catch.h"

namespace haruspex::pipeline {
namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(HARUSPEX_SOURCE_DIR) / "corpus/benchmarks";

Result<std::string> content(const fs::path& file) {
    std::ifstream stream(file);
    if (!stream) { return fail("cannot read " + file.string()); }
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

cases::Case benchmark(const std::string& name) {
    const fs::path file = folder / (name + ".json");
    const auto text = content(file);
    REQUIRE(text.has_value());
    auto c =
        cases::parse_case(*text, file.string(), [](const std::string& beside) { return content(folder / beside); });
    if (!c) { FAIL(to_string(c.error())); }
    return *c;
}

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const fs::path& file = entry.path();
        if (file.extension() == ".json" && file.stem() != "rows") { all.push_back(file.stem().string()); }
    }
    std::ranges::sort(all);
    return all;
}

}  // namespace

TEST_CASE("every benchmark is a Halide algorithm whose schedule every version admits") {
    REQUIRE(names().size() >= 13);
    for (const std::string& name : names()) {
        INFO(name);
        const cases::Case c = benchmark(name);
        const auto algorithm = sare::unstage(c.sare);
        REQUIRE(algorithm.has_value());
        for (const int version : {14, 19}) {
            const auto admitted = schedule::halide::admits(*algorithm, schedule::halide::typed(c.schedule), {version});
            INFO((admitted ? std::string() : to_string(admitted.error())));
            CHECK(admitted.has_value());
        }
    }
}

TEST_CASE("memory of constant extents keeps them apart") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    const auto lowered = lower_with_prophecies(benchmark("sc1"), server);
    REQUIRE(lowered);
    int allocations = 0;
    sched::for_each_statement(lowered->program.body, [&](const sched::Stmt& statement) {
        const auto* allocation = std::get_if<sched::Allocate>(&statement.node);
        if (allocation == nullptr) { return; }
        ++allocations;
        const auto* product = std::get_if<sched::IndexBinary>(&allocation->dimensions.at(0).extent.node);
        REQUIRE(product != nullptr);
        CHECK(std::holds_alternative<sched::Integer>(product->a->node));
        CHECK(std::holds_alternative<sched::Integer>(product->b->node));
    });
    CHECK(allocations == 1);
}

TEST_CASE("every benchmark is used by a row or stands for one, and every file by a benchmark") {
    std::set<std::string> used{"rows.json", "README.md"};
    std::vector<std::string> all = names();
    for (const std::string& name : all) { used.insert(name + ".json"); }
    all.push_back("rows");
    for (const std::string& name : all) {
        const auto text = content(folder / (name + ".json"));
        for (const auto& entry : fs::directory_iterator(folder)) {
            const std::string file = entry.path().filename().string();
            if (text->find('"' + file + '"') != std::string::npos) { used.insert(file); }
        }
    }
    for (const auto& entry : fs::directory_iterator(folder)) {
        INFO(entry.path());
        CHECK(used.contains(entry.path().filename().string()));
    }
}

TEST_CASE("Halide compiles every benchmark to what its equations say") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    for (const std::string& name : names()) {
        if (name == "sc32") { continue; }  // sc32_small is the same in smaller tiles, which takes seconds
        INFO(name);
        const cases::Case c = benchmark(name);
        const Judged judged = judge_case(c, server, halide->identity());
        CHECK(verdict::name(judged.verdict.cls) == verdict::name(verdict::Class::agrees));
        CHECK(verdict::is_right(judged.verdict.lowered));
    }
}

TEST_CASE("the prophecies of every benchmark are put onto what is lowered") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    for (const std::string& name : names()) {
        INFO(name);
        const auto prophesied = lower_with_prophecies(benchmark(name), server);
        INFO((prophesied ? std::string() : to_string(prophesied.error())));
        CHECK(prophesied.has_value());
    }
}

}  // namespace haruspex::pipeline
