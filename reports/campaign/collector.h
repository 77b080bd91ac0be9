#pragma once

#include <map>
#include <optional>

#include "reports/campaign/campaign.h"
#include "reports/campaign/record.h"
#include "reports/store/files.h"
#include "reports/store/store.h"

namespace haruspex::campaign {

// Files findings as they come and counts records in the order of their indices, so that nothing but timings depends on
// which worker was faster.
class Collector {
public:
    [[nodiscard]] static Result<Collector> create(const Options& options, const compiler::Identity& compiler);

    // Indices may come in any order, each once; from options.first on without gaps in the end.
    [[nodiscard]] Result<void> take(Record record);
    // Writes the summary as it stands: what remains of a campaign that is killed.
    [[nodiscard]] Result<void> checkpoint(double seconds);
    // Writes everything and returns the final summary.
    [[nodiscard]] Result<Summary> finish(double seconds, bool interrupted);

    std::uint64_t taken() const { return taken_; }
    // By class, of all records taken, also those that wait for an earlier one.
    const std::map<std::string, std::uint64_t>& by_class() const { return by_class_; }

private:
    Collector(store::Store store, store::LineFile rejected, std::optional<store::LineFile> cases)
        : store_(std::move(store)), rejected_(std::move(rejected)), cases_(std::move(cases)) {}
    Result<void> file(Record& record);
    Result<void> count(const Record& record);

    store::Store store_;
    store::LineFile rejected_;
    std::optional<store::LineFile> faults_;  // made with the first
    std::optional<store::LineFile> cases_;
    Summary summary_;
    std::map<std::uint64_t, Record> waiting_;
    std::uint64_t next_ = 0;
    std::uint64_t taken_ = 0;
    std::map<std::string, std::uint64_t> by_class_;
};

}  // namespace haruspex::campaign
