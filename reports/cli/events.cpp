#include "reports/cli/events.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>
#include <utility>

#include "generators/case/located_json.h"
#include "reports/cli/output.h"
#include "reports/render/words.h"
#include "reports/store/version.h"

namespace haruspex::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::chrono::seconds interval{10};

Json number(std::uint64_t value) {
    if (cases::json::is_exact_in_any_reader(value)) { return value; }
    return std::to_string(value);
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

// "2026-11-30T19:00:00Z"
std::string time_of_day() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    ::gmtime_r(&now, &utc);
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

// Returns the line with what all events have.
std::string line(std::string_view event, Json fields) {
    Json tree{{"haruspex_event", 1}, {"event", event}, {"time", time_of_day()}};
    tree.update(fields);
    // A compiler's message need not be valid UTF-8.
    return tree.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Whether the file has a last line that a killed writer did not finish.
bool ends_within_a_line(int descriptor) {
    const off_t size = ::lseek(descriptor, 0, SEEK_END);
    char last = '\n';
    return size > 0 && ::pread(descriptor, &last, 1, size - 1) == 1 && last != '\n';
}

}  // namespace

Result<Events> Events::open(const fs::path& file) {
    if (file.empty()) { return Events(file, -1); }
    if (file == "-") { return Events("standard output", ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)); }
    // A pipe cannot be opened for both; a file must be, to see where it ends.
    struct stat known{};
    const bool is_other = ::stat(file.c_str(), &known) == 0 && !S_ISREG(known.st_mode);
    const int descriptor = ::open(file.c_str(), (is_other ? O_WRONLY : O_RDWR) | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (descriptor < 0) { return fail("cannot open " + file.string() + ": " + std::strerror(errno)); }
    Events events(file, descriptor);
    if (!is_other && ends_within_a_line(descriptor)) { events.write("\n"); }
    return events;
}

Events::Events(Events&& other) noexcept
    : file_(std::move(other.file_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      is_lost_(other.is_lost_),
      last_(other.last_) {}

Events::~Events() {
    if (descriptor_ >= 0) { ::close(descriptor_); }
}

void Events::write(const std::string& text) {
    if (descriptor_ < 0) { return; }
    std::size_t written = 0;
    while (written < text.size()) {
        const ssize_t count = ::write(descriptor_, text.data() + written, text.size() - written);
        if (count < 0 && errno == EINTR) { continue; }
        if (count < 0) {
            // The campaign is worth more than its log.
            if (!is_lost_) { note(fmt::format("cannot write {}: {}\n", file_.string(), std::strerror(errno))); }
            is_lost_ = true;
            return;
        }
        written += static_cast<std::size_t>(count);
    }
}

void Events::begin(const campaign::Options& options, const compiler::Identity& compiler, bool goes_on) {
    write(line("begin", {{"folder", fs::absolute(options.out).string()},
                         {"goes_on", goes_on},
                         {"seed", options.cases_from ? Json(nullptr) : number(options.seed)},
                         {"first", number(options.first)},
                         {"cases", options.cases ? number(*options.cases) : Json(nullptr)},
                         {"shard", options.shard ? Json(campaign::to_string(*options.shard)) : Json(nullptr)},
                         {"jobs", options.jobs},
                         {"haruspex", store::haruspex_version()},
                         {"compiler", {{"name", compiler.name}, {"version", compiler.version}}}}));
}

void Events::show(const campaign::Progress& progress) {
    if (!is_open()) { return; }
    for (const campaign::Kept& kept : progress.kept) {
        write(line("finding", {{"index", number(kept.index)},
                               {"class", verdict::name(kept.cls)},
                               {"group", kept.group},
                               {"folder", text_or_null(kept.folder)},
                               {"message", kept.message}}));
    }
    const auto now = std::chrono::steady_clock::now();
    if (last_ && now - *last_ < interval) { return; }
    last_ = now;
    write(line("progress", {{"seconds", progress.elapsed.count()},
                            {"cases", progress.done},
                            {"cases_per_second", progress.cases_per_second},
                            {"by_class", progress.by_class}}));
}

void Events::end(const campaign::Summary& summary) {
    write(line("end", {{"cases", summary.cases},
                       {"findings", summary.findings},
                       {"groups", summary.groups.size()},
                       {"interrupted", summary.interrupted},
                       {"by_class", summary.by_class}}));
}

void Events::show(const std::vector<bugs::Bug>& found, const fs::path& issues) {
    std::size_t reported = 0;
    for (const bugs::Bug& bug : found) {
        const bool is_ours = !bug.failure.empty() || verdict::is_own_fault(bug.smallest.verdict.cls);
        const bool is_reported = bugs::is_reported(bug.state);
        if (is_reported) { ++reported; }
        const bool has_issue = is_reported && !is_ours && !issues.empty();
        write(line("bug", {{"state", bugs::name(bug.state)},
                           {"group", bug.group},
                           {"title", is_ours ? bug.failure : render::title(bug.smallest.c, bug.smallest.verdict)},
                           {"cases", bug.cases},
                           {"known", text_or_null(bug.known)},
                           {"issue", has_issue ? Json(fs::absolute(issues / bug.group).string()) : Json(nullptr)}}));
    }
    write(line("triaged", {{"bugs", reported}}));
}

void Events::failed(const Error& error) { write(line("failed", {{"message", to_string(error)}})); }

}  // namespace haruspex::cli
