// A test case of haruspex as a program of its own. For example:
//   g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer
//
// compiler_internal_error: Internal Error at CodeGen_LLVM.cpp:1302 triggered by user code at : Symbol not found: f.s0.x
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
    Param<int> K("K");
    Var x("x");

    Func f("f");
    f(x) = Expr(uint8_t(1));
    Func g("g");
    g(x) = Expr(1.0);

    Stage f_special0 = f.specialize(K == 15);
    f_special0.vectorize(x, 8, TailStrategy::GuardWithIf);
    g.compute_with(f, x);

    W.set(16);
    K.set(1);
    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Pipeline pipeline(std::vector<Func>{f, g});
    Buffer<uint8_t> f_out(std::vector<int>{16});
    f_out.set_min(0);
    Buffer<double> g_out(std::vector<int>{16});
    g_out.set_min(0);
    std::vector<Buffer<>> buffers{f_out, g_out};
    Realization outputs(buffers);

    pipeline.realize(outputs, target);

    uint64_t sum = 0xcbf29ce484222325;
    checksum(f_out, sum);
    checksum(g_out, sum);
    std::cout << "checksum " << std::hex << sum << "\n";
    return 0;
}
