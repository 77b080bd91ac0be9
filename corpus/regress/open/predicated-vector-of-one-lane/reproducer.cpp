// A test case of haruspex as a program of its own. For example:
//   g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer
//
// compiler_internal_error: Internal Error at CodeGen_LLVM.cpp:653 triggered by user code at : Condition failed: !verifyFunction(*function, &llvm::errs()):
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
    f(x) = Expr(int64_t(1));

    f.vectorize(x, 5, TailStrategy::Predicate);

    W.set(7);
    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Pipeline pipeline(std::vector<Func>{f});
    Buffer<int64_t> f_out(std::vector<int>{7});
    f_out.set_min(0);
    std::vector<Buffer<>> buffers{f_out};
    Realization outputs(buffers);

    pipeline.realize(outputs, target);

    uint64_t sum = 0xcbf29ce484222325;
    checksum(f_out, sum);
    std::cout << "checksum " << std::hex << sum << "\n";
    return 0;
}
