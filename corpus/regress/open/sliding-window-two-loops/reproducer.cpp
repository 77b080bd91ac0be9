// A test case of haruspex as a program of its own. For example:
//   g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer
//
// nondeterminism: g(0, 0, 0) is -1515870809i32 in the first run and 1515870812i32 in the second; 1 of 98 cells differ
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
    Var x("x"), y("y"), z("z");

    Func f("f");
    f(x, y, z) = y;
    Func g("g");
    g(x, y, z) = Expr(1);
    RDom g_u0(2, 6, "g_u0");
    RVar k = g_u0[0];
    g(x, y, z) = f(0, 3 * y + 2, z) + f(x, k - 2, z);

    f.compute_at(g, k);
    f.store_root();

    W.set(1);
    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Pipeline pipeline(std::vector<Func>{g});
    Buffer<int32_t> g_out(std::vector<int>{1, 14, 7});
    g_out.set_min(0, 0, 0);
    std::vector<Buffer<>> buffers{g_out};
    Realization outputs(buffers);

    pipeline.realize(outputs, target);

    const int32_t expected = int32_t(-1515870809);
    const int32_t actual = g_out(0, 0, 0);
    std::cout << std::setprecision(17) << "g(0, 0, 0) is " << +actual << ", expected " << +expected << "\n";
    return actual == expected ? 0 : 1;
}
