// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiled pipeline fails, with 0 when it runs.
#include <Halide.h>

#include <iostream>

using namespace Halide;

int main() try {
    Param<int> W("W", 2), H("H", 11);
    Var x("x"), y("y"), z("z");
    RVar t("t"), ti("ti"), to("to"), u("u");

    Func f("f");
    f(x, y, z) = 1;
    RDom k(1, H - 1, "f_u0");
    f(x, k, z) = 1;

    f.update(0).parallel(x, 8, TailStrategy::GuardWithIf);
    f.update(0).fuse(x, k, t);
    f.update(0).split(t, to, ti, 4, TailStrategy::GuardWithIf);
    f.update(0).fuse(to, z, u);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<int32_t> f_out(2, 11, 4);
    f_out.set_min(9, 0, 0);
    f.realize(f_out, target);
    std::cout << "no error\n";
} catch (const RuntimeError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
