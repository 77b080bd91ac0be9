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

// What a campaign knows, in DIR/campaign.sqlite (schema.h has the tables): every case with its verdict, features and
// times, the findings, and which indices are taken by which process. Several processes may work on it at once, and each
// may end at any moment, however it ends: what was written is kept, and what it had taken and not done goes back.
//
// Errors name the database, and what SQLite or the system says of it. After one, what was under way is undone and
// everything before it stays.
namespace haruspex::store {

// Indices of cases are at most this: SQLite's integers are signed.
inline constexpr std::uint64_t largest_index = (std::uint64_t{1} << 63U) - 1;

// How a campaign was begun, by name.
struct Settings {
    std::map<std::string, std::string> fixed;   // what decides verdicts: the same for all who work on it
    std::map<std::string, std::string> latest;  // whatever the last run was asked for
};

// Indices [first, past).
struct Range {
    std::uint64_t first = 0, past = 0;
};

struct Offer {
    std::optional<Range> range;
    // When there is none: whether living processes are still at work, whose ranges come back should they end.
    bool others_at_work = false;
};

// What comes of all cases together.
struct Figures {
    std::uint64_t cases = 0;
    std::uint64_t findings = 0;
    std::map<std::string, std::uint64_t> by_class;
    std::map<std::string, std::uint64_t> rejections;           // reason -> cases
    std::map<std::string, std::vector<std::uint64_t>> groups;  // group of findings or faults -> case indices in order
    std::map<std::string, std::uint64_t> features;
    std::map<std::uint64_t, std::uint64_t> directives;  // number of directives -> cases
    std::map<std::string, double> seconds_by_stage;     // summed over the workers
    std::string target;                                 // of the cases; they share the generator's
    double seconds = 0;                                 // of all runs together
    std::uint64_t not_filed = 0;                        // findings and faults for which there was no room
};

// What of the findings and faults stands on disk.
struct Filed {
    std::uint64_t bytes = 0;      // that their folders take
    std::uint64_t not_filed = 0;  // how many there was no room for
};

struct KnownCase {
    std::uint64_t index = 0;
    verdict::Verdict verdict;
    std::string prophecies;
};

class Database {
public:
    // Opens the database of a campaign's folder, or makes it for a campaign whose cases begin with `first`. An Error
    // when the fixed settings are not those with which the campaign was begun, the tables are of a newer haruspex, or
    // the folder cannot be written.
    [[nodiscard]] static Result<Database> open(const std::filesystem::path& folder, const Settings& settings,
                                               std::uint64_t first);
    // The settings of the campaign in this folder; nothing when there is none.
    [[nodiscard]] static Result<std::optional<Settings>> settings(const std::filesystem::path& folder);

    Database(Database&&) noexcept;
    ~Database();

    // Does all of it or nothing, while no other process writes. An Error of the work undoes it, too.
    [[nodiscard]] Result<void> together(const std::function<Result<void>()>& work);
    // Whether no other process works on the campaign.
    [[nodiscard]] Result<bool> is_alone() const;

    // Takes at most `length` indices below `past`: the lowest that a process gave back by ending, else the next.
    [[nodiscard]] Result<Offer> take(std::uint64_t past, std::uint64_t length);
    // Whether every index below `past` is done.
    [[nodiscard]] Result<bool> is_done(std::uint64_t past) const;

    // Within together(): keeps what is known of a case, the lowest of a range that this process has taken and that are
    // not done. `folder` is where its finding was filed, below the campaign's; empty when nowhere. `bytes` is what the
    // folder takes or would have taken; 0 when there was nothing to file.
    [[nodiscard]] Result<void> add(const Record& record, const std::string& folder, std::uint64_t bytes);
    // The seconds that this process has worked until now.
    [[nodiscard]] Result<void> set_seconds(double seconds);

    // The index at which the campaign ends if it shall end as soon as `length` cases in a row, in the order of their
    // indices, brought no new group. Nothing as long as that is not so; what is not done yet may bring one.
    [[nodiscard]] Result<std::optional<std::uint64_t>> quiet_from(std::uint64_t length) const;

    [[nodiscard]] Result<Filed> filed() const;
    // The cases by class: what of figures() is wanted at once.
    [[nodiscard]] Result<std::map<std::string, std::uint64_t>> by_class() const;
    // Of the cases below `past`.
    [[nodiscard]] Result<Figures> figures(std::uint64_t past) const;
    // By feature, of those whose names begin so, the cases below `past` in order.
    [[nodiscard]] Result<std::map<std::string, std::vector<std::uint64_t>>> cases_with(std::string_view prefix,
                                                                                       std::uint64_t past) const;
    // Every case below `past`, in order.
    [[nodiscard]] Result<void> for_each_case(std::uint64_t past,
                                             const std::function<Result<void>(const KnownCase&)>& look) const;

private:
    struct State;
    explicit Database(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace haruspex::store
