// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while f1(1) depends on what the memory held before, with 0 otherwise.
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
    Var x("x");

    Func f0("f0");
    f0(x) = 1;
    f0(x) = 1;
    Func f1("f1");
    f1(x) = 1;

    f1.compute_with(f0.update(0), x);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Pipeline pipeline({f0, f1});
    Buffer<int32_t> f0_out(1);
    Buffer<int32_t> f1_out(2);
    pipeline.jit_handlers().custom_malloc = allocate;
    pipeline.jit_handlers().custom_free = release;
    int32_t found[2];
    for (int run = 0; run < 2; run++) {
        garbage ^= 0xff;
        memset(f0_out.data(), garbage, f0_out.size_in_bytes());
        memset(f1_out.data(), garbage, f1_out.size_in_bytes());
        pipeline.realize({f0_out, f1_out}, target);
        found[run] = f1_out(1);
    }
    std::cout << "f1(1) is " << +found[0] << " and then " << +found[1] << ", expected 1" << "\n";
    return memcmp(&found[0], &found[1], sizeof found[0]) != 0;
}
