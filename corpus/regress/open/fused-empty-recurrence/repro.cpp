// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiled pipeline fails, with 0 when it runs.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    Param<int> W("W", 1), H("H", 4);
    Var x("x"), y("y");
    RVar t("t");

    Func f("f");
    f(x, y) = 1;
    RDom k(1, W - 1, "f_u0");
    f(k, y) = f(k - 1, y) + 1;

    f.update(0).fuse(k, y, t);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<int32_t> f_out(1, 4);
    f.realize(f_out, target);
    std::cout << "no error\n";
} catch (const RuntimeError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
