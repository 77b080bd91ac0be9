#include "reports/measure/witnesses.h"

#include <map>
#include <nlohmann/json.hpp>

#include "generators/case/json.h"
#include "harness/compiler/compiler.h"
#include "reports/measure/asking.h"
#include "reports/measure/description.h"
#include "reports/measure/results.h"
#include "reports/minimize/minimizer.h"
#include "reports/store/files.h"

namespace haruspex::measure {
namespace {

using Json = nlohmann::ordered_json;

Method other(Method method) { return method == Method::validator ? Method::equivalence : Method::validator; }

bool is_open(const Answer& answer) {
    return answer.outcome == Outcome::undecided || answer.outcome == Outcome::unsupported;
}

// The minimiser preserves findings: this one stands for "is a witness".
verdict::Verdict told(bool is_witness) {
    verdict::Verdict verdict;
    verdict.cls = is_witness ? verdict::Class::wrong_result : verdict::Class::agrees;
    return verdict;
}

bool is_witness(const Sought& sought, const cases::Case& c, const Workplace& workplace, const Budget& budget) {
    const auto problem = lower(c, workplace.installed, workplace.identity, Making::lowered, "");
    if (!problem) { return false; }
    const auto answer = [&](Method method) {
        return ask_limited(method, Question::all_sizes, *problem, problem->own, workplace.identity, budget).answer;
    };
    const Answer open = answer(sought.method);
    return is_open(open) && reason_class(open) == sought.reason &&
           answer(other(sought.method)).outcome == Outcome::proved;
}

std::uint64_t statements_of(const cases::Case& c, const Workplace& workplace) {
    const auto problem = lower(c, workplace.installed, workplace.identity, Making::lowered, "");
    return problem ? size(*problem).at("statements") : 0;
}

Witness witness_of(const Sought& sought, const Series& series, const Workplace& workplace, const Options& options,
                   std::uint64_t most_runs) {
    const Item item = series.item(sought.index);
    if (!item.problem) { return {sought, "", 0, 0, false, item.problem.error()}; }
    const auto examine = [&](const cases::Case& c) { return is_witness(sought, c, workplace, options.budget); };
    Witness witness = shrink(sought, std::get<Lowered>(item.problem->subject).compiled, examine, workplace, most_runs);
    if (!witness.c.empty()) { witness.statements = statements_of(cases::parse_case(witness.c, "").value(), workplace); }
    return witness;
}

}  // namespace

std::vector<Sought> sought_in(const std::vector<Record>& records) {
    std::map<std::pair<Method, std::string>, Sought> smallest;
    for (const Record& record : records) {
        if (record.making != name(Making::lowered) || record.is_wrong) { continue; }
        for (const Method method : {Method::validator, Method::equivalence}) {
            const Entry* open = record.find(method, Question::all_sizes);
            const Entry* proved = record.find(other(method), Question::all_sizes);
            if (open == nullptr || proved == nullptr || !is_open(open->answer)) { continue; }
            if (proved->answer.outcome != Outcome::proved || open->answer.reason.ends_with("limit")) { continue; }
            const Sought sought{method, reason_class(open->answer), record.index, record.size.at("statements")};
            const auto [found, is_new] = smallest.try_emplace({method, sought.reason}, sought);
            if (!is_new && sought.statements < found->second.statements) { found->second = sought; }
        }
    }
    std::vector<Sought> all;
    for (auto& [key, sought] : smallest) { all.push_back(std::move(sought)); }
    return all;
}

std::string to_json(const Witness& witness) {
    return Json{{"method", name(witness.sought.method)},
                {"reason", witness.sought.reason},
                {"index", witness.sought.index},
                {"before", witness.sought.statements},
                {"case", witness.c},
                {"statements", witness.statements},
                {"runs", witness.runs},
                {"fixpoint", witness.is_fixpoint},
                {"none", witness.none}}
        .dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Witness> parse_witness(const std::string& line) {
    try {
        const Json json = Json::parse(line);
        const auto method = parse_method(json.at("method").get<std::string>());
        if (!method) { return fail("no such method: " + json.at("method").get<std::string>()); }
        return Witness{{*method, json.at("reason"), json.at("index"), json.at("before")},
                       json.at("case"),
                       json.at("statements"),
                       json.at("runs"),
                       json.at("fixpoint"),
                       json.at("none")};
    } catch (const Json::exception& e) { return fail("a malformed witness: " + std::string(e.what())); }
}

Witness shrink(const Sought& sought, const cases::Case& c, const std::function<bool(const cases::Case&)>& examine,
               const Workplace& workplace, std::uint64_t most_runs) {
    minimize::Options options;
    options.most_runs = most_runs;
    options.language = &compiler::language_of(workplace.identity);
    const auto smaller =
        minimize::minimize(c, [&](const cases::Case& candidate) { return told(examine(candidate)); }, options);
    if (!smaller) { return {sought, "", 0, 0, false, to_string(smaller.error())}; }
    if (!*smaller) { return {sought, "", 0, 1, false, "the answers are others now"}; }
    const minimize::Minimised& found = **smaller;
    return {sought, cases::to_json(found.best.c), 0, found.runs, found.ending == minimize::Ending::fixpoint, ""};
}

Result<std::vector<Witness>> find_witnesses(const Series& series, const std::vector<Record>& records,
                                            const Workplace& workplace, const Options& options, std::uint64_t most_runs,
                                            const std::atomic<bool>& stop,
                                            const std::function<void(const Progress&)>& progress) {
    const std::filesystem::path folder = options.out / "witnesses";
    if (auto made = store::make_folder(folder); !made) { return fail(made.error()); }
    Json first = Json::parse(header(series, workplace.identity, options));
    first["runs"] = most_runs;
    auto ledger = Ledger::open(folder / (std::to_string(records.size()) + ".jsonl"),
                               first_line(first.dump(), workplace.identity));
    if (!ledger) { return fail(ledger.error()); }
    const std::vector<Sought> sought = sought_in(records);
    Worklist list;
    list.what = "witnesses";
    list.count = sought.size();
    list.jobs = options.jobs;
    list.line = [&](std::uint64_t index) {
        return to_json(witness_of(sought.at(index), series, workplace, options, most_runs));
    };
    list.faulty = [&](std::uint64_t index, const std::string& fault) {
        return to_json(Witness{sought.at(index), "", 0, 0, false, "fault: " + fault});
    };
    const auto lines = work_off(list, *ledger, stop, progress);
    if (!lines) { return fail(lines.error()); }
    std::vector<Witness> witnesses;
    for (const std::string& line : *lines) {
        auto witness = parse_witness(line);
        if (!witness) { return fail(witness.error()); }
        witnesses.push_back(std::move(*witness));
    }
    return witnesses;
}

}  // namespace haruspex::measure
