// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide14 -lHalide14 && ./repro
// Exits with 1 while the compiled pipeline takes a minute or crashes, with 0 otherwise.
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

int main() {
    if (const pid_t child = fork()) {  // what crashes is the child
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status)) { std::cout << strsignal(WTERMSIG(status)) << ", expected none\n"; }
        return status != 0;
    }
    alarm(60);  // a fault may also make it run for ever
    ImageParam in0(Int(32), 1, "in0");
    Var x("x");

    Func f0("f0");
    f0() = 1;
    Func f1("f1");
    f1(x) = in0(x) + f0();

    f0.compute_at(f1, x);
    f0.store_root();
    f0.async();
    f1.prefetch(in0, x, x, 0);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<int32_t> f1_out(1);
    f1.infer_input_bounds(f1_out, target);
    for (const bool behind : {true, false}) {
        in0.set(guarded(in0.get(), behind));
        Buffer<> f1_out_guarded = guarded(f1_out, behind);
        f1.realize(f1_out_guarded, target);
    }
    std::cout << "no error\n";
}
