#include "reports/store/presence.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace haruspex::store {
namespace {

struct flock byte_of(std::int64_t run) {
    struct flock lock{};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = run;
    lock.l_len = 1;
    return lock;
}

std::unexpected<Error> lock_error(const std::filesystem::path& file) {
    return fail("cannot lock " + file.string() + ": " + std::strerror(errno));
}

}  // namespace

Result<Presence> Presence::open(const std::filesystem::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor < 0) { return fail("cannot open " + file.string() + ": " + std::strerror(errno)); }
    return Presence(file, descriptor);
}

Presence Presence::look(const std::filesystem::path& file) {
    return {file, ::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
}

Presence::Presence(Presence&& other) noexcept
    : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

Presence::~Presence() {
    if (descriptor_ >= 0) { ::close(descriptor_); }
}

Result<void> Presence::hold(std::int64_t run) const {
    struct flock lock = byte_of(run);
    if (::fcntl(descriptor_, F_SETLK, &lock) != 0) { return lock_error(file_); }
    return {};
}

Result<bool> Presence::is_alive(std::int64_t run) const {
    if (descriptor_ < 0) { return false; }
    struct flock lock = byte_of(run);
    if (::fcntl(descriptor_, F_GETLK, &lock) != 0) { return lock_error(file_); }
    return lock.l_type != F_UNLCK;
}

}  // namespace haruspex::store
