// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while f(8) is wrong, with 0 otherwise.
#include <Halide.h>

#include <cmath>
#include <iomanip>
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
    Param<int> W("W", 256);
    ImageParam in0(Float(64), 1, "in0");
    Var x("x");

    Func f("f");
    f(x) = strict_float(abs(in0(x)));

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<double> f_out(256);
    f.infer_input_bounds(f_out, target);
    Buffer<double> in0_data = in0.get();
    in0_data.for_each_element([&](const int* i) { in0_data(i) = special<double>(hash(16234582838677692412u, i, 1), double((int64_t)(hash(16234582838677692412u, i, 1) % 17u - 8u))); });
    f.realize(f_out, target);
    const double actual = f_out(8), expected = 0.0;
    std::cout << std::setprecision(17) << "f(8) is " << +actual << ", expected " << +expected << "\n";
    return actual != 0 || std::signbit(actual) != std::signbit(expected);
}
