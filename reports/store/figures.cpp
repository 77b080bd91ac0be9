// The queries of Database for summaries and lists.

#include <algorithm>

#include "reports/store/database.h"
#include "reports/store/database_state.h"
#include "reports/store/verdict_json.h"

namespace haruspex::store {
namespace {

using Counts = std::map<std::string, std::uint64_t>;

Counts counts(const sqlite::Connection& connection, std::string_view sql, std::uint64_t past) {
    Counts counts;
    sqlite::Statement rows = connection.prepare(sql);
    rows.bind(past);
    while (rows.step()) { counts[rows.text(0)] = rows.natural(1); }
    return counts;
}

constexpr const char* cases_by_class = "SELECT class, count(*) FROM cases WHERE idx < ? GROUP BY class";

}  // namespace

Result<std::optional<std::uint64_t>> Database::quiet_from(std::uint64_t length) const {
    return guarded(state_->file, [&]() -> Result<std::optional<std::uint64_t>> {
        const sqlite::Connection& connection = state_->connection;
        const std::uint64_t past = first_not_done(connection);
        auto since = static_cast<std::uint64_t>(connection.integer("SELECT first FROM campaign"));
        sqlite::Statement news = connection.prepare("SELECT min(idx) AS i FROM findings GROUP BY grp ORDER BY i");
        while (news.step() && news.natural(0) - since < length) { since = news.natural(0) + 1; }
        if (since > past || past - since < length) { return std::nullopt; }
        return since + length;
    });
}

Result<Filed> Database::filed() const {
    return guarded(state_->file, [&]() -> Result<Filed> {
        sqlite::Statement sums = state_->connection.prepare(
            "SELECT coalesce(sum(bytes * (folder <> '')), 0), coalesce(sum(folder = '' AND bytes > 0), 0) FROM "
            "findings");
        return sums.step() ? Filed{sums.natural(0), sums.natural(1)} : Filed{};
    });
}

Result<Counts> Database::by_class() const {
    return guarded(state_->file,
                   [&]() -> Result<Counts> { return counts(state_->connection, cases_by_class, largest_index); });
}

Result<Glance> Database::glance(std::uint64_t recent) const {
    return guarded(state_->file, [&]() -> Result<Glance> {
        const sqlite::Connection& connection = state_->connection;
        Glance glance;
        // Both from one look at the cases, which is what takes the time.
        sqlite::Statement classes = connection.prepare("SELECT class, reason, count(*) FROM cases GROUP BY 1, 2");
        while (classes.step()) {
            glance.by_class[classes.text(0)] += classes.natural(2);
            glance.cases += classes.natural(2);
            if (classes.text(0) == "rejected") { glance.rejections[classes.text(1)] = classes.natural(2); }
        }
        const auto past = static_cast<std::uint64_t>(connection.integer("SELECT coalesce(max(idx) + 1, 0) FROM cases"));
        glance.recent = std::min(recent, glance.cases);
        sqlite::Statement groups = connection.prepare("SELECT grp, count(*), min(idx) FROM findings GROUP BY grp");
        while (groups.step()) {
            const std::uint64_t cases_ago = past - 1 - groups.natural(2);
            glance.groups[groups.text(0)] = groups.natural(1);
            if (cases_ago < recent) { ++glance.new_groups; }
            glance.newest_group_ago = std::min(glance.newest_group_ago.value_or(cases_ago), cases_ago);
        }
        // The first case of each feature is found without looking at its others.
        sqlite::Statement features = connection.prepare(
            "SELECT name, (SELECT min(idx) FROM case_features AS c WHERE c.feature = f.feature) AS since "
            "FROM features AS f ORDER BY since DESC, name");
        while (features.step()) {
            const std::uint64_t cases_ago = past - 1 - features.natural(1);
            ++glance.features;
            if (cases_ago < recent) { ++glance.new_features; }
            if (!glance.newest) { glance.newest = {features.text(0), cases_ago}; }
        }
        sqlite::Statement slow = connection.prepare(
            "SELECT count(*), coalesce(sum(seconds), 0) FROM times WHERE stage = (SELECT stage FROM stages WHERE name "
            "= ?)");
        slow.bind(std::string(slow_stage));
        if (slow.step()) {
            glance.slow_cases = slow.natural(0);
            glance.slow_seconds = slow.real(1);
        }
        sqlite::Statement seconds = connection.prepare("SELECT coalesce(sum(seconds), 0) FROM runs");
        if (seconds.step()) { glance.seconds = seconds.real(0); }
        glance.database_bytes = static_cast<std::uint64_t>(connection.integer("PRAGMA page_count") *
                                                           connection.integer("PRAGMA page_size"));
        const auto filed_now = filed();
        if (!filed_now) { return fail(filed_now.error()); }
        glance.filed_bytes = filed_now->bytes;
        glance.not_filed = filed_now->not_filed;
        return glance;
    });
}

Result<Counts> Database::counts_with(std::string_view prefix) const {
    return guarded(state_->file, [&]() -> Result<Counts> {
        Counts found;
        sqlite::Statement rows = state_->connection.prepare(
            "SELECT name, (SELECT count(*) FROM case_features AS c WHERE c.feature = f.feature) FROM features AS f "
            "WHERE substr(name, 1, ?) = ?");
        rows.bind(std::uint64_t{prefix.size()}, std::string(prefix));
        while (rows.step()) { found[rows.text(0)] = rows.natural(1); }
        return found;
    });
}

Result<std::vector<FeatureCount>> Database::feature_counts() const {
    return guarded(state_->file, [&]() -> Result<std::vector<FeatureCount>> {
        std::vector<FeatureCount> counts;
        sqlite::Statement rows = state_->connection.prepare(
            "SELECT name, class, reason, count(*) FROM case_features JOIN features USING (feature) JOIN cases USING "
            "(idx) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3");
        while (rows.step()) { counts.push_back({rows.text(0), rows.text(1), rows.text(2), rows.natural(3)}); }
        return counts;
    });
}

Result<std::vector<PairCount>> Database::pair_counts() const {
    return guarded(state_->file, [&]() -> Result<std::vector<PairCount>> {
        std::vector<PairCount> counts;
        sqlite::Statement rows = state_->connection.prepare(
            "WITH pairs AS (SELECT a.feature AS a, b.feature AS b, count(*) AS cases FROM case_features AS a "
            "JOIN case_features AS b ON a.idx = b.idx AND a.feature < b.feature GROUP BY 1, 2) "
            "SELECT min(f.name, g.name), max(f.name, g.name), cases FROM pairs "
            "JOIN features AS f ON f.feature = a JOIN features AS g ON g.feature = b ORDER BY 1, 2");
        while (rows.step()) { counts.push_back({rows.text(0), rows.text(1), rows.natural(2)}); }
        return counts;
    });
}

Result<Figures> Database::figures(std::uint64_t past) const {
    return guarded(state_->file, [&]() -> Result<Figures> {
        const sqlite::Connection& connection = state_->connection;
        Figures figures;
        figures.by_class = counts(connection, cases_by_class, past);
        for (const auto& [name, cases] : figures.by_class) {
            figures.cases += cases;
            const auto cls = verdict::parse_class(name);
            if (cls && verdict::is_finding(*cls)) { figures.findings += cases; }
        }
        figures.rejections =
            counts(connection,
                   "SELECT reason, count(*) FROM cases WHERE idx < ? AND class = 'rejected' GROUP BY reason", past);
        figures.features = counts(connection,
                                  "SELECT name, count(*) FROM case_features JOIN features USING (feature) "
                                  "WHERE idx < ? GROUP BY feature",
                                  past);
        sqlite::Statement groups = connection.prepare("SELECT grp, idx FROM findings WHERE idx < ? ORDER BY grp, idx");
        groups.bind(past);
        while (groups.step()) { figures.groups[groups.text(0)].push_back(groups.natural(1)); }
        sqlite::Statement not_filed =
            connection.prepare("SELECT count(*) FROM findings WHERE folder = '' AND bytes > 0 AND idx < ?");
        not_filed.bind(past);
        if (not_filed.step()) { figures.not_filed = not_filed.natural(0); }
        sqlite::Statement directives =
            connection.prepare("SELECT directives, count(*) FROM cases WHERE idx < ? GROUP BY directives");
        directives.bind(past);
        while (directives.step()) { figures.directives[directives.natural(0)] = directives.natural(1); }
        sqlite::Statement times = connection.prepare(
            "SELECT name, sum(seconds), count(*) FROM times JOIN stages USING (stage) WHERE idx < ? GROUP BY stage");
        times.bind(past);
        while (times.step()) {
            if (times.text(0) == slow_stage) {
                figures.slow_seconds = times.real(1);
                figures.slow_cases = times.natural(2);
            } else {
                figures.seconds_by_stage[times.text(0)] = times.real(1);
            }
        }
        sqlite::Statement campaign = connection.prepare("SELECT target, (SELECT sum(seconds) FROM runs) FROM campaign");
        if (campaign.step()) {
            figures.target = campaign.text(0);
            figures.seconds = campaign.real(1);
        }
        return figures;
    });
}

Result<std::map<std::string, std::vector<std::uint64_t>>> Database::cases_with(std::string_view prefix,
                                                                               std::uint64_t past) const {
    using Cases = std::map<std::string, std::vector<std::uint64_t>>;
    return guarded(state_->file, [&]() -> Result<Cases> {
        Cases cases;
        sqlite::Statement rows = state_->connection.prepare(
            "SELECT name, idx FROM features JOIN case_features USING (feature) "
            "WHERE substr(name, 1, ?) = ? AND idx < ? ORDER BY name, idx");
        rows.bind(std::uint64_t{prefix.size()}, std::string(prefix), past);
        while (rows.step()) { cases[rows.text(0)].push_back(rows.natural(1)); }
        return cases;
    });
}

Result<void> Database::for_each_case(std::uint64_t past,
                                     const std::function<Result<void>(const StoredCase&)>& look) const {
    return guarded(state_->file, [&]() -> Result<void> {
        sqlite::Statement rows =
            state_->connection.prepare("SELECT idx, verdict, prophecies FROM cases WHERE idx < ? ORDER BY idx");
        rows.bind(past);
        while (rows.step()) {
            auto verdict = parse_verdict(rows.text(1), state_->file.string());
            if (!verdict) { return fail(verdict.error()); }
            if (auto seen = look({rows.natural(0), std::move(*verdict), rows.text(2)}); !seen) { return seen; }
        }
        return {};
    });
}

}  // namespace haruspex::store
