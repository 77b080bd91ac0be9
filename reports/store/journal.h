#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"

// The pipeline's verdicts on cases, in a file that outlives the process. If the process is killed, another one that
// asks the same questions soon comes to the same point. A case is identified by a 64-bit hash of its JSON.
namespace haruspex::store {

class Journal {
public:
    // Opens the file and reads the stored answers. `question` is everything that an answer depends on, except the case;
    // answers to another question are discarded. An Error if the file cannot be written, or another process has it
    // open.
    [[nodiscard]] static Result<Journal> open(const std::filesystem::path& file, const std::string& question);
    Journal(Journal&& other) noexcept;
    Journal& operator=(Journal&&) = delete;
    ~Journal();

    // Returns the answer that was there when the journal was opened; otherwise calls `ask`, stores its answer and
    // returns it. May be called in a forked process. An answer that cannot be stored is asked for again by the next
    // process.
    verdict::Verdict answer(const cases::Case& c, const std::function<verdict::Verdict()>& ask) const;
    // Returns the number of answers that were there when the journal was opened.
    std::size_t known() const { return answers_.size(); }
    // Removes the file. To be called when the work is done.
    void remove() const;

private:
    Journal(std::filesystem::path file, int descriptor) : file_(std::move(file)), descriptor_(descriptor) {}
    std::filesystem::path file_;
    int descriptor_;
    std::map<std::uint64_t, verdict::Verdict> answers_;
};

// Returns a text that identifies this build of haruspex and the compiler; it is part of every question.
std::string versions_of(const std::string& compiler);

}  // namespace haruspex::store
