#include "reports/campaign/lists.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "reports/store/files.h"

namespace haruspex::campaign {
namespace {

using Json = nlohmann::ordered_json;

std::string line(const Json& tree) { return tree.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json case_line(const store::StoredCase& known) {
    Json tree = {
        {"index", known.index}, {"class", verdict::name(known.verdict.cls)}, {"message", known.verdict.message}};
    if (const auto& difference = known.verdict.difference) {
        tree["tensor"] = difference->tensor;
        tree["component"] = difference->component;
        tree["cell"] = difference->cell;
        tree["expected"] = value::to_string(difference->expected);
        tree["actual"] = value::to_string(difference->actual);
    }
    if (known.verdict.pass) { tree["pass"] = to_string(*known.verdict.pass); }
    if (const auto& own_sizes = known.verdict.own_sizes) { tree["validator"] = to_string(*own_sizes); }
    if (const auto& all_sizes = known.verdict.all_sizes) { tree["all_sizes"] = to_string(*all_sizes); }
    if (!known.prophecies.empty()) { tree["prophecies"] = known.prophecies; }
    return tree;
}

// A list whose file exists only if the list was requested or has an entry.
class List {
public:
    List(std::filesystem::path file, bool is_asked_for) : file_(std::move(file)), is_asked_for_(is_asked_for) {}
    Result<void> append(const Json& tree) {
        if (auto begun = begin(); !begun) { return begun; }
        return lines_->append(line(tree));
    }
    Result<void> finish() {
        if (!lines_ && !is_asked_for_) {
            std::error_code ignored;
            std::filesystem::remove(file_, ignored);
            return {};
        }
        if (auto begun = begin(); !begun) { return begun; }
        return lines_->finish();
    }

private:
    Result<void> begin() {
        if (lines_) { return {}; }
        auto lines = store::LineFile::create(file_);
        if (!lines) { return fail(lines.error()); }
        lines_ = std::move(*lines);
        return {};
    }

    std::filesystem::path file_;
    bool is_asked_for_;
    std::optional<store::LineFile> lines_;
};

}  // namespace

Result<void> write_lists(const Options& options, const store::Database& database, std::uint64_t past) {
    List rejected(options.out / "rejected.jsonl", true);
    List faults(options.out / "faults.jsonl", false);
    List cases(options.out / "cases.jsonl", options.list_cases);
    auto looked = database.for_each_case(past, [&](const store::StoredCase& known) -> Result<void> {
        const verdict::Class cls = known.verdict.cls;
        if (cls == verdict::Class::rejected) {
            auto written = rejected.append({{"index", known.index}, {"reason", known.verdict.message}});
            if (!written) { return written; }
        }
        // A case that killed its worker leaves no folder, only its line.
        if (verdict::is_own_fault(cls)) {
            if (auto written = faults.append(case_line(known)); !written) { return written; }
        }
        return options.list_cases ? cases.append(case_line(known)) : Result<void>{};
    });
    if (!looked) { return looked; }
    for (List* list : {&rejected, &faults, &cases}) {
        if (auto finished = list->finish(); !finished) { return finished; }
    }
    return {};
}

}  // namespace haruspex::campaign
