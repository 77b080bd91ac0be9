// A test case of haruspex as a program of its own. For example:
//   g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer
//
// wrong_result: f2(10) is 1i16, expected 2i16; 1 of 24 cells differ
//
// Returns 1 while the cell below differs, 0 when it is as expected.
#include <Halide.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

using namespace Halide;

const uint64_t seed = 2770675452u;

// A cell of an input is a hash of the seed, the input's name and its indices.
uint64_t mix(uint64_t z) {
    z += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

// Cells are (low + hash mod count) * 2^-scale; count 0 stands for 2^64.
template <typename T>
void fill(ImageParam &param, const std::string &name, uint64_t low, uint64_t count, int scale = 0, bool special = false) {
    Buffer<T> buffer = param.get();
    if (!buffer.defined()) { return; }  // nothing reads it
    uint64_t start = 0xcbf29ce484222325;
    for (unsigned char c : name) { start = (start ^ c) * 0x100000001b3; }
    buffer.for_each_element([&](const int *index) {
        uint64_t h = mix(seed ^ start);
        for (int d = 0; d < buffer.dimensions(); d++) { h = mix(h ^ (uint64_t)(int64_t)index[d]); }
        uint64_t n = low + (count == 0 ? h : h % count);
        if constexpr (std::is_floating_point<T>::value) {
            using Limits = std::numeric_limits<T>;
            const T specials[8] = {Limits::quiet_NaN(),  T(0),  -T(0), Limits::infinity(), -Limits::infinity(),
                                   Limits::denorm_min(), -Limits::denorm_min(), std::nextafter(Limits::min(), T(0))};
            uint64_t g = mix(h);
            buffer(index) = special && g % 4 == 0 ? specials[g / 4 % 8] : T(std::ldexp((double)(int64_t)n, -scale));
        } else {
            buffer(index) = T(n);
        }
    });
}

int main() {
    Param<int> K("K");
    Param<int> W("W");
    ImageParam in0(type_of<double>(), 1, "in0");
    Var x("x");

    Func f0("f0");
    f0(x) = strict_float(cast<float>(in0(x + 2)));
    Func f1("f1");
    f1(x) = strict_float(cast<int8_t>(f0(2 * x + 2) < Expr(2.0f)) + (Expr(int8_t(-6)) & select(f0(2 * x + 2) < Expr(2.0f), Expr(int8_t(1)), Expr(int8_t(3)))));
    Func f2("f2");
    f2(x) = select(x + 2 * x > 7, cast<int16_t>(f1(x)), Expr(int16_t(32767)));

    f1.compute_at(f2, x);

    K.set(8);
    W.set(24);
    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Pipeline pipeline(std::vector<Func>{f2});
    Buffer<int16_t> f2_out(std::vector<int>{24});
    f2_out.set_min(6);
    std::vector<Buffer<>> buffers{f2_out};
    Realization outputs(buffers);

    pipeline.infer_input_bounds(outputs, target);
    fill<double>(in0, "in0", -22, 45u, 3, true);
    pipeline.realize(outputs, target);

    const int16_t expected = int16_t(2);
    const int16_t actual = f2_out(10);
    std::cout << std::setprecision(17) << "f2(10) is " << +actual << ", expected " << +expected << "\n";
    return actual == expected ? 0 : 1;
}
