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
    Param<int> W("W", 40);
    Var x("x"), xi("xi"), xo("xo");

    Func f("f");
    f(x) = x;
    Func g("g");
    g(x) = f((x + 2) % 4);

    g.vectorize(x, 8, TailStrategy::Predicate);
    g.split(x, xo, xi, 5, TailStrategy::PredicateLoads);
    f.compute_at(g, xo);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    g.compile_jit(target);
    std::cout << "no error\n";
}
