// A test case of haruspex as a program of its own. For example:
//   g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer
//
// compiler_internal_error: Internal Error at AsyncProducers.cpp:119 triggered by user code at : Condition failed: !sema.empty(): Duplicate produce node: f
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

    Func f("f");
    f(x) = x;
    Func g("g");
    g(x) = f(x);
    g(x) = g(x) + f(x);

    f.compute_at(g, x);
    f.store_root();
    f.async();

    W.set(8);
    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Pipeline pipeline(std::vector<Func>{g});
    Buffer<int32_t> g_out(std::vector<int>{8});
    g_out.set_min(0);
    std::vector<Buffer<>> buffers{g_out};
    Realization outputs(buffers);

    pipeline.realize(outputs, target);

    uint64_t sum = 0xcbf29ce484222325;
    checksum(g_out, sum);
    std::cout << "checksum " << std::hex << sum << "\n";
    return 0;
}
