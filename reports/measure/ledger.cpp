#include "reports/measure/ledger.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "reports/store/files.h"

namespace haruspex::measure {
namespace {

std::unexpected<Error> trouble(const std::string& what, const std::filesystem::path& file) {
    return fail("cannot " + what + " " + file.string() + ": " + std::strerror(errno));
}

}  // namespace

Result<Ledger> Ledger::open(const std::filesystem::path& file, const std::string& first_line) {
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (descriptor < 0) { return trouble("write", file); }
    Ledger ledger(file, descriptor);
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        return fail(file.string() + " is being written by another process");
    }
    const auto text = store::read_file(file);
    if (!text) { return fail(text.error()); }
    std::size_t at = 0;
    for (std::size_t end = 0; (end = text->find('\n', at)) != std::string::npos; at = end + 1) {
        ledger.lines_.push_back(text->substr(at, end - at));
    }
    if (at < text->size() && ::ftruncate(descriptor, static_cast<off_t>(at)) != 0) { return trouble("mend", file); }
    if (ledger.lines_.empty()) {
        if (auto written = ledger.append(first_line); !written) { return fail(written.error()); }
        return ledger;
    }
    if (ledger.lines_.front() != first_line) {
        return fail(file.string() + " was begun otherwise: " + ledger.lines_.front() + "; now: " + first_line);
    }
    ledger.lines_.erase(ledger.lines_.begin());
    return ledger;
}

Ledger::Ledger(Ledger&& other) noexcept
    : file_(std::move(other.file_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      lines_(std::move(other.lines_)) {}

Ledger::~Ledger() {
    if (descriptor_ >= 0) { ::close(descriptor_); }
}

Result<void> Ledger::append(const std::string& line) {
    const std::string text = line + "\n";
    std::size_t at = 0;
    while (at < text.size()) {
        const ssize_t n = ::write(descriptor_, text.data() + at, text.size() - at);
        if (n < 0 && errno == EINTR) { continue; }
        if (n < 0) { return trouble("write", file_); }
        at += static_cast<std::size_t>(n);
    }
    if (::fdatasync(descriptor_) != 0) { return trouble("write", file_); }
    return {};
}

}  // namespace haruspex::measure
