// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// A vectorised update of an output loads the output with instructions that demand an alignment of 32 bytes; this
// output has the alignment of its elements, which is all that Halide asks of a host pointer by default.
// Exits with 1 while it crashes, with 0 otherwise.
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
    Var x("x");
    Func f("f");
    f(x) = cast<int64_t>(1);
    f(x) = max(f(x), cast<int64_t>(x));
    f.update(0).vectorize(x, 4, TailStrategy::GuardWithIf);
    const int W = 64;
    alignas(64) static int64_t memory[W + 1];
    Buffer<int64_t> b(memory + 1, W);
    f.realize(b, Target("x86-64-linux-avx-avx2-f16c-fma-sse41"));
    puts("done");
}
