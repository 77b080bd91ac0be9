#include "reports/measure/results.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <tuple>

#include "reports/measure/times.h"

namespace haruspex::measure {
namespace {

std::uint64_t at(const Outcomes& outcomes, Outcome outcome) {
    const auto found = outcomes.find(outcome);
    return found == outcomes.end() ? 0 : found->second;
}

std::uint64_t sum(const Outcomes& outcomes) {
    std::uint64_t all = 0;
    for (const auto& [outcome, count] : outcomes) { all += count; }
    return all;
}

// Powers of two: "statements:17-32".
std::string size_class(std::uint64_t statements) {
    const std::uint64_t most = statements_class(statements);
    return fmt::format("statements:{:04}-{:04}", most == 4 ? 1 : most / 2 + 1, most);
}

std::vector<std::string> cells_of(const Record& record) {
    std::vector<std::string> names(record.features.begin(), record.features.end());
    names.push_back(size_class(record.size.at("statements")));
    names.push_back(fmt::format("depth:{}", record.size.at("depth")));
    names.push_back("making:" + record.making);
    return names;
}

void add_cells(const Record& record, std::map<std::string, Cell>& cells) {
    const auto is_decided = [&](Method method) {
        const Entry* entry = record.find(method, Question::all_sizes);
        return entry != nullptr && decides(record, *entry);
    };
    const bool by_validator = !record.is_wrong && is_decided(Method::validator);
    const bool by_equivalence = !record.is_wrong && is_decided(Method::equivalence);
    for (const std::string& name : cells_of(record)) {
        Cell& cell = cells[name];
        cell.name = name;
        ++cell.put;
        cell.right += record.is_wrong ? 0 : 1;
        for (const Method method : all_methods) {
            if (!is_decided(method)) { continue; }
            ++cell.decided[method];
            cell.proved[method] += record.is_wrong ? 0 : 1;
        }
        cell.only_validator += by_validator && !by_equivalence ? 1 : 0;
        cell.only_equivalence += by_equivalence && !by_validator ? 1 : 0;
    }
}

void add_to(Example& example, const Record& record) {
    const std::uint64_t statements = record.size.at("statements");
    if (example.count == 0 || statements < example.statements) {
        example.index = record.index;
        example.statements = statements;
    }
    ++example.count;
}

using ReasonKey = std::tuple<Method, Question, Outcome, std::string>;

void add_reason(const Record& record, const Entry& entry, std::map<ReasonKey, Reason>& reasons) {
    // A run that agrees proves nothing; this is not worth a reason.
    if (runs_programs(entry.method) || entry.answer.outcome == Outcome::proved ||
        entry.answer.outcome == Outcome::refuted) {
        return;
    }
    const std::string text = reason_class(entry.answer);
    Reason& reason = reasons[{entry.method, entry.question, entry.answer.outcome, text}];
    reason.method = entry.method;
    reason.question = entry.question;
    reason.outcome = entry.answer.outcome;
    reason.text = text;
    add_to(reason.all, record);
    const Entry* other =
        record.find(entry.method == Method::validator ? Method::equivalence : Method::validator, entry.question);
    if (other != nullptr && decides(record, *other)) { add_to(reason.others, record); }
}

void add_detection(const Record& record, std::map<std::string, Detection>& detections) {
    if (record.making != name(Making::mutant)) { return; }
    Detection& detection = detections[record.detail];
    detection.mutant = record.detail;
    ++detection.put;
    for (const Entry& entry : record.entries) {
        Detection::By& by = detection.by[title(entry.method, entry.question)];
        by.cpu_seconds += entry.spent.cpu_seconds;
        if (!by.first) { by.cpu_until_first += entry.spent.cpu_seconds; }
        if (entry.answer.outcome != Outcome::refuted) { continue; }
        ++by.detected;
        if (!by.first) { by.first = detection.put; }
    }
}

template <typename Map>
auto values(Map& map) {
    std::vector<typename Map::mapped_type> all;
    for (auto& [key, value] : map) { all.push_back(std::move(value)); }
    return all;
}

}  // namespace

std::uint64_t Confusion::wrong_answers() const {
    // Native code may be wrong although the lowered program is right.
    if (method == Method::native) { return 0; }
    return at(wrong, Outcome::proved) + at(right, Outcome::refuted);
}
std::uint64_t Confusion::decided() const { return at(right, Outcome::proved) + at(wrong, Outcome::refuted); }
std::uint64_t Confusion::put() const { return sum(right) + sum(wrong); }

const Confusion* Results::find(Method method, Question question) const {
    const auto found = std::ranges::find_if(
        confusions, [&](const Confusion& c) { return c.method == method && c.question == question; });
    return found == confusions.end() ? nullptr : &*found;
}

std::uint64_t Results::fooled() const {
    std::uint64_t count = 0;
    for (const ProphecyRow& row : prophecies) { count += row.is_wrong ? at(row.outcomes, Outcome::proved) : 0; }
    return count;
}

std::string reason_class(const Answer& answer) {
    std::string text = answer.reason;
    std::string inner;
    if (const std::size_t open = text.rfind(" ["); open != std::string::npos && text.ends_with(']')) {
        inner = text.substr(open + 2, text.size() - open - 3);
        text.resize(open);
    }
    const std::size_t first = text.find(':');
    if (first != std::string::npos) {
        // "not_proved: 2 of 3 outputs …", "not run: …" and the like have the details behind the colon.
        const std::size_t second = text.find(':', first + 1);
        text.resize(inner.empty() ? std::min(second, text.size()) : first);
    }
    if (!inner.empty()) { text += ": " + inner.substr(0, inner.find(':')); }
    std::string plain;
    for (const char c : text) {
        if (std::isdigit(static_cast<unsigned char>(c)) == 0) {
            plain += c;
        } else if (plain.empty() || plain.back() != '#') {
            plain += '#';
        }
    }
    constexpr std::size_t longest = 90;
    if (plain.size() > longest) { plain = plain.substr(0, longest) + "…"; }
    return plain;
}

std::string title(Method method, Question question) {
    std::string text(name(method));
    if (runs_programs(method)) { return text; }
    return text + ", " + std::string(name(question)) + " sizes";
}

Results results_of(const std::vector<Record>& records) {
    Results results;
    std::map<std::pair<Method, Question>, Confusion> confusions;
    std::map<std::string, Cell> cells;
    std::map<ReasonKey, Reason> reasons;
    std::map<std::pair<std::string, bool>, ProphecyRow> prophecies;
    std::map<std::string, Detection> detections;
    for (const Record& record : records) {
        if (record.making.empty()) {
            ++results.no_problem;
            if (record.no_problem.starts_with("fault")) { results.faults.push_back(record.index); }
            continue;
        }
        ++results.put;
        ++(record.is_wrong ? results.wrong : results.right);
        ++results.by_making[record.making];
        const bool is_made_wrong = record.making == name(Making::mutated) || record.making == name(Making::mutant) ||
                                   record.making == name(Making::lowered_mutated);
        if (record.is_wrong && !is_made_wrong) { results.made_right_and_wrong.push_back(record.index); }
        for (const Entry& entry : record.entries) {
            Confusion& confusion = confusions[{entry.method, entry.question}];
            confusion.method = entry.method;
            confusion.question = entry.question;
            ++(record.is_wrong_for(entry.question) ? confusion.wrong : confusion.right)[entry.answer.outcome];
            if (is_wrong_answer(record, entry)) {
                results.wrong_answers.push_back({record.index, entry.method, entry.question, entry.answer.outcome,
                                                 entry.answer.reason, record.shown});
            }
            if (entry.answer.outcome == Outcome::failed &&
                (results.faults.empty() || results.faults.back() != record.index)) {
                results.faults.push_back(record.index);
            }
            add_reason(record, entry, reasons);
        }
        for (const ProphecyTrial& trial : record.prophecies) {
            const bool is_wrong = record.is_wrong_for(trial.question);
            ProphecyRow& row = prophecies[{trial.kind, is_wrong}];
            row.kind = trial.kind;
            row.is_wrong = is_wrong;
            ++row.outcomes[trial.answer.outcome];
        }
        add_cells(record, cells);
        add_detection(record, detections);
    }
    results.confusions = values(confusions);
    results.cells = values(cells);
    results.reasons = values(reasons);
    std::ranges::stable_sort(results.reasons, std::greater{}, [](const Reason& reason) { return reason.all.count; });
    results.prophecies = values(prophecies);
    results.detections = values(detections);
    return results;
}

}  // namespace haruspex::measure
