// A test case of haruspex as a program of its own. For example:
//   g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer
//
// wrong_result: f(0) is 2i32, expected 0i32; 8 of 8 cells differ
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
    Var x("x");

    RDom f_min0_r(0, Expr(3) - 1 - 0 + 1, "f_min0_r");
    Func f_min0("f_min0");
    f_min0(x) = Expr(2147483647);
    f_min0(x) = min(f_min0(x), x + f_min0_r[0]);
    Func f("f");
    f(x) = f_min0(x);

    W.set(8);
    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Pipeline pipeline(std::vector<Func>{f});
    Buffer<int32_t> f_out(std::vector<int>{8});
    f_out.set_min(0);
    std::vector<Buffer<>> buffers{f_out};
    Realization outputs(buffers);

    pipeline.realize(outputs, target);

    const int32_t expected = int32_t(0);
    const int32_t actual = f_out(0);
    std::cout << std::setprecision(17) << "f(0) is " << +actual << ", expected " << +expected << "\n";
    return actual == expected ? 0 : 1;
}
