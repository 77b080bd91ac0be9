// A test case of haruspex as a program of its own. For example:
//   g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer
//
// nondeterminism: g(2, 0) is 1263225674i32 in the first run and -1263225676i32 in the second; 3 of 3 cells differ
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
    Param<int> H("H");
    Var x("x"), y("y");

    Func f("f");
    f(x) = x;
    Func g("g");
    g(x, y) = f(y) + f(x);

    g.reorder(y, x);
    f.compute_at(g, x);
    f.store_root();

    W.set(1);
    H.set(3);
    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Pipeline pipeline(std::vector<Func>{g});
    Buffer<int32_t> g_out(std::vector<int>{1, 3});
    g_out.set_min(2, 0);
    std::vector<Buffer<>> buffers{g_out};
    Realization outputs(buffers);

    pipeline.realize(outputs, target);

    const int32_t expected = int32_t(1263225674);
    const int32_t actual = g_out(2, 0);
    std::cout << std::setprecision(17) << "g(2, 0) is " << +actual << ", expected " << +expected << "\n";
    return actual == expected ? 0 : 1;
}
