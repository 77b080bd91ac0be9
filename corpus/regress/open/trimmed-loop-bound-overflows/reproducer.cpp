// A test case of haruspex as a program of its own. For example:
//   g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer
//
// wrong_lowering: f(0) is -2147483648i32, expected 11i32; 6 of 8 cells differ
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

const uint64_t seed = 3u;

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
    Param<int> W("W");
    ImageParam in0(type_of<int32_t>(), 1, "in0");
    Var x("x");

    Func f("f");
    f(x) = Expr(int32_t(-2147483647 - 1));
    RDom f_u0(1, 3, "f_u0");
    RVar k = f_u0[0];
    f(x) = max(f(x), in0(x) + k);

    W.set(8);
    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Pipeline pipeline(std::vector<Func>{f});
    Buffer<int32_t> f_out(std::vector<int>{8});
    f_out.set_min(0);
    std::vector<Buffer<>> buffers{f_out};
    Realization outputs(buffers);

    pipeline.infer_input_bounds(outputs, target);
    fill<int32_t>(in0, "in0", -8, 17u);
    pipeline.realize(outputs, target);

    const int32_t expected = int32_t(11);
    const int32_t actual = f_out(0);
    std::cout << std::setprecision(17) << "f(0) is " << +actual << ", expected " << +expected << "\n";
    return actual == expected ? 0 : 1;
}
