// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiler crashes, with 0 when it compiles.
#include <Halide.h>

#include <cstring>
#include <iostream>
#include <sys/wait.h>
#include <unistd.h>

using namespace Halide;

int main() {
    if (const pid_t child = fork()) {  // what crashes is the child
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status)) { std::cout << strsignal(WTERMSIG(status)) << ", expected none\n"; }
        return status != 0;
    }
    alarm(60);  // a fault may also make it run for ever
    Var l("l"), li("li"), lo("lo");

    Func f("f");
    f(l) = cast<int16_t>(l) * -32768 != 0;

    f.split(l, lo, li, 2, TailStrategy::GuardWithIf);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    f.compile_jit(target);
    std::cout << "no error\n";
}
