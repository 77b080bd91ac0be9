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
    Param<int> W("W", 4);
    Var x("x");

    Func e("e");
    e(x) = 0;
    e(x) = e(x) + 1;
    Func f("f");
    f(x) = e(x);
    Func g("g");
    g(x) = Tuple(Expr(1), f(x));
    Func h("h");
    h(x) = g(x)[0] + e(x);

    f.compute_at(h, x);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    h.compile_jit(target);
    std::cout << "no error\n";
}
