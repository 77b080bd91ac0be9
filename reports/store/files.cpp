#include "reports/store/files.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <set>
#include <vector>

#include "generators/base/ensure.h"

namespace haruspex::store {
namespace {

constexpr const char* temporary_mark = ".haruspex-tmp-";

std::unexpected<Error> system_error(const std::string& what, const std::filesystem::path& path, int error) {
    return fail("cannot " + what + " " + path.string() + ": " + std::strerror(error));
}

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number_ >= 0) { ::close(number_); }
    }
    int number() const { return number_; }
    // Closes the file; false after an error. Some file systems report a full disk only here.
    bool close() {
        const int number = number_;
        number_ = -1;
        return ::close(number) == 0;
    }

private:
    int number_;
};

std::string temporary_stem(const std::filesystem::path& file) {
    return temporary_mark + file.filename().string() + ".";
}

Result<void> write_members(const std::filesystem::path& folder, const std::map<std::string, std::string>& files) {
    if (auto made = make_folder(folder); !made) { return made; }
    std::set<std::filesystem::path> folders{folder};
    for (const auto& [name, content] : files) {
        const std::filesystem::path file = folder / name;
        if (folders.insert(file.parent_path()).second) {
            if (auto made = make_folder(file.parent_path()); !made) { return made; }
        }
        if (auto written = write_synced(file, content); !written) { return written; }
    }
    for (const std::filesystem::path& one : folders) {
        if (auto synced = sync_folder(one); !synced) { return synced; }
    }
    return {};
}

std::filesystem::path behind_link(const std::filesystem::path& name) {
    std::error_code ignored;
    const bool is_link = std::filesystem::is_symlink(name, ignored);
    return is_link ? std::filesystem::weakly_canonical(name, ignored) : name;
}

// Moves a complete folder to its place, and replaces the folder there, if any.
Result<void> replace_folder(const std::filesystem::path& whole, const std::filesystem::path& place) {
    std::error_code error;
    std::filesystem::rename(whole, place, error);
    if (error == std::errc::directory_not_empty || error == std::errc::file_exists) {
        // Exchange, so that one of the two is there at any moment; the old one is then under the temporary name.
        error.clear();
        if (::renameat2(AT_FDCWD, whole.c_str(), AT_FDCWD, place.c_str(), RENAME_EXCHANGE) != 0) {
            error.assign(errno, std::system_category());
        }
        std::error_code ignored;
        std::filesystem::remove_all(whole, ignored);
    }
    if (error) { return system_error("replace", place, error.value()); }
    return sync_folder(place.parent_path());
}

}  // namespace

std::filesystem::path temporary_name(const std::filesystem::path& file) {
    return file.parent_path() / (temporary_stem(file) + std::to_string(::getpid()));
}

bool is_temporary(const std::filesystem::path& file) { return file.filename().string().starts_with(temporary_mark); }

bool is_temporary_of(const std::filesystem::path& file, const std::filesystem::path& place) {
    return file.filename().string().starts_with(temporary_stem(place));
}

void remove_leftovers_of(const std::filesystem::path& place) {
    std::error_code error;
    std::vector<std::filesystem::path> leftovers;
    const std::filesystem::path folder = place.has_parent_path() ? place.parent_path() : ".";
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (is_temporary_of(at->path(), place)) { leftovers.push_back(at->path()); }
    }
    for (const std::filesystem::path& leftover : leftovers) { std::filesystem::remove_all(leftover, error); }
}

Result<void> make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) { return system_error("make the folder", folder, error.value()); }
    return {};
}

Result<void> sync_folder(const std::filesystem::path& folder) {
    Descriptor descriptor(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (descriptor.number() < 0) { return system_error("open the folder", folder, errno); }
    // Some file systems cannot sync a folder and report EINVAL; nothing more can be done there.
    if (::fsync(descriptor.number()) != 0 && errno != EINVAL) { return system_error("sync the folder", folder, errno); }
    return {};
}

Result<void> write_synced(const std::filesystem::path& file, const std::string& content) {
    Descriptor descriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (descriptor.number() < 0) { return system_error("create", file, errno); }
    std::size_t written = 0;
    while (written < content.size()) {
        const ssize_t count = ::write(descriptor.number(), content.data() + written, content.size() - written);
        if (count < 0 && errno == EINTR) { continue; }
        if (count < 0) { return system_error("write", file, errno); }
        written += static_cast<std::size_t>(count);
    }
    // Pipes and terminals have nothing to sync.
    if (::fsync(descriptor.number()) != 0 && errno != EINVAL) { return system_error("write", file, errno); }
    if (!descriptor.close()) { return system_error("write", file, errno); }
    return {};
}

Result<void> can_be_written(const std::filesystem::path& name) {
    const std::filesystem::path file = behind_link(name);
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) { return system_error("write", file, EISDIR); }
    if (std::filesystem::is_other(file, ignored)) { return {}; }
    const std::filesystem::path temporary = temporary_name(file);
    auto written = write_synced(temporary, "");
    ::unlink(temporary.c_str());
    return written;
}

Result<void> write_atomically(const std::filesystem::path& name, const std::string& content) {
    std::error_code ignored;
    const std::filesystem::path file = behind_link(name);
    if (std::filesystem::is_other(file, ignored)) { return write_synced(file, content); }
    const std::filesystem::path temporary = temporary_name(file);
    auto written = write_synced(temporary, content);
    if (!written) {
        ::unlink(temporary.c_str());
        return written;
    }
    if (::rename(temporary.c_str(), file.c_str()) != 0) {
        const int error = errno;
        ::unlink(temporary.c_str());
        return system_error("replace", file, error);
    }
    return sync_folder(file.parent_path());
}

Result<void> write_all(const std::map<std::filesystem::path, std::string>& files) {
    // Place -> temporary name.
    std::map<std::filesystem::path, std::filesystem::path> written;
    const auto give_up = [&](std::unexpected<Error> error) -> Result<void> {
        for (const auto& [place, temporary] : written) { ::unlink(temporary.c_str()); }
        return error;
    };
    for (const auto& [name, content] : files) {
        const std::filesystem::path place = behind_link(name);
        const auto& temporary = written[place] = temporary_name(place);
        if (auto done = write_synced(temporary, content); !done) { return give_up(fail(done.error())); }
    }
    std::set<std::filesystem::path> folders;
    for (const auto& [place, temporary] : written) {
        if (::rename(temporary.c_str(), place.c_str()) != 0) { return give_up(system_error("replace", place, errno)); }
        folders.insert(place.parent_path());
    }
    for (const std::filesystem::path& folder : folders) {
        if (auto synced = sync_folder(folder); !synced) { return synced; }
    }
    return {};
}

Result<void> write_folder(const std::filesystem::path& folder, const std::map<std::string, std::string>& files) {
    const std::filesystem::path temporary = temporary_name(folder);
    auto written = write_members(temporary, files);
    if (written) { written = replace_folder(temporary, folder); }
    if (!written) {
        std::error_code ignored;
        std::filesystem::remove_all(temporary, ignored);
    }
    return written;
}

Result<std::string> read_file(const std::filesystem::path& file) {
    Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (descriptor.number() < 0) { return system_error("open", file, errno); }
    std::string content;
    char buffer[65536];
    while (true) {
        const ssize_t count = ::read(descriptor.number(), buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) { continue; }
        if (count < 0) { return system_error("read", file, errno); }
        if (count == 0) { return content; }
        content.append(buffer, static_cast<std::size_t>(count));
    }
}

Result<LineFile> LineFile::create(const std::filesystem::path& file) {
    const std::filesystem::path temporary = temporary_name(file);
    std::FILE* stream = std::fopen(temporary.c_str(), "we");
    if (stream == nullptr) { return system_error("create", file, errno); }
    return LineFile(file, temporary, stream);
}

Result<void> LineFile::append(const std::string& line) {
    ENSURE(stream_ != nullptr, "a finished file takes no more lines");
    if (std::fputs((line + "\n").c_str(), stream_.get()) == EOF) { return system_error("write", file_, errno); }
    return {};
}

Result<void> LineFile::finish() {
    ENSURE(stream_ != nullptr, "a file is finished once");
    const auto stream = std::move(stream_);
    if (std::fflush(stream.get()) != 0 || ::fsync(::fileno(stream.get())) != 0) {
        return system_error("write", file_, errno);
    }
    if (::rename(temporary_.c_str(), file_.c_str()) != 0) { return system_error("replace", file_, errno); }
    return sync_folder(file_.parent_path());
}

}  // namespace haruspex::store
