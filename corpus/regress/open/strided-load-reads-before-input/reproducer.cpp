// g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer
// A vectorised load of every third element of an input reads before the input's first element, which follows an
// unmapped page here.
#include <Halide.h>
#include <sys/mman.h>
#include <cstdio>
using namespace Halide;
int main() {
    Var x("x");
    ImageParam in(Float(32), 1, "in");
    Func f("f");
    f(x) = in(3 * x - 1);
    f.vectorize(x, 4);
    const int W = 4, N = 3 * (W - 1) + 1;
    char* p = (char*)mmap(nullptr, 3 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(p + 4096, 4096, PROT_READ | PROT_WRITE);
    Buffer<float> b((float*)(p + 4096), N);
    b.set_min(-1);
    in.set(b);
    f.realize({W}, Target("x86-64-linux-avx-avx2-f16c-fma-sse41"));
    puts("done");
}
