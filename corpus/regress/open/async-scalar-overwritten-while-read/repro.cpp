// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
//
// An asynchronous producer of a function without dimensions, stored at the root, does not wait until its consumer has
// read the one cell there is: it computes the next iteration's value in it.
#include <Halide.h>

#include <cstdint>
#include <iostream>

using namespace Halide;

int main() {
    Var x("x");
    RDom r(0, 100, "r");
    Func f("f"), g("g");
    f() = 0;
    f() += r.x;
    g(x) = f();
    f.compute_at(g, x).store_root().async();
    f.update(0).atomic().parallel(r.x, 25);

    Buffer<int32_t> out(64);
    Pipeline pipeline(g);
    pipeline.compile_jit();
    for (int run = 0; run < 2000; ++run) {
        pipeline.realize(out);
        for (int i = 0; i < out.width(); ++i) {
            if (out(i) == 4950) { continue; }
            std::cout << "g(" << i << ") is " << out(i) << " in run " << run << ", expected 4950\n";
            return 1;
        }
    }
    std::cout << "g is 4950 everywhere in all runs\n";
    return 0;
}
