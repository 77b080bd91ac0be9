#include "reports/campaign/collector.h"

#include <nlohmann/json.hpp>

#include "generators/base/ensure.h"
#include "generators/case/json.h"
#include "reports/triage/signature.h"

namespace haruspex::campaign {
namespace {

using Json = nlohmann::ordered_json;

std::string line(const Json& tree) { return tree.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json case_line(const Record& record) {
    Json tree = {
        {"index", record.index}, {"class", verdict::name(record.verdict.cls)}, {"message", record.verdict.message}};
    if (const auto& difference = record.verdict.difference) {
        tree["tensor"] = difference->tensor;
        tree["component"] = difference->component;
        tree["cell"] = difference->cell;
        tree["expected"] = value::to_string(difference->expected);
        tree["actual"] = value::to_string(difference->actual);
    }
    if (!record.prophecies.empty()) { tree["prophecies"] = record.prophecies; }
    return tree;
}

}  // namespace

Result<Collector> Collector::create(const Options& options, const compiler::Identity& compiler) {
    auto store = store::Store::open(options.out);
    if (!store) { return fail(store.error()); }
    // Of an earlier campaign in the same folder; whatever this one does not write would contradict its summary.
    for (const char* name : {"summary.json", "rejected.jsonl", "faults.jsonl", "cases.jsonl"}) {
        std::error_code ignored;
        std::filesystem::remove(options.out / name, ignored);
    }
    auto rejected = store::LineFile::create(options.out / "rejected.jsonl");
    if (!rejected) { return fail(rejected.error()); }
    std::optional<store::LineFile> cases;
    if (options.list_cases) {
        auto file = store::LineFile::create(options.out / "cases.jsonl");
        if (!file) { return fail(file.error()); }
        cases = std::move(*file);
    }
    Collector collector(std::move(*store), std::move(*rejected), std::move(cases));
    collector.summary_.options = options;
    collector.summary_.compiler = compiler;
    collector.next_ = options.first;
    return collector;
}

Result<void> Collector::take(Record record) {
    // Filed at once: a finding must not be lost because an earlier case is slow.
    if (auto filed = file(record); !filed) { return filed; }
    ++taken_;
    ++by_class_[std::string(verdict::name(record.verdict.cls))];
    const std::uint64_t index = record.index;
    const bool fresh = index >= next_ && waiting_.emplace(index, std::move(record)).second;
    ENSURE(fresh, "every case is taken once");
    for (auto at = waiting_.find(next_); at != waiting_.end(); at = waiting_.find(next_)) {
        if (auto counted = count(at->second); !counted) { return counted; }
        waiting_.erase(at);
        ++next_;
    }
    return {};
}

Result<void> Collector::file(Record& record) {
    if (record.case_json.empty()) { return {}; }
    auto c = cases::parse_case(record.case_json, "case " + std::to_string(record.index));
    if (!c) {
        // What is filed must be readable. Not our reader's fault alone: the case cannot be trusted either.
        record.verdict.message = "the case's own JSON is refused: " + to_string(c.error()) + "; the verdict was " +
                                 std::string(verdict::name(record.verdict.cls)) + ": " + record.verdict.message;
        record.verdict.cls = verdict::Class::harness_failure;
        record.group.clear();
        return {};
    }
    const auto& options = summary_.options;
    const auto folder = store_.add({options.seed, record.index, std::move(*c), record.verdict, summary_.compiler,
                                    record.group, record.attachments});
    if (!folder) { return fail(folder.error()); }
    return {};
}

Result<void> Collector::count(const Record& record) {
    const verdict::Class cls = record.verdict.cls;
    ++summary_.cases;
    ++summary_.by_class[std::string(verdict::name(cls))];
    if (verdict::is_finding(cls)) { ++summary_.findings; }
    for (const std::string& feature : record.features) { ++summary_.features[feature]; }
    ++summary_.directives[record.directives];
    for (const auto& [stage, seconds] : record.seconds) { summary_.seconds_by_stage[stage] += seconds; }
    if (!record.target.empty()) { summary_.target = record.target; }
    if (is_kept(cls)) {
        // A case that killed its worker has no signature.
        summary_.groups[record.group.empty() ? std::string(verdict::name(cls)) : record.group].push_back(record.index);
    }
    if (is_kept(cls) && !verdict::is_finding(cls)) {
        // A case that killed its worker leaves no folder.
        if (!faults_) {
            auto file = store::LineFile::create(summary_.options.out / "faults.jsonl");
            if (!file) { return fail(file.error()); }
            faults_ = std::move(*file);
        }
        if (auto written = faults_->append(line(case_line(record))); !written) { return written; }
    }
    if (cls == verdict::Class::rejected) {
        const std::string reason = triage::normalise_message(record.verdict.message);
        ++summary_.rejections[reason];
        auto written = rejected_.append(line({{"index", record.index}, {"reason", record.verdict.message}}));
        if (!written) { return written; }
    }
    return cases_ ? cases_->append(line(case_line(record))) : Result<void>{};
}

Result<void> Collector::checkpoint(double seconds) {
    Summary so_far = summary_;
    so_far.seconds = seconds;
    so_far.interrupted = true;
    return store_.write_summary(to_json(so_far));
}

Result<Summary> Collector::finish(double seconds, bool interrupted) {
    ENSURE(waiting_.empty(), "every case that was given out was taken");
    summary_.seconds = seconds;
    summary_.interrupted = interrupted;
    if (auto written = rejected_.finish(); !written) { return fail(written.error()); }
    for (auto* file : {&faults_, &cases_}) {
        if (!*file) { continue; }
        if (auto written = (*file)->finish(); !written) { return fail(written.error()); }
    }
    if (auto written = store_.write_summary(to_json(summary_)); !written) { return fail(written.error()); }
    return summary_;
}

}  // namespace haruspex::campaign
