// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiled pipeline crashes, with 0 when it runs or refuses to. Its buffers lie between pages that may not be touched.
#include <Halide.h>

#include <cstring>
#include <iostream>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace Halide;

// The buffer between pages that may not be touched, at the one behind it or at the one before it.
Buffer<> guarded(const Buffer<>& b, bool behind) {
    const size_t size = b.size_in_bytes(), room = (size + 4095) / 4096 * 4096;
    char* p = (char*)mmap(nullptr, room + 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) + 4096;
    mprotect(p, room, PROT_READ | PROT_WRITE);
    halide_buffer_t raw = *b.raw_buffer();
    raw.host = (uint8_t*)memcpy(p + (behind ? room - size : 0), b.data(), size);
    return Buffer<>(raw);
}

int main() try {
    if (const pid_t child = fork()) {  // what crashes is the child
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status)) { std::cout << strsignal(WTERMSIG(status)) << ", expected none\n"; }
        return status != 0;
    }
    alarm(60);  // a fault may also make it run for ever
    Param<int> W("W", 7);
    ImageParam in0(UInt(32), 1, "in0");
    Var x("x"), xi("xi"), xo("xo");

    Func f("f");
    f(x) = Expr(uint32_t(1));
    f(x) = in0(x);
    Func g("g");
    g(x) = f(5 - x);

    f.compute_root();
    f.update(0).atomic();
    f.update(0).split(x, xo, xi, 8, TailStrategy::GuardWithIf);
    f.update(0).vectorize(xo, 8);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<uint32_t> g_out(7);
    g.infer_input_bounds(g_out, target);
    for (const bool behind : {true, false}) {
        in0.set(guarded(in0.get(), behind));
        Buffer<> g_out_guarded = guarded(g_out, behind);
        g.realize(g_out_guarded, target);
    }
    std::cout << "no error\n";
} catch (const RuntimeError& error) {  // to refuse is not to crash
    std::cout << error.what();
    return 0;
}
