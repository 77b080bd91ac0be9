#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generators/base/result.h"
#include "reports/store/record.h"

// A campaign's database, DIR/campaign.sqlite (schema.h has the tables): every case with its verdict, features and
// times, the findings, and the indices that each process has taken. Several processes may work on it at once, and each
// may end at any moment in any way. Everything that such a process committed is kept, and other processes can take the
// indices that it had taken and not done.
//
// Errors name the database and give the message of SQLite or the system. After an error the current operation is
// undone; everything before that operation stays.
namespace haruspex::store {

// The largest index of a case: SQLite's integers are signed.
inline constexpr std::uint64_t largest_index = (std::uint64_t{1} << 63U) - 1;

// A campaign's settings: name -> value.
struct Settings {
    std::map<std::string, std::string> fixed;   // those that decide verdicts: the same in every run
    std::map<std::string, std::string> latest;  // those of the last run
};

// Indices [first, past).
struct Range {
    std::uint64_t first = 0, past = 0;
};

struct Offer {
    std::optional<Range> range;
    // If there is no range: whether other processes are still at work. If they end, their ranges become available.
    bool others_at_work = false;
};

// Totals over all cases.
struct Figures {
    std::uint64_t cases = 0;
    std::uint64_t findings = 0;
    std::map<std::string, std::uint64_t> by_class;
    std::map<std::string, std::uint64_t> rejections;           // reason -> number of cases
    std::map<std::string, std::vector<std::uint64_t>> groups;  // group of findings or faults -> case indices in order
    std::map<std::string, std::uint64_t> features;
    std::map<std::uint64_t, std::uint64_t> directives;  // number of directives -> number of cases
    std::map<std::string, double> seconds_by_stage;     // summed over the workers; without slow_stage
    std::uint64_t slow_cases = 0;                       // cases with a time in slow_stage
    double slow_seconds = 0;                            // the sum of these times
    std::string target;                                 // of the cases; the generator gives all of them the same target
    double seconds = 0;                                 // of all runs together
    std::uint64_t not_filed = 0;                        // findings and faults for which there was no room
};

// How many cases have a feature and this verdict.
struct FeatureCount {
    std::string feature;
    std::string cls, reason;  // as stored: the class's name, and why a case was rejected
    std::uint64_t cases = 0;
};
// How many cases have both features; `first` is before `second`.
struct PairCount {
    std::string first, second;
    std::uint64_t cases = 0;
};

// The disk space of findings and faults.
struct Filed {
    std::uint64_t bytes = 0;      // the size of the folders of those that were filed
    std::uint64_t not_filed = 0;  // the number of those for which there was no room
};

// How a campaign stands: less than Figures, and quick to find for a campaign that runs.
struct Glance {
    std::uint64_t cases = 0;
    std::map<std::string, std::uint64_t> by_class;
    std::map<std::string, std::uint64_t> rejections;  // reason -> number of cases
    // The groups of findings and faults, with their cases; how many had none before the last `recent` cases, and how many
    // cases ago the newest got its first.
    std::map<std::string, std::uint64_t> groups;
    std::uint64_t new_groups = 0;
    std::optional<std::uint64_t> newest_group_ago;
    // The features of the cases, and those that no case had before the last `recent` cases, in the order of indices.
    std::uint64_t features = 0, new_features = 0, recent = 0;
    struct Novelty {
        std::string feature;
        std::uint64_t cases_ago = 0;  // 0: the last case brought it
    };
    std::optional<Novelty> newest;  // the feature that came last; the first by name of several
    double seconds = 0;             // of all runs together
    std::uint64_t slow_cases = 0;   // as in Figures
    double slow_seconds = 0;
    std::uint64_t filed_bytes = 0, not_filed = 0;  // as in Filed
    std::uint64_t database_bytes = 0;
};

struct StoredCase {
    std::uint64_t index = 0;
    verdict::Verdict verdict;
    std::string prophecies;
};

// Private to reports/store (database_state.h).
struct DatabaseState;

class Database {
public:
    // Opens the database in a campaign's folder, or creates it for a campaign whose cases begin with index `first`. An
    // Error if the campaign was begun with other fixed settings, if the tables are of a newer haruspex, or if the
    // folder cannot be written.
    [[nodiscard]] static Result<Database> open(const std::filesystem::path& folder, const Settings& settings,
                                               std::uint64_t first);
    // Returns the settings of the campaign in this folder; nullopt if there is none.
    [[nodiscard]] static Result<std::optional<Settings>> settings(const std::filesystem::path& folder);

    // Opens the database of the campaign in this folder to read it, beside processes that work on it and without a trace
    // for them. nullopt if there is none.
    [[nodiscard]] static Result<std::optional<Database>> look(const std::filesystem::path& folder);

    Database(Database&&) noexcept;
    ~Database();

    // Returns the stored settings.
    [[nodiscard]] Result<Settings> settings() const;
    // Returns the number of this process's run, which no other has.
    std::int64_t run() const;
    // Whether the folder still has the file that was opened. If it was removed, moved or replaced, nothing more that this
    // process writes would be found.
    bool is_in_place() const;
    // Returns the runs whose processes are at work, in order; that of this process is among them.
    [[nodiscard]] Result<std::vector<std::int64_t>> runs_at_work() const;

    // Does the work as one transaction, while no other process writes. If the work returns an Error, the work is
    // undone.
    [[nodiscard]] Result<void> together(const std::function<Result<void>()>& work);
    // Whether no other process works on the campaign.
    [[nodiscard]] Result<bool> is_alone() const;

    // Takes at most `length` indices below `past`: of the lowest range that a process left when it ended, else the next
    // ones.
    [[nodiscard]] Result<Offer> take(std::uint64_t past, std::uint64_t length);
    // Whether every index below `past` is done.
    [[nodiscard]] Result<bool> is_done(std::uint64_t past) const;

    // Within together(): stores the record of a case, which must be the lowest undone index of a range that this
    // process has taken. `folder` is the folder of the case's finding, relative to the campaign's folder; empty if it
    // was not filed. `bytes` is the size of that folder, or the size that it would have; 0 if there was nothing to
    // file.
    [[nodiscard]] Result<void> add(const Record& record, const std::string& folder, std::uint64_t bytes);
    // Stores for how many seconds this process has worked so far.
    [[nodiscard]] Result<void> set_seconds(double seconds);

    // Returns the index at which a campaign that stops when quiet ends: the first index such that the `length` cases
    // before it brought no new group. nullopt if the cases done so far do not reach it.
    [[nodiscard]] Result<std::optional<std::uint64_t>> quiet_from(std::uint64_t length) const;

    [[nodiscard]] Result<Filed> filed() const;
    // Returns the number of cases of each class, faster than figures().
    [[nodiscard]] Result<std::map<std::string, std::uint64_t>> by_class() const;
    // Returns how the campaign stands. `recent`: for Glance::new_features.
    [[nodiscard]] Result<Glance> glance(std::uint64_t recent) const;
    // Returns the number of cases with each feature whose name begins with `prefix`.
    [[nodiscard]] Result<std::map<std::string, std::uint64_t>> counts_with(std::string_view prefix) const;
    // Returns the counts of all features, in the order of their names.
    [[nodiscard]] Result<std::vector<FeatureCount>> feature_counts() const;
    // Returns the counts of all pairs of features that a case has, in the order of their names. The time is that of some
    // hundred pairs for each case.
    [[nodiscard]] Result<std::vector<PairCount>> pair_counts() const;
    // Returns the totals over the cases below `past`.
    [[nodiscard]] Result<Figures> figures(std::uint64_t past) const;
    // Returns, for each feature whose name begins with `prefix`, the cases below `past` that have it, in order.
    [[nodiscard]] Result<std::map<std::string, std::vector<std::uint64_t>>> cases_with(std::string_view prefix,
                                                                                       std::uint64_t past) const;
    // Calls `look` with every case below `past`, in order.
    [[nodiscard]] Result<void> for_each_case(std::uint64_t past,
                                             const std::function<Result<void>(const StoredCase&)>& look) const;

private:
    explicit Database(std::unique_ptr<DatabaseState> state);
    std::unique_ptr<DatabaseState> state_;
};

}  // namespace haruspex::store
