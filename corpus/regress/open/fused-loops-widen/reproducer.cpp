// A test case of haruspex as a program of its own. For example:
//   g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer
//
// over_rejection: Output buffer f is accessed at -11, which is before the min (0) in dimension 2
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
    Var x("x"), y("y"), z("z");
    RVar t("t"), ti("ti"), to("to"), u("u");

    Func f("f");
    f(x, y, z) = Expr(1);
    RDom f_u0(1, H - 1, "f_u0");
    RVar k = f_u0[0];
    f(x, k, z) = Expr(1);

    f.update(0).parallel(x, 8, TailStrategy::GuardWithIf);
    f.update(0).fuse(x, k, t);
    f.update(0).split(t, to, ti, 4, TailStrategy::GuardWithIf);
    f.update(0).fuse(to, z, u);

    W.set(2);
    H.set(11);
    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Pipeline pipeline(std::vector<Func>{f});
    Buffer<int32_t> f_out(std::vector<int>{2, 11, 4});
    f_out.set_min(9, 0, 0);
    std::vector<Buffer<>> buffers{f_out};
    Realization outputs(buffers);

    pipeline.realize(outputs, target);

    uint64_t sum = 0xcbf29ce484222325;
    checksum(f_out, sum);
    std::cout << "checksum " << std::hex << sum << "\n";
    return 0;
}
