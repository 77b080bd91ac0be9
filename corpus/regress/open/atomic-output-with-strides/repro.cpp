// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// An atomic update on an output with padded strides: the mutex array has one entry for each cell, but is indexed by the
// strided offset of the store. Out of bounds of the heap.
// Exits with 1 while it crashes or hangs, with 0 otherwise.
#include <Halide.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <cstring>
using namespace Halide;
int main() {
    if (const pid_t child = fork()) {  // what crashes is the child
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status)) { printf("%s, expected none\n", strsignal(WTERMSIG(status))); }
        return status != 0;
    }
    alarm(20);  // it may also wait for ever, on what is no mutex
    Var x("x"), y("y");
    RDom r(0, 4, "r");
    Func f("f");
    f(x, y) = Tuple(x, y);
    f(x, y) = Tuple(f(x, y)[1] + r, f(x, y)[0] * 2);
    f.update().atomic(true).parallel(y);
    const int W = 4, H = 64, S = 1000;
    std::vector<int> a(S * H), b(S * H);
    halide_dimension_t dims[2] = {{0, W, 1}, {0, H, S}};
    Buffer<int> ba(a.data(), 2, dims), bb(b.data(), 2, dims);
    Realization out({ba, bb});
    f.realize(out, Target("x86-64-linux-avx-avx2-f16c-fma-sse41"));
    puts("done");
}
