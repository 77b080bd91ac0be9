#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_set>

// The heap of compiled code. Every block starts out as poison, so that results that depend on uninitialised memory
// differ between two runs with different poison. Each block lies between red zones, so that a write beside the block is
// detected when the block is freed. Halide's documentation allows compiled code to read a few bytes beside a block;
// such a read hits a red zone and does no harm. Does not depend on Halide; thread-safe.
namespace haruspex::halide {

class GuardedHeap {
public:
    explicit GuardedHeap(std::uint8_t poison) : poison_(poison) {}

    // Returns a block that is aligned for any vector; null if memory has run out.
    void* allocate(std::size_t bytes);
    // Frees a block and checks its red zones. Ignores blocks of another heap: Halide's runtime allocates the mutex
    // array of an atomic stage without its user context, hence with the default allocator, and frees it with the user
    // context, hence here.
    void release(void* block);

    bool is_exhausted() const { return exhausted_; }
    // Describes a write beside a block; empty if there is none. If there are several, the description is the smallest
    // in the order of strings, because threads free blocks in any order.
    const std::string& stray_write() const { return stray_write_; }

private:
    std::uint8_t poison_;
    std::mutex mutex_;
    std::unordered_set<void*> live_;
    bool exhausted_ = false;
    std::string stray_write_;
};

}  // namespace haruspex::halide
