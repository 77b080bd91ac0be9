#pragma once

#include <deque>
#include <map>
#include <optional>

#include "reports/campaign/options.h"
#include "reports/campaign/summary.h"
#include "reports/store/database.h"
#include "reports/store/store.h"

namespace haruspex::campaign {

// Keeps the workers' answers in the order in which cases were given out, so that the content of the folder does not
// depend on which worker was faster.
class Collector {
public:
    Collector(const Options& options, std::string cases_digest, compiler::Identity compiler, store::Store store,
              store::Database& database)
        : options_(options),
          cases_digest_(std::move(cases_digest)),
          compiler_(std::move(compiler)),
          store_(std::move(store)),
          database_(database) {}
    // Reads the state of the folder. Call it first.
    [[nodiscard]] Result<void> begin();

    // Notes that this case was given out.
    void expect(std::uint64_t index) { order_.push_back(index); }
    // Takes the record of a case that was given out and not taken yet.
    void take(store::Record record);
    // Files and keeps every case before which none is missing. Only committed cases may be reported.
    [[nodiscard]] Result<void> commit(double seconds);
    // Whether no new group was found for as long as requested: cases that are not committed yet never will be.
    bool is_quiet() const { return end_.has_value(); }

    // Writes the current summary, for readers of a campaign under way.
    [[nodiscard]] Result<void> checkpoint();
    // Writes the lists and the summary, and returns it.
    [[nodiscard]] Result<Summary> finish(double seconds, bool interrupted);

    // Counts all committed cases, including those of earlier runs.
    std::uint64_t cases() const;
    std::uint64_t cases_of_this_run() const { return cases_of_this_run_; }
    // Findings and faults for which there was no room.
    std::uint64_t not_filed() const { return not_filed_; }
    const std::map<std::string, std::uint64_t>& by_class() const { return by_class_; }

private:
    Result<void> keep(store::Record record);
    // The folder of a finding below the campaign's (empty if not filed), and the bytes that it takes or would take.
    struct Place {
        std::string folder;
        std::uint64_t bytes = 0;
    };
    Result<Place> file(store::Record& record);
    Result<Summary> summary(bool interrupted) const;
    Result<void> look_for_quiet();
    std::uint64_t past() const { return end_.value_or(store::largest_index); }

    const Options& options_;
    std::string cases_digest_;
    compiler::Identity compiler_;
    store::Store store_;
    store::Database& database_;
    std::deque<std::uint64_t> order_;
    std::map<std::uint64_t, store::Record> waiting_;
    std::optional<std::uint64_t> end_;  // where the campaign ends because it is quiet
    std::uint64_t cases_of_this_run_ = 0;
    std::uint64_t not_filed_ = 0;
    std::map<std::string, std::uint64_t> by_class_;
};

}  // namespace haruspex::campaign
