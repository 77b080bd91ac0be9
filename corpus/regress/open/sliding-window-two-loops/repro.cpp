// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while g(0, 0, 0) depends on what the memory held before, with 0 otherwise.
#include <Halide.h>

#include <cstring>
#include <iostream>

using namespace Halide;

// Memory that nothing was written to yet holds other bytes in each run.
int garbage = 0xa5;
void* allocate(JITUserContext*, size_t size) {
    return memset(aligned_alloc(128, (size + 255) / 128 * 128), garbage, size);
}
void release(JITUserContext*, void*) {}

int main() {
    Param<int> W("W", 1);
    Var x("x"), y("y"), z("z");

    Func f("f");
    f(x, y, z) = y;
    Func g("g");
    g(x, y, z) = 1;
    RDom k(2, 6, "g_u0");
    g(x, y, z) = f(0, 3 * y + 2, z) + f(x, k - 2, z);

    f.compute_at(g, k);
    f.store_root();

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<int32_t> g_out(1, 14, 7);
    g.jit_handlers().custom_malloc = allocate;
    g.jit_handlers().custom_free = release;
    int32_t found[2];
    for (int run = 0; run < 2; run++) {
        garbage ^= 0xff;
        memset(g_out.data(), garbage, g_out.size_in_bytes());
        g.realize(g_out, target);
        found[run] = g_out(0, 0, 0);
    }
    std::cout << "g(0, 0, 0) is " << +found[0] << " and then " << +found[1] << ", expected 7" << "\n";
    return memcmp(&found[0], &found[1], sizeof found[0]) != 0;
}
