#include "reports/measure/times.h"

#include <algorithm>

namespace haruspex::measure {
namespace {

struct Collected {
    std::vector<double> seconds;
    std::vector<std::uint64_t> memory;

    void add(const Spent& spent) {
        seconds.push_back(spent.cpu_seconds);
        memory.push_back(spent.memory_bytes);
    }
    Summary summary() {
        std::ranges::sort(seconds);
        std::ranges::sort(memory);
        Summary summary;
        summary.answers = seconds.size();
        if (seconds.empty()) { return summary; }
        const auto at = [](const auto& sorted, double share) {
            return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
        };
        summary.median = at(seconds, 0.5);
        summary.in_twenty = at(seconds, 0.95);
        summary.most = at(seconds, 1);
        for (const double s : seconds) { summary.sum += s; }
        summary.median_memory = at(memory, 0.5);
        summary.in_twenty_memory = at(memory, 0.95);
        summary.most_memory = at(memory, 1);
        return summary;
    }
};

}  // namespace

Times times_of(const std::vector<Record>& records) {
    std::map<std::pair<Method, Question>, Collected> of_answers;
    std::map<Method, std::map<std::uint64_t, Collected>> by_statements;
    Times times;
    for (const Record& record : records) {
        if (!record.build.empty()) { ++times.builds[record.build]; }
        if (record.making.empty()) { continue; }
        for (const Entry& entry : record.entries) {
            of_answers[{entry.method, entry.question}].add(entry.spent);
            if (record.find(entry.method, Question::all_sizes) != &entry) { continue; }
            by_statements[entry.method][statements_class(record.size.at("statements"))].add(entry.spent);
            if (!decides(record, entry)) { continue; }
            times.decided[entry.method].push_back(entry.spent.cpu_seconds);
            times.memory_of_decided[entry.method].push_back(mebibytes(entry.spent.memory_bytes));
        }
    }
    for (auto* const lists : {&times.decided, &times.memory_of_decided}) {
        for (auto& [method, list] : *lists) { std::ranges::sort(list); }
    }
    for (auto& [key, collected] : of_answers) { times.of_answers[key] = collected.summary(); }
    for (auto& [method, classes] : by_statements) {
        for (auto& [most, collected] : classes) { times.by_statements[method][most] = collected.summary(); }
    }
    return times;
}

double mebibytes(std::uint64_t bytes) { return static_cast<double>(bytes) / (1U << 20U); }

std::uint64_t statements_class(std::uint64_t statements) {
    std::uint64_t most = 4;
    while (statements > most) { most *= 2; }
    return most;
}

}  // namespace haruspex::measure
