// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 when two runs differ. The bug need not show in every run: 0 says little.
#include <Halide.h>

#include <cstring>
#include <iostream>
#include <string>

using namespace Halide;

// Memory that nothing was written to yet holds other bytes in each run.
int garbage = 0xa5;
void* allocate(JITUserContext*, size_t size) {
    return memset(aligned_alloc(128, (size + 255) / 128 * 128), garbage, size);
}
void release(JITUserContext*, void*) {}

int main() {
    Var y("y");

    Func f("f");
    f() = 1;
    Func g("g");
    g(y) = f();

    f.compute_at(g, y);
    f.store_root();
    f.async();

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<int32_t> g_out(2);
    g.jit_handlers().custom_malloc = allocate;
    g.jit_handlers().custom_free = release;
    std::string first;
    for (int run = 0; run < 500; run++) {
        garbage ^= 0xff;
        memset(g_out.data(), garbage, g_out.size_in_bytes());
        g.realize(g_out, target);
        std::string now;
        now.append((char*)g_out.data(), g_out.size_in_bytes());
        if (run == 0) { first = now; }
        if (now != first) {
            std::cout << "run " << run << " differs from the first, expected none to\n";
            return 1;
        }
    }
    std::cout << "all runs agree\n";
}
