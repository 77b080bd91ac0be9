// g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer
// An atomic update on an output with padded strides: the mutex array has one entry for each cell, but is indexed by the
// strided offset of the store. Out of bounds of the heap.
#include <Halide.h>
#include <sys/mman.h>
#include <cstdio>
#include <cstdlib>
using namespace Halide;
struct C : JITUserContext {};
int main(int argc, char** argv) {
    Var x("x"), y("y");
    RDom r(0, 4, "r");
    Func f("f");
    f(x, y) = Tuple(x, y);
    f(x, y) = Tuple(f(x, y)[1] + r, f(x, y)[0] * 2);
    f.update().atomic(true).parallel(y);
    const int W = 4, H = 64, S = argc > 1 ? atoi(argv[1]) : 1000;
    std::vector<int> a(S * H), b(S * H);
    halide_dimension_t dims[2] = {{0, W, 1}, {0, H, S}};
    Buffer<int> ba(a.data(), 2, dims), bb(b.data(), 2, dims);
    Realization out({ba, bb});
    f.realize(out, Target("x86-64-linux-avx-avx2-f16c-fma-sse41"));
    puts("done");
}
