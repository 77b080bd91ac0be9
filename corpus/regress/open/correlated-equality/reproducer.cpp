// A test case of haruspex as a program of its own. For example:
//   g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer
//
// wrong_result: g(4) is 0i32, expected 1i32; 8 of 12 cells differ
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

int main() {
    Param<int> W("W");
    Var x("x"), xi("xi"), xo("xo"), y("y"), z("z");

    Func f("f");
    f(y, z) = y - z == 0;
    Func g("g");
    g(x) = cast<int32_t>(f(x, x));

    g.split(x, xo, xi, 4, TailStrategy::GuardWithIf);
    f.compute_at(g, xo);

    W.set(12);
    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Pipeline pipeline(std::vector<Func>{g});
    Buffer<int32_t> g_out(std::vector<int>{12});
    g_out.set_min(0);
    std::vector<Buffer<>> buffers{g_out};
    Realization outputs(buffers);

    pipeline.realize(outputs, target);

    const int32_t expected = int32_t(1);
    const int32_t actual = g_out(4);
    std::cout << std::setprecision(17) << "g(4) is " << +actual << ", expected " << +expected << "\n";
    return actual == expected ? 0 : 1;
}
