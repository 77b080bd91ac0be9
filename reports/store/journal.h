#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"

// The pipeline's verdicts on cases, in a file that outlives the process: a process that asks the same questions again,
// in the same order, soon comes to where the last one was killed. A case is known by a 64-bit hash of its JSON.
namespace haruspex::store {

class Journal {
public:
    // Reads the stored answers. `question` is everything except the case that an answer depends on; answers to another
    // question are discarded. An Error if the file cannot be written, or another process has it open.
    [[nodiscard]] static Result<Journal> open(const std::filesystem::path& file, const std::string& question);
    Journal(Journal&& other) noexcept;
    Journal& operator=(Journal&&) = delete;
    ~Journal();

    // Returns the answer that was there when the journal was opened; else calls `ask` and stores its answer. May be
    // called in a forked process. An answer that cannot be stored is asked for again by the next process.
    verdict::Verdict answer(const cases::Case& c, const std::function<verdict::Verdict()>& ask) const;
    // Returns the number of answers that were there when the journal was opened.
    std::size_t known() const { return answers_.size(); }
    // Removes the file when the work is done.
    void remove() const;

private:
    Journal(std::filesystem::path file, int descriptor) : file_(std::move(file)), descriptor_(descriptor) {}
    std::filesystem::path file_;
    int descriptor_;
    std::map<std::uint64_t, verdict::Verdict> answers_;
};

// Identifies this build of haruspex and the compiler: part of every question.
std::string versions_of(const std::string& compiler);

}  // namespace haruspex::store
