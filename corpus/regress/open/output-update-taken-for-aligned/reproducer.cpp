// g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer
// A vectorised update of an output loads the output with instructions that demand an alignment of 32 bytes; this
// output has the alignment of its elements, which is all that Halide asks of a host pointer by default.
#include <Halide.h>
#include <cstdio>
using namespace Halide;
int main() {
    Var x("x");
    Func f("f");
    f(x) = cast<int64_t>(1);
    f(x) = max(f(x), cast<int64_t>(x));
    f.update(0).vectorize(x, 4, TailStrategy::GuardWithIf);
    const int W = 64;
    alignas(64) static int64_t memory[W + 1];
    Buffer<int64_t> b(memory + 1, W);
    f.realize(b, Target("x86-64-linux-avx-avx2-f16c-fma-sse41"));
    puts("done");
}
