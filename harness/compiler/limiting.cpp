#include "harness/compiler/limiting.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace haruspex::compiler {
namespace {

void limit(__rlimit_resource resource, rlim_t soft, rlim_t hard) {
    rlimit present{};
    ::getrlimit(resource, &present);
    // An unprivileged process may not raise its hard limit.
    const rlimit wanted{std::min(soft, present.rlim_max), std::min(hard, present.rlim_max)};
    ::setrlimit(resource, &wanted);
}

// The size of this process's address space, in bytes.
std::uint64_t address_space() {
    unsigned long long pages = 0;
    if (FILE* file = std::fopen("/proc/self/statm", "re")) {
        if (std::fscanf(file, "%llu", &pages) != 1) { pages = 0; }
        std::fclose(file);
    }
    return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

void limit_this_process(const Limits& limits) {
    limit(RLIMIT_CORE, 0, 0);
    const auto seconds = static_cast<rlim_t>((limits.cpu.count() + 999) / 1000);
    limit(RLIMIT_CPU, seconds, seconds + 1);
    const rlim_t memory = address_space() + limits.memory_bytes;
    limit(RLIMIT_AS, memory, memory);
}

}  // namespace haruspex::compiler
