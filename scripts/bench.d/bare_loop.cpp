// The loop that a user would write by hand to fuzz Halide, as a baseline for the pipeline: one process that draws,
// builds, compiles, runs once and compares. No limits, no guard pages, no second run; a crash ends it.
//
//   bench_bare_loop SEED FIRST CASES
//
// Prints "case INDEX" on standard error before each case, so that a crash can be attributed, and finally one line
// "KEY VALUE" for each figure; times are in seconds.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "generators/base/ensure.h"
#include "generators/random/random_case.h"
#include "generators/schedule/halide/language.h"
#include "harness/halide/expressions.h"
#include "harness/halide/program_builder.h"
#include "harness/halide/version.h"
#include "oracle/interp/sare_interpreter.h"

namespace haruspex::bench {
namespace {

using Clock = std::chrono::steady_clock;

class Stopwatch {
public:
    // Adds the time since the last call to this stage.
    void lap(const std::string& stage) {
        const auto now = Clock::now();
        seconds_[stage] += std::chrono::duration<double>(now - last_).count();
        last_ = now;
    }
    const std::map<std::string, double>& seconds() const { return seconds_; }

private:
    Clock::time_point last_ = Clock::now();
    std::map<std::string, double> seconds_;
};

struct Counts {
    std::uint64_t agree = 0, differ = 0, refused = 0, undefined = 0;
};

std::vector<int> narrow(const std::vector<std::int64_t>& values) { return {values.begin(), values.end()}; }

Halide::Buffer<> output_buffer(const interp::OutputValues& expected, Halide::Type type) {
    Halide::Buffer<> buffer(type, narrow(expected.extent));
    buffer.set_min(narrow(expected.min));
    return buffer;
}

// Calls visit(coordinates, address) for each cell, dimension 0 fastest.
template <typename Visit>
void for_each_cell(Halide::Buffer<>& buffer, Visit&& visit) {
    std::vector<std::int64_t> at;
    for (int d = 0; d < buffer.dimensions(); ++d) {
        if (buffer.dim(d).extent() == 0) { return; }
        at.push_back(buffer.dim(d).min());
    }
    auto* bytes = static_cast<unsigned char*>(buffer.data());
    while (true) {
        std::int64_t offset = 0;
        for (int d = 0; d < buffer.dimensions(); ++d) {
            offset += (at[static_cast<std::size_t>(d)] - buffer.dim(d).min()) * buffer.dim(d).stride();
        }
        visit(at, bytes + offset * buffer.type().bytes());
        int d = 0;
        for (; d < buffer.dimensions(); ++d) {
            std::int64_t& coordinate = at[static_cast<std::size_t>(d)];
            if (++coordinate <= buffer.dim(d).max()) { break; }
            coordinate = buffer.dim(d).min();
        }
        if (d == buffer.dimensions()) { return; }
    }
}

void fill(Halide::Buffer<> buffer, const std::string& name, const cases::Case& c) {
    const cases::InputDomain& domain = c.inputs.at(name);
    const int size = buffer.type().bytes();
    for_each_cell(buffer, [&](const std::vector<std::int64_t>& at, unsigned char* cell) {
        const std::uint64_t bits = cases::input_value(c.input_seed, name, domain, at).bit_pattern();
        std::memcpy(cell, &bits, static_cast<std::size_t>(size));
    });
}

// Counts the cells that differ from the expected values.
std::uint64_t differences(Halide::Buffer<>& buffer, const interp::OutputValues& expected, bool strict) {
    std::uint64_t count = 0;
    std::size_t next = 0;
    const int size = buffer.type().bytes();
    for_each_cell(buffer, [&](const std::vector<std::int64_t>&, unsigned char* cell) {
        const value::Value& wanted = expected.cells[next++];
        if (!wanted.is_defined()) { return; }
        std::uint64_t bits = 0;
        std::memcpy(&bits, cell, static_cast<std::size_t>(size));
        const value::Value got = value::Value::from_bits(wanted.type(), bits);
        count += !(strict ? value::same_result(got, wanted) : value::same_number(got, wanted));
    });
    return count;
}

const schedule::Language& language() { return schedule::halide::language(halide::version_major); }

void run_case(std::uint64_t seed, std::uint64_t index, Stopwatch& watch, Counts& counts) {
    const cases::Case c = random::campaign_case(seed, index, {}, language());
    watch.lap("draw");
    const auto expected =
        interp::evaluate_outputs(c.sare, c.sizes, [&](const std::string& input, const std::vector<std::int64_t>& at) {
            return cases::input_value(c.input_seed, input, c.inputs.at(input), at);
        });
    watch.lap("reference");
    if (!expected) {
        ++counts.undefined;
        return;
    }
    try {
        auto program = halide::build_program(c);
        ENSURE(program.has_value(), program ? "" : to_string(program.error()));
        watch.lap("build");
        const Halide::Target target(c.target);
        program->pipeline.compile_jit(target);
        watch.lap("compile");
        std::vector<Halide::Buffer<>> outputs;
        for (const interp::OutputValues& output : *expected) {
            const value::Type type = program->types.at(output.tensor)[static_cast<std::size_t>(output.component)];
            outputs.push_back(output_buffer(output, halide::halide_type(type)));
        }
        Halide::Realization realization(outputs);
        program->pipeline.infer_input_bounds(realization, target);
        for (halide::Input& input : program->inputs) {
            if (input.param.get().defined()) { fill(input.param.get(), input.name, c); }
        }
        watch.lap("inputs");
        program->pipeline.realize(realization, target);
        watch.lap("run");
        std::uint64_t differing = 0;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            differing += differences(outputs[i], (*expected)[i], c.strict_float);
        }
        ++(differing == 0 ? counts.agree : counts.differ);
        watch.lap("compare");
    } catch (const Halide::Error&) {
        ++counts.refused;
        watch.lap("refused");
    }
}

// Loads and initialises the code generator, as the fork server does before its first case.
void warm_up() {
    Halide::Var x;
    Halide::Func f;
    f(x) = x;
    f.vectorize(x, 8);
    f.compile_jit(Halide::Target(std::string(language().default_target())));
}

int run(std::uint64_t seed, std::uint64_t first, std::uint64_t cases) {
    warm_up();
    Stopwatch watch;
    Counts counts;
    const auto begin = Clock::now();
    for (std::uint64_t index = first; index < first + cases; ++index) {
        std::fprintf(stderr, "case %llu\n", static_cast<unsigned long long>(index));
        run_case(seed, index, watch, counts);
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    std::printf("cases %llu\nseconds %.6f\n", static_cast<unsigned long long>(cases), seconds);
    std::printf("agree %llu\ndiffer %llu\nrefused %llu\nundefined %llu\n",
                static_cast<unsigned long long>(counts.agree), static_cast<unsigned long long>(counts.differ),
                static_cast<unsigned long long>(counts.refused), static_cast<unsigned long long>(counts.undefined));
    for (const auto& [stage, time] : watch.seconds()) { std::printf("stage.%s %.6f\n", stage.c_str(), time); }
    return 0;
}

}  // namespace
}  // namespace haruspex::bench

int main(int argc, char* argv[]) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: bench_bare_loop SEED FIRST CASES\n");
        return 2;
    }
    return haruspex::bench::run(std::strtoull(argv[1], nullptr, 10), std::strtoull(argv[2], nullptr, 10),
                                std::strtoull(argv[3], nullptr, 10));
}
