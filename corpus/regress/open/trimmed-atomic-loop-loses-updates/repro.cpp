// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
//
// An atomic update in parallel loses values: the loop over k is trimmed by what f holds, which is read before the lock
// is taken, and then stores without the maximum.
#include <Halide.h>

#include <cstdint>
#include <iostream>

using namespace Halide;

int main() {
    Var x("x");
    RDom r(0, 512, "r");
    RVar k = r.x;
    Func f("f");
    f() = 0;
    f() = max(f(), k);
    f.update(0).atomic().parallel(k, 16);

    Buffer<int32_t> out = Buffer<int32_t>::make_scalar();
    Pipeline pipeline(f);
    pipeline.compile_jit();
    for (int run = 0; run < 200000; ++run) {
        pipeline.realize(out);
        if (out() != 511) {
            std::cout << "f() is " << out() << " in run " << run << ", expected 511\n";
            return 1;
        }
    }
    std::cout << "f() is 511 in all runs\n";
    return 0;
}
