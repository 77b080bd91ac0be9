#include "reports/campaign/collector.h"

#include "generators/base/ensure.h"
#include "generators/case/json.h"
#include "reports/campaign/lists.h"

namespace haruspex::campaign {

Result<void> Collector::begin() {
    auto cleaned = database_.together([&]() -> Result<void> {
        const auto is_alone = database_.is_alone();
        if (!is_alone) { return fail(is_alone.error()); }
        // No other process writes: one that begins now waits for the database.
        if (*is_alone) { store_.remove_leftovers(); }
        return {};
    });
    if (!cleaned) { return cleaned; }
    auto by_class = database_.by_class();
    if (!by_class) { return fail(by_class.error()); }
    by_class_ = std::move(*by_class);
    const auto filed = database_.filed();
    if (!filed) { return fail(filed.error()); }
    not_filed_ = filed->not_filed;
    return look_for_quiet();
}

void Collector::take(store::Record record) {
    const std::uint64_t index = record.index;
    const bool fresh = waiting_.emplace(index, std::move(record)).second;
    ENSURE(fresh, "every case is taken once");
}

Result<void> Collector::commit(double seconds) {
    if (order_.empty() || !waiting_.contains(order_.front())) { return {}; }
    return database_.together([&]() -> Result<void> {
        while (!order_.empty()) {
            const auto record = waiting_.find(order_.front());
            if (record == waiting_.end()) { break; }
            if (!is_quiet()) {
                if (auto kept = keep(std::move(record->second)); !kept) { return kept; }
                if (auto looked = look_for_quiet(); !looked) { return looked; }
            }
            waiting_.erase(record);
            order_.pop_front();
        }
        return database_.set_seconds(seconds);
    });
}

Result<void> Collector::keep(store::Record record) {
    const auto place = file(record);
    if (!place) { return fail(place.error()); }
    const std::string cls(verdict::name(record.verdict.cls));
    // A case that killed its worker, or whose JSON was refused, has no signature.
    if (store::is_kept(record.verdict.cls) && record.group.empty()) { record.group = cls; }
    if (auto added = database_.add(record, place->folder, place->bytes); !added) { return added; }
    if (place->folder.empty() && place->bytes > 0) { ++not_filed_; }
    if (store::is_kept(record.verdict.cls)) {
        kept_.push_back({record.index, record.verdict.cls, record.group, place->folder, record.verdict.message});
    }
    ++by_class_[cls];
    ++cases_of_this_run_;
    return {};
}

Result<Collector::Place> Collector::file(store::Record& record) {
    if (record.case_json.empty()) { return {}; }
    // A filed case must be readable, so its JSON is parsed first.
    auto c = cases::parse_case(record.case_json, "case " + std::to_string(record.index));
    if (!c) {
        // The reader is not alone at fault: the case cannot be trusted either.
        record.verdict.message = "the case's own JSON is refused: " + to_string(c.error()) + "; the verdict was " +
                                 std::string(verdict::name(record.verdict.cls)) + ": " + record.verdict.message;
        record.verdict.cls = verdict::Class::harness_failure;
        record.group.clear();
        return {};
    }
    const store::Finding finding{options_.seed, record.index,       std::move(*c), record.verdict,           compiler_,
                                 record.group,  record.attachments, record.seeded, drawing_options(options_)};
    const std::uint64_t bytes = store::footprint(finding);
    if (options_.disk_quota) {
        const auto filed = database_.filed();
        if (!filed) { return fail(filed.error()); }
        if (filed->bytes + bytes > *options_.disk_quota) { return Place{"", bytes}; }
    }
    const auto folder = store_.add(finding);
    if (!folder) { return fail(folder.error()); }
    return Place{folder->lexically_relative(store_.directory()).string(), bytes};
}

Result<void> Collector::look_for_quiet() {
    if (!options_.stop_when_quiet) { return {}; }
    const auto end = database_.quiet_from(*options_.stop_when_quiet);
    if (!end) { return fail(end.error()); }
    end_ = *end;
    return {};
}

std::uint64_t Collector::cases() const {
    std::uint64_t cases = 0;
    for (const auto& [name, count] : by_class_) { cases += count; }
    return cases;
}

Result<Summary> Collector::summary(bool interrupted) const {
    auto figures = database_.figures(past());
    if (!figures) { return fail(figures.error()); }
    const auto rows = database_.cases_with(row_feature, past());
    if (!rows) { return fail(rows.error()); }
    Summary summary{std::move(*figures), options_, compiler_, cases_digest_, interrupted, {}};
    for (const auto& [feature, cases] : *rows) {
        const auto row = parse_row(std::string_view(feature).substr(row_feature.size()));
        if (!row) { return fail("the campaign's database has an unknown row of the validator's table: " + feature); }
        summary.proofs[*row] = cases;
    }
    return summary;
}

Result<void> Collector::recount() {
    auto by_class = database_.by_class();
    if (!by_class) { return fail(by_class.error()); }
    by_class_ = std::move(*by_class);
    return {};
}

Result<void> Collector::checkpoint() {
    const auto so_far = summary(true);
    return so_far ? store_.write_summary(to_json(*so_far)) : fail(so_far.error());
}

Result<Summary> Collector::finish(double seconds, bool interrupted) {
    ENSURE(order_.empty() && waiting_.empty(), "every case that was given out was taken and committed");
    std::optional<Summary> final_summary;
    // In one transaction: if several processes end, the files of the last one stand.
    auto written = database_.together([&]() -> Result<void> {
        if (auto told = database_.set_seconds(seconds); !told) { return told; }
        if (auto listed = write_lists(options_, database_, past()); !listed) { return listed; }
        auto all = summary(interrupted);
        if (!all) { return fail(all.error()); }
        final_summary = std::move(*all);
        return store_.write_summary(to_json(*final_summary));
    });
    if (!written) { return fail(written.error()); }
    return *final_summary;
}

}  // namespace haruspex::campaign
