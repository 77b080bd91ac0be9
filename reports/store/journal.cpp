#include "reports/store/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/base/fnv1a.h"
#include "generators/base/numbers.h"
#include "generators/case/json.h"
#include "reports/store/files.h"
#include "reports/store/verdict_json.h"
#include "reports/store/version.h"

namespace haruspex::store {
namespace {

// Writes in one call: a writer that is killed leaves the complete line or, at worst, its beginning.
bool write_line(int descriptor, const std::string& line) {
    const std::string text = line + "\n";
    return ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

}  // namespace

Journal::Journal(Journal&& other) noexcept
    : file_(std::move(other.file_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      answers_(std::move(other.answers_)) {}

Journal::~Journal() {
    if (descriptor_ >= 0) { ::close(descriptor_); }
}

Result<Journal> Journal::open(const std::filesystem::path& file, const std::string& question) {
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    const auto refused = [&](const std::string& what) {
        return fail("cannot " + what + " " + file.string() + ": " + std::strerror(errno));
    };
    if (descriptor < 0) { return refused("open"); }
    Journal journal(file, descriptor);
    const auto text = read_file(file);
    if (!text) { return fail(text.error()); }
    // The lock belongs to this process, not to those that it forks: they may outlive it. Closing any other descriptor
    // of the file releases the lock.
    struct flock lock{};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    if (::fcntl(descriptor, F_SETLK, &lock) != 0) {
        if (errno == EACCES || errno == EAGAIN) { return fail(file.string() + " is in use by another process"); }
        return refused("lock");
    }
    // Each line: the case's key in 16 hexadecimal digits, a space, the verdict. Text after the last whole line is cut.
    std::string_view rest = *text;
    const std::string head = question + "\n";
    if (!rest.starts_with(head)) {
        if (::ftruncate(descriptor, 0) != 0 || !write_line(descriptor, question)) { return refused("write"); }
        return journal;
    }
    rest.remove_prefix(head.size());
    constexpr std::size_t digits = 16;
    for (auto end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
        const std::string_view line = rest.substr(0, end);
        const auto key = parse_number<std::uint64_t>(line.substr(0, digits), 16);
        if (!key || line.size() <= digits) { break; }
        auto verdict = parse_verdict(line.substr(digits + 1), file.string());
        if (!verdict) { break; }
        journal.answers_.emplace(*key, std::move(*verdict));
        rest.remove_prefix(end + 1);
    }
    if (::ftruncate(descriptor, static_cast<off_t>(text->size() - rest.size())) != 0) { return refused("write"); }
    return journal;
}

verdict::Verdict Journal::answer(const cases::Case& c, const std::function<verdict::Verdict()>& ask) const {
    const std::uint64_t key = fnv1a(cases::to_json(c));
    if (const auto known = answers_.find(key); known != answers_.end()) { return known->second; }
    verdict::Verdict verdict = ask();
    (void)write_line(descriptor_, hexadecimal(key) + " " + to_json(verdict));
    return verdict;
}

void Journal::remove() const {
    std::error_code ignored;
    std::filesystem::remove(file_, ignored);
}

std::string versions_of(const std::string& compiler) {
    // Another build of the same version may answer differently; an executable of the same bytes does not.
    const auto executable = read_file("/proc/self/exe");
    ENSURE(executable.has_value(), "an executable that cannot be read while it runs");
    return "haruspex " + haruspex_version() + " (" + hexadecimal(fnv1a(*executable)) + "), " + compiler;
}

}  // namespace haruspex::store
