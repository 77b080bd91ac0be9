#pragma once

#include <cstdint>
#include <filesystem>

#include "generators/base/result.h"

// Private to reports/store: tells which runs are alive. Each run holds a lock on one byte of a file. The system
// releases the lock when the process ends in any way. A lock belongs to a process: children do not inherit the lock,
// the process does not see its own lock, and it loses the lock when it closes any descriptor of the file.
namespace haruspex::store {

class Presence {
public:
    // Creates the file if necessary.
    [[nodiscard]] static Result<Presence> open(const std::filesystem::path& file);
    // Opens the file to ask who is alive. Where there is no file, nobody is.
    static Presence look(const std::filesystem::path& file);
    Presence(Presence&& other) noexcept;
    Presence& operator=(Presence&&) = delete;
    ~Presence();

    // Takes the lock of this run, and holds it until the process ends or this object is destroyed.
    [[nodiscard]] Result<void> hold(std::int64_t run) const;
    // Whether another process holds the lock of this run.
    [[nodiscard]] Result<bool> is_alive(std::int64_t run) const;

private:
    Presence(std::filesystem::path file, int descriptor) : file_(std::move(file)), descriptor_(descriptor) {}
    std::filesystem::path file_;
    int descriptor_;
};

}  // namespace haruspex::store
