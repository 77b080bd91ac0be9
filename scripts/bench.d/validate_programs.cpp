// Times the validator on growing programs (scripts/bench-validator): chains of tiled stencils, nests of repeated
// tiling, and a matrix product that is tiled and unrolled. Prints tables; all programs must be validated.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

#include "generators/base/ensure.h"
#include "generators/sare/text.h"
#include "harness/sched/text.h"
#include "oracle/validator/validator.h"

using namespace haruspex;

namespace {

struct Pair {
    std::string specification, program;
};

// A three-point stencil in n stages, each over the whole line, in tiles of 8 with a guarded tail.
Pair chain(int n) {
    const auto name = [](int k) { return "s" + std::to_string(k); };
    Pair pair;
    pair.specification = "sare chain(N) assuming N >= 1 {\n  input s0 : u32[1]\n";
    pair.program =
        "sched chain(N) {\n  input s0 : u32[N + " + std::to_string(2 * n) + " from -" + std::to_string(n) + "];\n";
    pair.program += "  output out for " + name(n) + " : u32[N];\n";
    for (int k = 1; k < n; ++k) {
        const std::string halo = std::to_string(n - k);
        pair.program += "  allocate a" + std::to_string(k) + " : u32[N + 2*" + halo + " from -" + halo + "];\n";
    }
    for (int k = 1; k <= n; ++k) {
        const std::string before = name(k - 1), halo = std::to_string(n - k);
        pair.specification +=
            "  " + name(k) + "(x) = " + before + "(x - 1) + " + before + "(x) + " + before + "(x + 1)\n";
        const std::string from = k == 1 ? "s0" : "a" + std::to_string(k - 1);
        const std::string to = k == n ? "out" : "a" + std::to_string(k);
        pair.program += "  for t in [0, (N + 2*" + halo + " + 7)/8) { for i in [0, 8) {\n    let x = 8*t + i - " +
                        halo + ";\n    if x < N + " + halo + " { " + to + "[x] {" + name(k) + "(x)} := " + from +
                        "[x - 1] + " + from + "[x] + " + from + "[x + 1]; }\n  } }\n";
    }
    pair.specification += "  output " + name(n) + " on { [x] : 0 <= x < N }\n}\n";
    pair.program += "}\n";
    return pair;
}

// A pointwise copy of a plane whose two loops are split repeatedly, into `depth` loops.
Pair nest(int depth) {
    Pair pair;
    pair.specification =
        "sare nest(W, H) assuming W >= 1 and H >= 1 {\n  input a : u32[2]\n  f(x, y) = a(x, y) + 1u32\n"
        "  output f on { [x, y] : 0 <= x < W and 0 <= y < H }\n}\n";
    pair.program = "sched nest(W, H) {\n  input a : u32[W, H];\n  output f : u32[W, H];\n";
    std::string end;
    for (const std::string v : {"x", "y"}) {
        const std::string size = v == "x" ? "W" : "H";
        const int levels = depth / 2;
        // The outermost loop runs over blocks of 4^(levels - 1), each inner loop over the 4 parts of a block.
        int block = 1;
        for (int level = 1; level < levels; ++level) { block *= 4; }
        std::string index;
        for (int level = levels; level >= 1; --level) {
            const std::string loop = v + std::to_string(level);
            const std::string extent =
                level < levels ? "4" : "(" + size + " + " + std::to_string(block - 1) + ")/" + std::to_string(block);
            pair.program += "for " + loop + " in [0, " + extent + ") { ";
            index = level == levels ? loop : "4*(" + index + ") + " + loop;
            end += " }";
        }
        pair.program += "let " + v + " = " + index + "; if " + v + " < " + size + " { ";
        end += " }";
    }
    pair.program += "f[x, y] {f(x, y)} := a[x, y] + 1u32;" + end + "\n}\n";
    return pair;
}

const std::string matmul =
    "sare gemm(N, M, P) assuming N >= 1 and M >= 1 and P >= 1 and N % 4 = 0 and M % 4 = 0 and P % 8 = 0 {\n"
    "  input A : u32[2]\n  input B : u32[2]\n  D(i, j) = 0u32\n"
    "  update D(i, j) = D(i, j) + A(i, k) * B(k, j) over k in [0, P)\n"
    "  output D on { [i, j] : 0 <= i < N and 0 <= j < M }\n}\n";
const std::string arrays =
    "sched gemm(N, M, P) {\n  input a for A : u32[N, P];\n  input b for B : u32[P, M];\n  output d for D : u32[N, "
    "M];\n";
const std::string clear = "  for i in [0, N) { for j in [0, M) { d[i, j] {D.0(i, j)} := 0u32; } }\n";

std::string step(const std::string& i, const std::string& j, const std::string& k) {
    return "d[" + i + ", " + j + "] {D.1(" + i + ", " + j + ", " + k + ")} := d[" + i + ", " + j + "] + a[" + i + ", " +
           k + "] * b[" + k + ", " + j + "];\n";
}

Pair untiled() {
    return {matmul, arrays + clear + "  for i in [0, N) { for j in [0, M) { for k in [0, P) { " + step("i", "j", "k") +
                        " } } }\n}\n"};
}

Pair tiled(bool is_written_out) {
    std::string body;
    if (is_written_out) {
        for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 4; ++j) {
                body += step("4*it + " + std::to_string(i), "4*jt + " + std::to_string(j), "8*kt + k");
            }
        }
    } else {
        body = "unrolled i in [0, 4) { unrolled j in [0, 4) { " + step("4*it + i", "4*jt + j", "8*kt + k") + " } }";
    }
    return {matmul, arrays + clear +
                        "  for it in [0, N/4) { for jt in [0, M/4) { for kt in [0, P/8) { for k in [0, 8) {\n" + body +
                        "  } } } }\n}\n"};
}

struct Time {
    double milliseconds = 0;
    validator::Verdict verdict;
};

Time validated(const std::string& what, const Pair& pair, int repetitions) {
    const auto sare = sare::parse_sare(pair.specification, what);
    if (!sare) { raise_internal_error(__FILE__, __LINE__, to_string(sare.error())); }
    const auto program = sched::parse_program(pair.program, what);
    if (!program) { raise_internal_error(__FILE__, __LINE__, to_string(program.error()) + "\n" + pair.program); }
    std::vector<double> times;
    Time time;
    for (int r = 0; r < repetitions; ++r) {
        const auto begin = std::chrono::steady_clock::now();
        time.verdict = validator::validate(*sare, *program);
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    }
    std::ranges::sort(times);
    time.milliseconds = times[times.size() / 2];
    std::cout << what << "\t" << time.milliseconds << " ms\t" << validator::name(time.verdict.outcome) << "\t"
              << time.verdict.judgements.size() << " obligations\n";
    return time;
}

}  // namespace

int main(int argc, char** argv) {
    const int repetitions = argc > 1 ? std::stoi(argv[1]) : 5;
    bool all = true;
    const auto run = [&](const std::string& what, const Pair& pair) {
        const Time time = validated(what, pair, repetitions);
        all = all && time.verdict.outcome == validator::Outcome::validated;
        return time.milliseconds;
    };
    std::vector<std::pair<double, double>> points;
    for (const int n : {1, 4, 8, 16, 32}) {
        points.emplace_back(std::log(n), std::log(run("chain of " + std::to_string(n), chain(n))));
    }
    // The growth between the two longest chains, where constant costs matter least, and over all by least squares.
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (const auto& [x, y] : points) {
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    const double count = static_cast<double>(points.size());
    std::cout << "chains grow with the power " << (count * sxy - sx * sy) / (count * sxx - sx * sx) << " over all, "
              << (points[4].second - points[3].second) / (points[4].first - points[3].first)
              << " from 16 to 32 (goal: at most 1.3)\n";
    for (const int depth : {2, 4, 6, 8}) { run("nest of depth " + std::to_string(depth), nest(depth)); }
    const double plain = run("matrix product", untiled());
    const double loops = run("matrix product, tiled, unrolled loops", tiled(false));
    const double written = run("matrix product, tiled, written out", tiled(true));
    std::cout << "tiled and unrolled over untiled: " << loops / plain << " as loops, " << written / plain
              << " written out (goal: at most 2)\n";
    return all ? 0 : 1;
}
