// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// An asynchronous producer overwrites cells of its folded storage that its consumer has yet to read, when both slide
// over the input of the producer. Returns 1 when a run gives another result than h(x) = 2*x; nearly every run does.
#include <Halide.h>
#include <cstdio>
using namespace Halide;
int main() {
    Var x("x");
    Func f("f"), g("g"), h("h");
    f(x) = x;
    g(x) = f(x - 1) + f(x + 1);
    h(x) = g(x);
    f.store_root().compute_at(h, x).async();
    g.store_root().compute_at(h, x).async();
    for (int run = 0; run < 100; ++run) {
        Buffer<int> b = h.realize({64}, Target("x86-64-linux-avx-avx2-f16c-fma-sse41"));
        for (int i = 0; i < 64; ++i) {
            if (b(i) != 2 * i) {
                printf("run %d: h(%d) is %d, expected %d\n", run, i, b(i), 2 * i);
                return 1;
            }
        }
    }
    return 0;
}
