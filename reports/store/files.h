#pragma once

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "generators/base/result.h"

// Files that are whole or not there. Errors say in words what could not be done, to which file, and why.
namespace haruspex::store {

// Writes to a temporary name in the same folder, syncs, renames, syncs the folder. What a symbolic link points to is
// replaced, not the link; into a pipe or a terminal it is written as it comes.
[[nodiscard]] Result<void> write_atomically(const std::filesystem::path& file, const std::string& content);
// Whether that can be done at all, for whoever works long before he has something to write.
[[nodiscard]] Result<void> can_be_written(const std::filesystem::path& file);
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& file);

// Whether a file of that name is a left-over of a writer that was killed.
bool is_temporary(const std::filesystem::path& file);
// Whether it would be in the place of this one.
bool is_temporary_of(const std::filesystem::path& file, const std::filesystem::path& place);
// Removes what killed writers of this file or folder left beside it. Nobody else may be writing it.
void remove_leftovers_of(const std::filesystem::path& place);
// Makes the folder and its parents.
[[nodiscard]] Result<void> make_folder(const std::filesystem::path& folder);
// Writes to disk which names a folder holds.
[[nodiscard]] Result<void> sync_folder(const std::filesystem::path& folder);
// Writes the file under its own name and syncs it: for the inside of a folder that is renamed when it is whole.
[[nodiscard]] Result<void> write_synced(const std::filesystem::path& file, const std::string& content);
// Writes files, by their names or paths below it, into a folder that appears whole; one that is there already is
// replaced. The folder above is made if need be.
[[nodiscard]] Result<void> write_folder(const std::filesystem::path& folder,
                                        const std::map<std::string, std::string>& files);
// `file` with a suffix that is_temporary() knows and no other process uses.
std::filesystem::path temporary_name(const std::filesystem::path& file);

// A file that grows line by line under a temporary name and gets its own when it is complete.
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
