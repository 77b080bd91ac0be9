// A test case of haruspex as a program of its own. For example:
//   g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer
//
// nondeterminism: g(0, 0) is -23131i16 in the first run and 23130i16 in the second; 14 of 14 cells differ
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
    f(x) = Expr(uint16_t(1));
    Func g("g");
    g(x, y) = cast<int16_t>(f(0));

    f.compute_at(g, x);
    f.unroll(x, 2, TailStrategy::PredicateStores);

    W.set(1);
    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Pipeline pipeline(std::vector<Func>{g});
    Buffer<int16_t> g_out(std::vector<int>{1, 14});
    g_out.set_min(0, 0);
    std::vector<Buffer<>> buffers{g_out};
    Realization outputs(buffers);

    pipeline.realize(outputs, target);

    const int16_t expected = int16_t(-23131);
    const int16_t actual = g_out(0, 0);
    std::cout << std::setprecision(17) << "g(0, 0) is " << +actual << ", expected " << +expected << "\n";
    return actual == expected ? 0 : 1;
}
