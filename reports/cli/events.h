#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "harness/compiler/compiler.h"
#include "reports/bugs/triage.h"
#include "reports/campaign/campaign.h"

namespace haruspex::cli {

// What happens in a campaign, as lines of JSON for programs that watch it (corpus/schema/event-1.json). A line is
// appended at once and whole. The campaign's folder is the truth: a process that is killed may have stored a finding and
// not announced it, and announces only what is stored.
class Events {
public:
    // Opens the file to append to it, and creates it if necessary; "-" is standard output. Without a name nothing is
    // written.
    [[nodiscard]] static Result<Events> open(const std::filesystem::path& file);
    Events(Events&& other) noexcept;
    Events& operator=(Events&&) = delete;
    ~Events();

    bool is_open() const { return descriptor_ >= 0; }

    void begin(const campaign::Options& options, const compiler::Identity& compiler, bool goes_on);
    // Writes a line for each finding, and from time to time one for the progress.
    void show(const campaign::Progress& progress);
    void end(const campaign::Summary& summary);
    // The distinct bugs that triage found; `issues` is the folder of the issues.
    void show(const std::vector<bugs::Bug>& found, const std::filesystem::path& issues);
    void failed(const Error& error);

private:
    Events(std::filesystem::path file, int descriptor) : file_(std::move(file)), descriptor_(descriptor) {}
    void write(const std::string& line);

    std::filesystem::path file_;
    int descriptor_ = -1;
    bool is_lost_ = false;  // a line could not be written, and this was noted
    std::optional<std::chrono::steady_clock::time_point> last_;
};

}  // namespace haruspex::cli
