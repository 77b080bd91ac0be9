// g++ -std=c++17 repro.cpp -o repro -I/usr/include/halide21 -lHalide21 && ./repro
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
    ImageParam f0(Int(32), 1, "f0");
    Var u("u"), ui("ui"), uo("uo");

    Func f1("f1");
    f1() = 1;
    RDom k(0, 1, "f1_u0");
    f1() = f1() + f0(k);

    Func f1_intm = f1.update(0).rfactor({{k, u}});
    f1_intm.update(0).split(u, uo, ui, 2);

    Target target("x86-64-linux-avx-avx2-f16c-fma-sse41");
    Buffer<int32_t> f1_out(std::vector<int>{});
    f1.infer_input_bounds(f1_out, target);
    for (const bool behind : {true, false}) {
        f0.set(guarded(f0.get(), behind));
        Buffer<> f1_out_guarded = guarded(f1_out, behind);
        f1.realize(f1_out_guarded, target);
    }
    std::cout << "no error\n";
} catch (const RuntimeError& error) {  // to refuse is not to crash
    std::cout << error.what();
    return 0;
}
