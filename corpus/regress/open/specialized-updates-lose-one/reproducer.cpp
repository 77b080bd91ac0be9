// A test case of haruspex as a program of its own. For example:
//   g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer
//
// wrong_result: f(0) is true, expected false; 18 of 18 cells differ
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
    f(x) = Internal::const_true();
    f(x) = Internal::const_true();
    f(x) = Internal::const_false();

    Stage f_update0_special0 = f.update(0).specialize(W >= 16);
    Stage f_update1_special0 = f.update(1).specialize(W < 11);

    W.set(18);
    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Pipeline pipeline(std::vector<Func>{f});
    Buffer<bool> f_out(std::vector<int>{18});
    f_out.set_min(0);
    std::vector<Buffer<>> buffers{f_out};
    Realization outputs(buffers);

    pipeline.realize(outputs, target);

    const bool expected = false;
    const bool actual = f_out(0);
    std::cout << std::setprecision(17) << "f(0) is " << +actual << ", expected " << +expected << "\n";
    return actual == expected ? 0 : 1;
}
