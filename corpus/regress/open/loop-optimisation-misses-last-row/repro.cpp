// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while f1(-2, 15) depends on what the memory held before, with 0 otherwise.
#include <Halide.h>

#include <cstring>
#include <iostream>

using namespace Halide;

// A cell of an input holds a hash of its indices.
uint64_t hash(uint64_t h, const int* index, int rank) {
    for (int d = 0; d < rank; d++) {
        h = (h ^ (uint64_t)index[d]) + 0x9e3779b97f4a7c15;
        h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9;
        h = (h ^ (h >> 27)) * 0x94d049bb133111eb;
        h ^= h >> 31;
    }
    return h;
}

// Memory that nothing was written to yet holds other bytes in each run.
int garbage = 0xa5;
void* allocate(JITUserContext*, size_t size) {
    return memset(aligned_alloc(128, (size + 255) / 128 * 128), garbage, size);
}
void release(JITUserContext*, void*) {}

int main() {
    Param<int> K("K", 1), W("W", 1);
    ImageParam in0(Float(32), 2, "in0");
    Var x("x"), y("y");

    Func f0("f0");
    f0(x, y) = in0(0, (y + 1) % 5) + in0(max(min(x + 1, K - 1), Expr(-1)), 0);
    Func f1("f1");
    f1(x, y) = f0(x + 2, 0) + f0(x, y);

    f1.parallel(y, 8, TailStrategy::GuardWithIf);
    f0.compute_at(f1, x);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<float> f1_out(1, 24);
    f1_out.set_min(-2, 0);
    f1.infer_input_bounds(f1_out, target);
    Buffer<float> in0_data = in0.get();
    in0_data.for_each_element([&](const int* i) { in0_data(i) = float((int64_t)(hash(3133794159102551441u, i, 2) % 5u - 2u) * 0x1p-3); });
    f1.jit_handlers().custom_malloc = allocate;
    f1.jit_handlers().custom_free = release;
    float found[2];
    for (int run = 0; run < 2; run++) {
        garbage ^= 0xff;
        memset(f1_out.data(), garbage, f1_out.size_in_bytes());
        f1.realize(f1_out, target);
        found[run] = f1_out(-2, 15);
    }
    std::cout << "f1(-2, 15) is " << +found[0] << " and then " << +found[1] << ", expected 0.5" << "\n";
    return memcmp(&found[0], &found[1], sizeof found[0]) != 0;
}
