// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// An asynchronous producer of which every second cell is read. Exits with 1 while the compiled pipeline stops with an
// error or, when the consumer is not told of it, waits for ever; with 0 when it runs.
#include <Halide.h>

#include <unistd.h>
#include <csignal>
#include <iostream>

using namespace Halide;

int main() try {
    Var x("x"), z("z");
    Func f("f"), g("g");
    f(z) = 1;
    g(x) = f(2 * x);
    f.store_root().compute_at(g, x).async();

    std::signal(SIGALRM, [](int) {
        std::cout << "the pipeline waits for ever, expected an end" << std::endl;
        _exit(1);
    });
    alarm(5);
    g.realize({2}, Target("x86-64-linux-avx-avx2-f16c-fma-sse41"));
    std::cout << "no error\n";
} catch (const RuntimeError& error) {
    std::cout << error.what() << "expected no error\n";
    return 1;
}
