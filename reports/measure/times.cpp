#include "reports/measure/times.h"

#include <algorithm>

#include "reports/measure/results.h"

namespace haruspex::measure {
namespace {

struct Collected {
    std::vector<double> seconds;
    std::uint64_t most_memory = 0;

    void add(const Spent& spent) {
        seconds.push_back(spent.cpu_seconds);
        most_memory = std::max(most_memory, spent.memory_bytes);
    }
    Summary summary() {
        std::ranges::sort(seconds);
        Summary summary;
        summary.answers = seconds.size();
        if (seconds.empty()) { return summary; }
        const auto at = [&](double share) {
            return seconds[static_cast<std::size_t>(share * static_cast<double>(seconds.size() - 1))];
        };
        summary.median = at(0.5);
        summary.in_twenty = at(0.95);
        summary.most = at(1);
        for (const double s : seconds) { summary.sum += s; }
        summary.most_memory = most_memory;
        return summary;
    }
};

}  // namespace

Times times_of(const std::vector<Record>& records) {
    std::map<std::pair<Method, Question>, Collected> of_answers;
    std::map<Method, std::map<std::uint64_t, Collected>> by_statements;
    Times times;
    for (const Record& record : records) {
        if (record.making.empty()) { continue; }
        for (const Entry& entry : record.entries) {
            of_answers[{entry.method, entry.question}].add(entry.spent);
            if (record.find(entry.method, Question::all_sizes) != &entry) { continue; }
            by_statements[entry.method][statements_class(record.size.at("statements"))].add(entry.spent);
            if (decides(record, entry)) { times.decided[entry.method].push_back(entry.spent.cpu_seconds); }
        }
    }
    for (auto& [method, seconds] : times.decided) { std::ranges::sort(seconds); }
    for (auto& [key, collected] : of_answers) { times.of_answers[key] = collected.summary(); }
    for (auto& [method, classes] : by_statements) {
        for (auto& [most, collected] : classes) { times.by_statements[method][most] = collected.summary(); }
    }
    return times;
}

std::uint64_t statements_class(std::uint64_t statements) {
    std::uint64_t most = 4;
    while (statements > most) { most *= 2; }
    return most;
}

}  // namespace haruspex::measure
