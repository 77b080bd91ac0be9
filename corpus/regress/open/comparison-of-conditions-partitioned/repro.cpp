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
    ImageParam in0(Bool(), 0, "in0");
    Var x("x"), xi("xi"), xo("xo");

    Func f("f");
    f(x) = select((x > 1) == (x <= 0), Expr(1), cast<int32_t>(in0()));

    f.split(x, xo, xi, 2, TailStrategy::PredicateLoads);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<int32_t> f_out(2);
    f.infer_input_bounds(f_out, target);
    Buffer<bool> in0_data = in0.get();
    in0_data.for_each_element([&](const int* i) { in0_data(i) = bool(hash(2031964260695150106u, i, 0) % 2u); });
    f.realize(f_out, target);
    const int32_t actual = f_out(1), expected = int32_t(1);
    std::cout << "f(1) is " << +actual << ", expected " << +expected << "\n";
    return actual != expected;
}
