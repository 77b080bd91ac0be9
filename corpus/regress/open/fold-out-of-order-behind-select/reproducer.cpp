// A test case of haruspex as a program of its own. For example:
//   g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer
//
// over_rejection: The folded storage dimension x of f was accessed out of order by loop g.s0.x.x.
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
    Var x("x");

    Func f("f");
    f(x) = Expr(1);
    Func g("g");
    g(x) = select(x + 2 * x < 1, cast<float>(f(x)), Expr(1.0f));

    g.vectorize(x, 4);
    f.compute_at(g, x);
    f.store_root();
    f.fold_storage(x, 8);

    W.set(15);
    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Pipeline pipeline(std::vector<Func>{g});
    Buffer<float> g_out(std::vector<int>{15});
    g_out.set_min(0);
    std::vector<Buffer<>> buffers{g_out};
    Realization outputs(buffers);

    pipeline.realize(outputs, target);

    uint64_t sum = 0xcbf29ce484222325;
    checksum(g_out, sum);
    std::cout << "checksum " << std::hex << sum << "\n";
    return 0;
}
