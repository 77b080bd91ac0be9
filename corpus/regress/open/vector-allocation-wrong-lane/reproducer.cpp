// A test case of haruspex as a program of its own. For example:
//   g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer
//
// nondeterminism: g(8) is 1515870819i32 in the first run and -1515870802i32 in the second; 3 of 16 cells differ
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
    Var x("x"), y("y");

    Func f("f");
    f(x, y) = x;
    Func g("g");
    g(x) = f(x, (x - 2) % 8) - f(x % 7, x);

    g.bound(x, -4, 16);
    g.vectorize(x);
    f.compute_at(g, x);

    W.set(1);
    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Pipeline pipeline(std::vector<Func>{g});
    Buffer<int32_t> g_out(std::vector<int>{16});
    g_out.set_min(-4);
    std::vector<Buffer<>> buffers{g_out};
    Realization outputs(buffers);

    pipeline.realize(outputs, target);

    const int32_t expected = int32_t(1515870819);
    const int32_t actual = g_out(8);
    std::cout << std::setprecision(17) << "g(8) is " << +actual << ", expected " << +expected << "\n";
    return actual == expected ? 0 : 1;
}
