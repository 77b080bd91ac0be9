// g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer
// PredicateLoads on a tile, vectorised inside: the loads of rows and columns beyond the end are not guarded, and read
// behind the input, which ends at an unmapped page here.
#include <Halide.h>
#include <sys/mman.h>
#include <cstdio>
using namespace Halide;
int main() {
    Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
    ImageParam in(Int(32), 2, "in");
    Func f("f"), g("g");
    f(x, y) = in(x, y);
    g(x, y) = f(x, y);
    f.compute_root().tile(x, y, xo, yo, xi, yi, 8, 4, TailStrategy::PredicateLoads).vectorize(xi);
    const int W = 17, H = 3;
    char* p = (char*)mmap(nullptr, 3 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(p + 4096, 4096, PROT_READ | PROT_WRITE);
    Buffer<int> b((int*)(p + 8192) - W * H, W, H);
    in.set(b);
    g.realize({W, H}, Target("x86-64-linux-avx-avx2-f16c-fma-sse41"));
    puts("done");
}
