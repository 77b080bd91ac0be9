// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide21 -lHalide21 && ./repro
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
    Var x("x");

    Func f0("f0");
    f0() = 1;
    Func f1("f1");
    f1(x) = f0();

    f0.compute_at(f1, x);
    f0.hoist_storage_root();
    f0.ring_buffer(1);
    f0.async();

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<int32_t> f1_out(2);
    f1.jit_handlers().custom_malloc = allocate;
    f1.jit_handlers().custom_free = release;
    std::string first;
    for (int run = 0; run < 500; run++) {
        garbage ^= 0xff;
        memset(f1_out.data(), garbage, f1_out.size_in_bytes());
        f1.realize(f1_out, target);
        std::string now;
        now.append((char*)f1_out.data(), f1_out.size_in_bytes());
        if (run == 0) { first = now; }
        if (now != first) {
            std::cout << "run " << run << " differs from the first, expected none to\n";
            return 1;
        }
    }
    std::cout << "all runs agree\n";
}
