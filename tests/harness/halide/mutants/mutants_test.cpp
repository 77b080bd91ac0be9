#include <dlfcn.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/halide/mutants/catalogue.h"
#include "tests/support/catch.h"

namespace haruspex::halide::mutants::test {
namespace {

const std::filesystem::path folder = std::filesystem::path(HARUSPEX_BINARY_DIR) / "mutants";

std::string object(const std::string& mutant) { return (folder / ("lib" + mutant + ".so")).string(); }

// Returns the program's output by pipeline, for all pipelines or one, with a mutant or without (""). A pipeline that is
// not reached is missing; one that crashes has no text. `limits` is a shell command.
std::map<std::string, std::string> run_all(const std::string& mutant, const std::string& pipeline = "",
                                           const std::string& limits = "ulimit -t 120") {
    const std::string preload = mutant.empty() ? "" : "LD_PRELOAD='" + object(mutant) + "' ";
    const std::string program = preload + "'" HARUSPEX_MUTATED_PROGRAM "' " + pipeline;
    FILE* output = ::popen(("{ " + limits + "; " + program + "; } 2>/dev/null").c_str(), "r");
    REQUIRE(output != nullptr);
    std::string text;
    for (int c = std::fgetc(output); c != EOF; c = std::fgetc(output)) { text.push_back(static_cast<char>(c)); }
    ::pclose(output);
    std::map<std::string, std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        // An error's message ends with a line break of its own.
        if (!line.empty()) {
            lines[line.substr(0, line.find(' '))] = line.substr(std::min(line.find(' ') + 1, line.size()));
        }
        begin = end + 1;
    }
    return lines;
}

std::string run(const std::string& mutant, const std::string& pipeline, const std::string& limits = "ulimit -t 120") {
    const auto lines = run_all(mutant, pipeline, limits);
    REQUIRE(lines.size() == 1);
    return lines.at(pipeline);
}

// Whether libHalide calls the pass through the dynamic linker, so that a mutant can stand before it: which passes it does
// depends on how the library was built.
bool is_reached(const std::string& pass) {
    const std::string symbol = "_ZN6Halide8Internal" + std::to_string(pass.size()) + pass;
    const std::string library = "\"$(ldd '" HARUSPEX_MUTATED_PROGRAM "' | awk '/libHalide/ { print $3 }')\"";
    return std::system(("readelf -rW " + library + " | grep -q " + symbol).c_str()) == 0;
}

bool is_number(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

TEST_CASE("mutants have names of their own, and there are enough of each kind") {
    std::set<std::string> names;
    int miscompilations = 0;
    int failures = 0;
    std::set<Kind> kinds;
    for (const Mutant& mutant : mutants()) {
        CHECK(names.insert(mutant.name).second);
        CHECK_FALSE(mutant.description.empty());
        CHECK(find(mutant.name)->pass == mutant.pass);
        (mutant.kind == Kind::miscompilation ? miscompilations : failures)++;
        kinds.insert(mutant.kind);
    }
    CHECK(miscompilations >= 20);
    CHECK(failures >= 5);
    CHECK(kinds.size() == 4);
    CHECK_FALSE(find("none_such").has_value());
    CHECK(library("fold_halved").filename() == "libfold_halved.so");
    CHECK(library("fold_halved").parent_path().filename() == "mutants");
}

TEST_CASE("every mutant is a shared object that says which it is and defines its pass") {
    for (const Mutant& mutant : mutants()) {
        INFO(mutant.name);
        void* handle = ::dlopen(object(mutant.name).c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) { FAIL(::dlerror()); }
        const auto name = reinterpret_cast<const char* (*)()>(::dlsym(handle, "haruspex_mutant"));
        REQUIRE(name != nullptr);
        CHECK(name() == mutant.name);
        const auto changes = reinterpret_cast<unsigned long long (*)()>(::dlsym(handle, "haruspex_mutant_changes"));
        REQUIRE(changes != nullptr);
        CHECK(changes() == 0);
        // The mutant defines the pass itself, instead of using libHalide's.
        const std::string symbol = "_ZN6Halide8Internal" + std::to_string(mutant.pass.size()) + mutant.pass;
        const std::string listing = "nm -D --defined-only '" + object(mutant.name) + "' | grep -q ' T " + symbol + "'";
        CHECK(std::system(listing.c_str()) == 0);
        ::dlclose(handle);
    }
}

TEST_CASE("a stand-alone program computes the wrong thing with a mutant, and the same without") {
    const auto plain = run_all("");
    REQUIRE(plain.size() == 8);
    for (const auto& [pipeline, result] : plain) {
        INFO(pipeline);
        CHECK(is_number(result));
    }
    CHECK(run_all("") == plain);
    const std::map<std::string, std::string> shown_by{{"bounded_compare", "values"},
                                                      {"cast_pair_collapses", "values"},
                                                      {"clamp_upper_lost", "values"},
                                                      {"difference_of_sum", "values"},
                                                      {"epilogue_skipped", "folding"},
                                                      {"fold_halved", "folding"},
                                                      {"fold_slot_off", "folding"},
                                                      {"lanes_swapped", "updates"},
                                                      {"last_lane_repeats", "folding"},
                                                      {"last_update_lost", "updates"},
                                                      {"load_confused", "folding"},
                                                      {"load_hoisted", "accumulation"},
                                                      {"mod_truncates", "values"},
                                                      {"required_max_short", "folding"},
                                                      {"required_min_late", "folding"},
                                                      {"row_stride_short", "accumulation"},
                                                      {"select_arms_swapped", "values"},
                                                      {"shift_truncates", "values"},
                                                      {"shifted_tail_short", "tuples"},
                                                      {"slide_too_far", "folding"},
                                                      {"steady_state_longer", "accumulation"},
                                                      {"store_predicate_short", "updates"},
                                                      {"stride_ignored", "updates"},
                                                      {"tail_iteration_lost", "accumulation"},
                                                      {"tuple_component_mixed", "tuples"},
                                                      {"tuple_not_atomic", "tuples"},
                                                      {"unroll_last_lost", "accumulation"},
                                                      {"unroll_repeats", "accumulation"},
                                                      {"update_doubled", "accumulation"},
                                                      {"warm_up_short", "folding"},
                                                      {"where_ignored", "updates"},
                                                      {"widening_wraps", "values"}};
    std::size_t reached = 0;
    for (const auto& [mutant, pipeline] : shown_by) {
        INFO(mutant);
        const bool is_in_the_way = is_reached(find(mutant)->pass);
        reached += is_in_the_way ? 1 : 0;
        const std::string wrong = run(mutant, pipeline);
        CHECK((wrong != plain.at(pipeline)) == is_in_the_way);
        // The mutant changes the number; the compiler reports no error.
        CHECK(is_number(wrong));
    }
    CHECK(reached >= 20);
}

TEST_CASE("mutants that fail leave alone what lacks their feature, and fail on what has it") {
    const auto plain = run_all("");
    const std::map<std::string, std::string> fails_on{{"segfault_on_deep_nest", "wide_update"},
                                                      {"error_on_third_update", "wide_update"},
                                                      {"hang_on_many_guards", "guards"},
                                                      {"recursion_on_wide_vector", "wide_update"},
                                                      {"hog_on_many_realizations", "anew"}};
    for (const Mutant& mutant : mutants()) {
        if (mutant.kind == Kind::miscompilation) { continue; }
        INFO(mutant.name);
        REQUIRE(fails_on.contains(mutant.name));
        for (const auto& [pipeline, result] : plain) {
            INFO(pipeline);
            if (pipeline != fails_on.at(mutant.name)) { CHECK(run(mutant.name, pipeline) == result); }
        }
    }
    CHECK(run("segfault_on_deep_nest", "wide_update").empty());
    CHECK(run("recursion_on_wide_vector", "wide_update").empty());
    CHECK(run("error_on_third_update", "wide_update").starts_with("Internal error: "));
    // A run that exceeds these limits would not end.
    CHECK(run("", "guards", "ulimit -t 10") == plain.at("guards"));
    CHECK(run("hang_on_many_guards", "guards", "ulimit -t 10").empty());
    CHECK(run("", "anew", "ulimit -v 3000000") == plain.at("anew"));
    CHECK(run("hog_on_many_realizations", "anew", "ulimit -v 3000000") == "std::bad_alloc");
}

}  // namespace haruspex::halide::mutants::test
