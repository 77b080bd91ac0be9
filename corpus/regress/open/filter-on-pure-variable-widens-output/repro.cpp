// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiled pipeline fails, with 0 when it runs.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    Param<int> W("W", 3), D("D", 2);
    Var x("x"), z("z");

    Func f("f");
    f(x, z) = Expr(1.0f);
    RDom k(2, 3, "f_u0");
    k.where(z == 7);
    f(x, z) = cast<float>(k);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<float> f_out(3, 2);
    f.realize(f_out, target);
    std::cout << "no error\n";
} catch (const RuntimeError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
