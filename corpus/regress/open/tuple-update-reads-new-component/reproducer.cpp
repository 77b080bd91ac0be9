// A test case of haruspex as a program of its own. For example:
//   g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer
//
// wrong_result: f(0)[1] is 0i8, expected 1i8; 2 of 8 cells differ
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

    Func f("f");
    f(x) = Tuple(Expr(int16_t(1)), Expr(int8_t(1)));
    f(x) = Tuple(cast<int16_t>(x), Expr(int8_t(1)) & cast<int8_t>(f(x)[0]));

    W.set(4);
    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Pipeline pipeline(std::vector<Func>{f});
    Buffer<int16_t> f_out0(std::vector<int>{4});
    f_out0.set_min(0);
    Buffer<int8_t> f_out1(std::vector<int>{4});
    f_out1.set_min(0);
    std::vector<Buffer<>> buffers{f_out0, f_out1};
    Realization outputs(buffers);

    pipeline.realize(outputs, target);

    const int8_t expected = int8_t(1);
    const int8_t actual = f_out1(0);
    std::cout << std::setprecision(17) << "f(0)[1] is " << +actual << ", expected " << +expected << "\n";
    return actual == expected ? 0 : 1;
}
