// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// An update of an output is vectorised over a strided variable: the load of the last lane reads up to a vector beyond
// the output buffer, which ends at an unmapped page here. Halide grants itself such reads only in memory of its own.
// Exits with 1 while it crashes, with 0 otherwise.
#include <Halide.h>
#include <sys/mman.h>
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
    Var x("x"), xo("xo"), xi("xi");
    Func f("f");
    f(x) = cast<uint8_t>(x);
    f(x) = f(x) * 3 + 1;
    f.update(0).split(x, xo, xi, 4).vectorize(xo, 5);
    const int W = 80;
    char* p = (char*)mmap(nullptr, 3 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(p + 4096, 4096, PROT_READ | PROT_WRITE);
    Buffer<uint8_t> b((uint8_t*)(p + 8192 - W), W);
    f.realize(b, Target("x86-64-linux-avx-avx2-f16c-fma-sse41"));
    puts("done");
}
