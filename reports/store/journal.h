#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"

// What the pipeline said of cases, in a file that outlives the process that asked: who asks the same questions again,
// in the same order, soon comes to where the last one was killed. A case is known by a 64-bit hash of its JSON.
namespace haruspex::store {

class Journal {
public:
    // Reads what is there. `question` is everything but the case that an answer depends on; answers to another one are
    // thrown away. An Error when the file cannot be written, or another process has it open.
    [[nodiscard]] static Result<Journal> open(const std::filesystem::path& file, const std::string& question);
    Journal(Journal&& other) noexcept;
    Journal& operator=(Journal&&) = delete;
    ~Journal();

    // The answer that was there when the journal was opened, or else what `ask` says, which is noted. May be called in
    // a forked process. What cannot be noted is only asked again.
    verdict::Verdict answer(const cases::Case& c, const std::function<verdict::Verdict()>& ask) const;
    // How many answers were there.
    std::size_t known() const { return answers_.size(); }
    // The work is done: removes the file.
    void remove() const;

private:
    Journal(std::filesystem::path file, int descriptor) : file_(std::move(file)), descriptor_(descriptor) {}
    std::filesystem::path file_;
    int descriptor_;
    std::map<std::uint64_t, verdict::Verdict> answers_;
};

// haruspex and the compiler as they are installed here: part of every question.
std::string versions_of(const std::string& compiler);

}  // namespace haruspex::store
