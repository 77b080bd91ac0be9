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
    Var x("x");

    Func f("f");
    f(x) = Expr(int64_t(1));
    f(x) = f(x) + 1;

    f.update(0).vectorize(x, 2, TailStrategy::GuardWithIf);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<int64_t> f_out(3);
    for (const bool behind : {true, false}) {
        Buffer<> f_out_guarded = guarded(f_out, behind);
        f.realize(f_out_guarded, target);
    }
    std::cout << "no error\n";
} catch (const RuntimeError& error) {  // to refuse is not to crash
    std::cout << error.what();
    return 0;
}
