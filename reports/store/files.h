#pragma once

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "generators/base/result.h"

// Writes files so that they are complete or absent. Errors name the operation, the file and the reason.
namespace haruspex::store {

// Writes to a temporary name in the same folder, syncs the file, renames it, and syncs the folder. If `file` is a
// symbolic link, its target is replaced, not the link. A pipe or a terminal is written directly.
[[nodiscard]] Result<void> write_atomically(const std::filesystem::path& file, const std::string& content);
// Replaces several files, or none: all contents are on disk before the first file gets its name.
[[nodiscard]] Result<void> write_all(const std::map<std::filesystem::path, std::string>& files);
// Checks that the file can be written, for callers that have long work to do before they write.
[[nodiscard]] Result<void> can_be_written(const std::filesystem::path& file);
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& file);

// Whether the name is a temporary one. A writer that was killed may have left such a file.
bool is_temporary(const std::filesystem::path& file);
// Whether the name of `file` is a temporary one for the file or folder `place`.
bool is_temporary_of(const std::filesystem::path& file, const std::filesystem::path& place);
// Removes what killed writers of the file or folder `place` left beside it. No other process may be writing it.
void remove_leftovers_of(const std::filesystem::path& place);
// Makes the folder and its parents.
[[nodiscard]] Result<void> make_folder(const std::filesystem::path& folder);
// Syncs a folder: writes its list of names to disk.
[[nodiscard]] Result<void> sync_folder(const std::filesystem::path& folder);
// Writes the file under its own name and syncs it: for files in a folder that is renamed once it is complete.
[[nodiscard]] Result<void> write_synced(const std::filesystem::path& file, const std::string& content);
// Writes a folder that appears complete, and replaces an existing one. `files` has the contents by name, or by path
// below the folder. The folder above is created if necessary.
[[nodiscard]] Result<void> write_folder(const std::filesystem::path& folder,
                                        const std::map<std::string, std::string>& files);
// Returns a name beside `file` for which is_temporary() holds and that no other process uses.
std::filesystem::path temporary_name(const std::filesystem::path& file);

// A file that grows line by line under a temporary name, and gets its own name when it is complete.
class LineFile {
public:
    [[nodiscard]] static Result<LineFile> create(const std::filesystem::path& file);
    // Appends the line and a line break.
    [[nodiscard]] Result<void> append(const std::string& line);
    // Syncs and renames; nothing can be appended afterwards.
    [[nodiscard]] Result<void> finish();

private:
    struct Close {
        void operator()(std::FILE* stream) const { std::fclose(stream); }
    };
    LineFile(std::filesystem::path file, std::filesystem::path temporary, std::FILE* stream)
        : file_(std::move(file)), temporary_(std::move(temporary)), stream_(stream) {}

    std::filesystem::path file_, temporary_;
    std::unique_ptr<std::FILE, Close> stream_;
};

}  // namespace haruspex::store
