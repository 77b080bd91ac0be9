// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while f(1) is wrong, with 0 otherwise.
#include <Halide.h>

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

int main() {
    Param<int> W("W", 8);
    ImageParam in0(Float(64), 1, "in0");
    Var x("x");

    Func f("f");
    f(x) = cast<uint16_t>(cast<int16_t>(in0(x)));

    f.vectorize(x, 8);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<uint16_t> f_out(8);
    f.infer_input_bounds(f_out, target);
    Buffer<double> in0_data = in0.get();
    in0_data.for_each_element([&](const int* i) { in0_data(i) = double((int64_t)(hash(7505959603265161121u, i, 1) % 17u - 8u)); });
    f.realize(f_out, target);
    const uint16_t actual = f_out(1), expected = uint16_t(65533);
    std::cout << "f(1) is " << +actual << ", expected " << +expected << "\n";
    return actual != expected;
}
