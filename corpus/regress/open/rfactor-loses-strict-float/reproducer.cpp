// A test case of haruspex as a program of its own. For example:
//   g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer
//
// wrong_result: f(0) is 0.0f32, expected -0.0f32; 24 of 24 cells differ
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

// The same bits, or both NaN.
template <typename T>
bool same(T a, T b) {
    return std::isnan(a) ? std::isnan(b) : std::memcmp(&a, &b, sizeof(T)) == 0;
}

int main() {
    Param<int> W("W");
    Param<int> L("L");
    Var u("u"), x("x");
    RVar li("li"), lo("lo");

    Func f("f");
    f(x) = strict_float(Expr(1.0f));
    RDom f_u0(-1, L, -2, 7, "f_u0");
    RVar l = f_u0[0], k = f_u0[1];
    f(x) = strict_float(f(x) * (Expr(1.0f) + cast<float>(k)));

    f.update(0).split(l, lo, li, 3);
    Func f_intm = f.update(0).rfactor({{lo, u}});

    W.set(24);
    L.set(3);
    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Pipeline pipeline(std::vector<Func>{f});
    Buffer<float> f_out(std::vector<int>{24});
    f_out.set_min(0);
    std::vector<Buffer<>> buffers{f_out};
    Realization outputs(buffers);

    pipeline.realize(outputs, target);

    const float expected = -0.0f;
    const float actual = f_out(0);
    std::cout << std::setprecision(17) << "f(0) is " << +actual << ", expected " << +expected << "\n";
    return same(actual, expected) ? 0 : 1;
}
