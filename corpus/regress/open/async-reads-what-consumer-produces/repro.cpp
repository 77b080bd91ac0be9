// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// An asynchronous producer reads a function that is not asynchronous and is computed in the same loop: by the task of
// the consumer, for which it does not wait. Returns 1 when a run gives another result than h(x) = 4*x + 2; nearly every
// run does.
#include <Halide.h>
#include <cstdio>
using namespace Halide;
int main() {
    Var x("x");
    Func f("f"), g("g"), h("h");
    f(x) = x;
    g(x) = f(x - 1) + f(x + 1);
    h(x) = g(x) + g(x + 1);
    f.store_root().compute_at(h, x);
    g.store_root().compute_at(h, x).async();
    for (int run = 0; run < 100; ++run) {
        Buffer<int> b = h.realize({64}, Target("x86-64-linux-avx-avx2-f16c-fma-sse41"));
        for (int i = 0; i < 64; ++i) {
            if (b(i) != 4 * i + 2) {
                printf("run %d: h(%d) is %d, expected %d\n", run, i, b(i), 4 * i + 2);
                return 1;
            }
        }
    }
    return 0;
}
