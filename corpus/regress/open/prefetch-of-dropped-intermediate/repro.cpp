// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiler fails, with 0 when it compiles.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    Var u("u"), x("x");

    Func f0("f0");
    f0(x) = 1;
    RDom k(0, 1, "f0_u0");
    f0(k) = f0(k) + 0;

    Func f0_intm = f0.update(0).rfactor({{k, u}});
    f0_intm.compute_root();
    f0.update(0).prefetch(f0_intm, x, x, 0);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    f0.compile_jit(target);
    std::cout << "no error\n";
} catch (const InternalError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
