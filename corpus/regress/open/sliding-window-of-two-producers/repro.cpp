// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiler fails, with 0 when it compiles.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    Var u("u"), x("x"), xi("xi"), xo("xo");

    Func f_intm1("f_intm1");
    f_intm1(x, u) = 1;
    Func f("f");
    f(x) = 1;
    RDom k(0, 0, "f_u0");
    f(x) = f_intm1(x, k);
    Func g("g");
    g(x) = f(x);

    f.update(0).reorder(x, k);
    f.update(0).split(x, xo, xi, 2);
    Stage f_update0_special0 = f.update(0).specialize(Internal::const_false());
    f_intm1.compute_at(f, k);
    f_intm1.store_root();

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    g.compile_jit(target);
    std::cout << "no error\n";
} catch (const InternalError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
