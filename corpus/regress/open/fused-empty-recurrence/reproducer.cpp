// A test case of haruspex as a program of its own. For example:
//   g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer
//
// over_rejection: Output buffer f is accessed at 1, which is beyond the max (0) in dimension 0
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
    Param<int> H("H");
    Var x("x"), y("y");
    RVar t("t");

    Func f("f");
    f(x, y) = Expr(1);
    RDom f_u0(1, W - 1, "f_u0");
    RVar k = f_u0[0];
    f(k, y) = f(k - 1, y) + 1;

    f.update(0).fuse(k, y, t);

    W.set(1);
    H.set(4);
    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Pipeline pipeline(std::vector<Func>{f});
    Buffer<int32_t> f_out(std::vector<int>{1, 4});
    f_out.set_min(0, 0);
    std::vector<Buffer<>> buffers{f_out};
    Realization outputs(buffers);

    pipeline.realize(outputs, target);

    uint64_t sum = 0xcbf29ce484222325;
    checksum(f_out, sum);
    std::cout << "checksum " << std::hex << sum << "\n";
    return 0;
}
