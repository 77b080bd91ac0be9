// A test case of haruspex as a program of its own. For example:
//   g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer
//
// compiler_crash: SIGSEGV
// Where: compile
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
    Var x("x");

    Func e("e");
    e(x) = Expr(0);
    e(x) = e(x) + 1;
    Func f("f");
    f(x) = e(x);
    Func g("g");
    g(x) = Tuple(Expr(1), f(x));
    Func h("h");
    h(x) = g(x)[0] + e(x);

    f.compute_at(h, x);

    W.set(4);
    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Pipeline pipeline(std::vector<Func>{h});
    Buffer<int32_t> h_out(std::vector<int>{4});
    h_out.set_min(0);
    std::vector<Buffer<>> buffers{h_out};
    Realization outputs(buffers);

    pipeline.realize(outputs, target);

    uint64_t sum = 0xcbf29ce484222325;
    checksum(h_out, sum);
    std::cout << "checksum " << std::hex << sum << "\n";
    return 0;
}
