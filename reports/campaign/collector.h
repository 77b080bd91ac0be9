#pragma once

#include <deque>
#include <map>
#include <optional>

#include "reports/campaign/campaign.h"
#include "reports/store/database.h"
#include "reports/store/store.h"

namespace haruspex::campaign {

// Keeps what the workers tell, in the order in which cases were given out: what stands on disk is then the same
// whichever worker was faster.
class Collector {
public:
    Collector(const Options& options, std::string cases_digest, compiler::Identity compiler, store::Store store,
              store::Database& database)
        : options_(options),
          cases_digest_(std::move(cases_digest)),
          compiler_(std::move(compiler)),
          store_(std::move(store)),
          database_(database) {}
    // Looks at what is there already. Call it first.
    [[nodiscard]] Result<void> begin();

    // This case was given out.
    void expect(std::uint64_t index) { order_.push_back(index); }
    // The record of a case that was given out and not taken yet.
    void take(store::Record record);
    // Files and keeps every case before which none is missing. Only what was committed may be told to anybody.
    [[nodiscard]] Result<void> commit(double seconds);
    // Whether nothing new was found for as long as was asked for: what is not committed yet never will be.
    bool is_quiet() const { return end_.has_value(); }

    // Writes the summary as it stands: for readers of a campaign under way.
    [[nodiscard]] Result<void> checkpoint();
    // Writes the lists and the summary, and returns it.
    [[nodiscard]] Result<Summary> finish(double seconds, bool interrupted);

    // Of all committed cases, those of earlier runs included.
    std::uint64_t cases() const;
    std::uint64_t cases_of_this_run() const { return cases_of_this_run_; }
    // Findings and faults for which there was no room.
    std::uint64_t not_filed() const { return not_filed_; }
    const std::map<std::string, std::uint64_t>& by_class() const { return by_class_; }

private:
    Result<void> keep(store::Record record);
    // Where a finding was filed, below the campaign's folder, and what that takes or would have taken.
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
