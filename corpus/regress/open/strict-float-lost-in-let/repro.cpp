// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while f2(10) is wrong, with 0 otherwise.
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

// One cell in four is special.
template <typename T>
T special(uint64_t h, T otherwise) {
    const int zero = 0;
    const uint64_t g = hash(h, &zero, 1);
    const T inf = T(INFINITY), tiny = std::numeric_limits<T>::denorm_min();
    const T values[8] = {T(NAN), T(0), T(-0.0), inf, -inf, tiny, -tiny,
                         std::nextafter(std::numeric_limits<T>::min(), T(0))};
    return g % 4 == 0 ? values[g / 4 % 8] : otherwise;
}

int main() {
    Param<int> K("K", 8), W("W", 24);
    ImageParam in0(Float(64), 1, "in0");
    Var x("x");

    Func f0("f0");
    f0(x) = strict_float(cast<float>(in0(x + 2)));
    Func f1("f1");
    f1(x) = strict_float(cast<int8_t>(f0(2 * x + 2) < Expr(2.0f)) + (Expr(int8_t(-6)) & select(f0(2 * x + 2) < Expr(2.0f), Expr(int8_t(1)), Expr(int8_t(3)))));
    Func f2("f2");
    f2(x) = select(x + 2 * x > 7, cast<int16_t>(f1(x)), Expr(int16_t(32767)));

    f1.compute_at(f2, x);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<int16_t> f2_out(24);
    f2_out.set_min(6);
    f2.infer_input_bounds(f2_out, target);
    Buffer<double> in0_data = in0.get();
    in0_data.for_each_element([&](const int* i) { in0_data(i) = special<double>(hash(5299096359798900496u, i, 1), double((int64_t)(hash(5299096359798900496u, i, 1) % 45u - 22u) * 0x1p-3)); });
    f2.realize(f2_out, target);
    const int16_t actual = f2_out(10), expected = int16_t(2);
    std::cout << "f2(10) is " << +actual << ", expected " << +expected << "\n";
    return actual != expected;
}
