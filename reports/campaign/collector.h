#pragma once

#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "reports/campaign/kept.h"
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
    // Reads the state of the folder. Removes what killed processes left there, if no other process is at work. Call it
    // first.
    [[nodiscard]] Result<void> begin();

    // Notes that this case was given out.
    void expect(std::uint64_t index) { order_.push_back(index); }
    // Takes the record of a case that was given out, once for each case.
    void take(store::Record record);
    // Writes the taken records to the folder, up to the first case whose record is missing: files findings, and adds
    // cases to the database. Only committed cases may be reported. `seconds` is the time of this run so far.
    [[nodiscard]] Result<void> commit(double seconds);
    // Whether the campaign ended because it is quiet (Options::stop_when_quiet). Cases that are not committed by then
    // are never committed.
    bool is_quiet() const { return end_.has_value(); }

    // Counts the cases of other processes as well. Reads the whole database.
    [[nodiscard]] Result<void> recount();
    // Writes the summary of the cases so far, for readers of a campaign under way.
    [[nodiscard]] Result<void> checkpoint();
    // Writes the lists and the final summary, and returns the summary.
    [[nodiscard]] Result<Summary> finish(double seconds, bool interrupted);

    // Returns the number of committed cases, including those of earlier runs.
    std::uint64_t cases() const;
    std::uint64_t cases_of_this_run() const { return cases_of_this_run_; }
    // Returns the number of findings and faults for which there was no room.
    std::uint64_t not_filed() const { return not_filed_; }
    const std::map<std::string, std::uint64_t>& by_class() const { return by_class_; }
    // Returns the committed findings and faults of this run since the last call.
    std::vector<Kept> take_kept() { return std::exchange(kept_, {}); }

private:
    Result<void> keep(store::Record record);
    // The folder of a finding, relative to the campaign's folder (empty if not filed), and the bytes that the folder
    // takes, or would take if filed.
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
    std::vector<Kept> kept_;
};

}  // namespace haruspex::campaign
