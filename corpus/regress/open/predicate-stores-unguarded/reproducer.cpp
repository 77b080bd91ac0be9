// A test case of haruspex as a program of its own. For example:
//   g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer
//
// over_rejection: Output buffer f.0 is accessed at 19, which is beyond the max (14) in dimension 0
// Where: first run
//
// Returns 0 when everything compiles and runs.
#include <Halide.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

using namespace Halide;

template <typename T>
void checksum(Buffer<T> &buffer, uint64_t &sum) {
    buffer.for_each_element([&](const int *index) {
        unsigned char bytes[sizeof(T)];
        std::memcpy(bytes, &buffer(index), sizeof(T));
        for (unsigned char byte : bytes) { sum = (sum ^ byte) * 0x100000001b3; }
    });
}

int main() {
    Param<int> W("W");
    Var x("x"), xi("xi"), xo("xo"), xoi("xoi"), xoo("xoo");

    Func f("f");
    f(x) = Tuple(Expr(1), Expr(int64_t(1)));

    f.split(x, xo, xi, 5, TailStrategy::RoundUp);
    f.split(xo, xoo, xoi, 2, TailStrategy::PredicateStores);

    W.set(15);
    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Pipeline pipeline(std::vector<Func>{f});
    Buffer<int32_t> f_out0(std::vector<int>{15});
    f_out0.set_min(0);
    Buffer<int64_t> f_out1(std::vector<int>{15});
    f_out1.set_min(0);
    std::vector<Buffer<>> buffers{f_out0, f_out1};
    Realization outputs(buffers);

    pipeline.realize(outputs, target);

    uint64_t sum = 0xcbf29ce484222325;
    checksum(f_out0, sum);
    checksum(f_out1, sum);
    std::cout << "checksum " << std::hex << sum << "\n";
    return 0;
}
