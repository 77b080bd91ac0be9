#include "reports/bugs/examination.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "generators/base/ensure.h"
#include "generators/case/json.h"
#include "generators/tensor/from_sare.h"
#include "reports/store/verdict_json.h"

namespace haruspex::bugs {
namespace {

using Json = nlohmann::ordered_json;

minimize::Options minimisation_of(const Options& options) {
    minimize::Options minimisation;
    minimisation.jobs = options.jobs;
    minimisation.language = options.language;
    return minimisation;
}

// `others` are the other symptoms that minimisation met, each with its smallest case.
void add_beneath(Examination& examination, const std::vector<minimize::Found>& others, const triage::PassOrder& order) {
    if (examination.ending != minimize::Ending::fixpoint) { return; }
    const minimize::Found& best = *examination.best;
    const Fingerprint print = fingerprint(best.c, best.symptom);
    for (const minimize::Found& other : others) {
        const bool is_smaller = minimize::size_of(other.c) < minimize::size_of(best.c);
        if (is_smaller && may_come_of(print, fingerprint(other.c, other.symptom), order)) {
            examination.beneath.push_back(other);
        }
    }
}

// Minimises a minimised case further, to a plainer symptom. At a fixpoint nothing can be removed without losing the
// symptom, so there is hardly room for another fault of the same pass.
Result<void> make_plain(Examination& examination, std::vector<minimize::Found>& others, const session::Judge& judge,
                        const minimize::Options& options) {
    const auto result = minimize::minimize(examination.best->c, judge, options);
    if (!result) { return fail(result.error()); }
    if (!*result) { return {}; }
    examination.runs += (*result)->runs;
    examination.best = std::move((*result)->best);
    examination.ending = (*result)->ending;
    std::ranges::move((*result)->others, std::back_inserter(others));
    return {};
}

// Minimises the best case on, as a program that need not be one of whole tensors.
Result<void> set_free(Examination& examination, const session::Judge& judge, minimize::Options options) {
    options.keeps_whole_tensors = false;
    const auto result = minimize::minimize(examination.best->c, judge, options);
    if (!result) { return fail(result.error()); }
    if (!*result) { return {}; }
    examination.runs += (*result)->runs;
    examination.freed = std::move((*result)->best);
    return {};
}

Json to_json(const minimize::Found& found) {
    return {{"case", cases::to_json(found.c)}, {"verdict", store::to_json(found.verdict)}};
}

minimize::Found found_in(const Json& json) {
    auto c = cases::parse_case(json["case"].get<std::string>(), "a worker's case");
    auto verdict = store::parse_verdict(json["verdict"].get<std::string>(), "a worker's verdict");
    ENSURE(c && verdict, "a worker answers with cases and their verdicts: " + json.dump());
    auto symptom = triage::symptom(*c, *verdict);
    ENSURE(symptom.has_value(), "what was minimised has a symptom: " + json.dump());
    return {std::move(*c), std::move(*verdict), std::move(*symptom)};
}

}  // namespace

const minimize::Found& told_by(const Examination& examination) {
    return examination.freed ? *examination.freed : examination.best.value();
}

std::uint64_t share_of(const Group& group, const Options& options) {
    // Many runs of a hanging case last until a limit stops them.
    constexpr std::uint64_t cost_of_hanging = 4;
    const bool hangs = verdict::is_hang(group.smallest.verdict.cls);
    return hangs ? std::max<std::uint64_t>(options.runs_of_group / cost_of_hanging, 1) : options.runs_of_group;
}

Result<Examination> examine_group(const Group& group, const std::vector<Known>& known, const JudgeFor& judge_for,
                                  const Options& options, std::uint64_t most_runs) {
    minimize::Options minimisation = minimisation_of(options);
    const std::uint64_t share = share_of(group, options);
    minimisation.most_runs = std::min(share, most_runs);
    minimisation.shows = [&](const auto& found, const auto& sought) {
        return triage::still_shows(found, sought, options.passes);
    };
    if (options.glance_for) { minimisation.glance = options.glance_for(group.smallest); }
    if (options.patient_for) {
        // A known hang is not waited for: its symptom and its features are known without that.
        minimisation.patient = [&, patient = options.patient_for(group.smallest)](const minimize::Found& found) {
            const Fingerprint print = fingerprint(found.c, found.symptom);
            const auto is_known = [&](minimize::Ending ending) {
                return find(known, print, options.passes, ending) != nullptr;
            };
            const bool is_sure = is_known(minimize::Ending::fixpoint) && is_known(minimize::Ending::budget_spent);
            return is_sure ? found.verdict : patient(found.c);
        };
        if (verdict::is_hang(group.smallest.verdict.cls)) { minimisation.waited_for = group.smallest.verdict; }
    }
    const session::Judge judge = judge_for(group.smallest);
    const auto result = minimize::minimize(group.smallest.c, judge, minimisation);
    if (!result) { return fail(result.error()); }
    if (!*result) { return Examination{1, {}}; }
    Examination examination{(*result)->runs, (*result)->best, (*result)->ending};
    examination.is_cut = minimisation.most_runs < share && examination.ending == minimize::Ending::budget_spent;
    const auto is_known = [&] {
        const minimize::Found& found = told_by(examination);
        return find(known, fingerprint(found.c, found.symptom), options.passes, examination.ending) != nullptr;
    };
    const auto runs_left = [&] {
        return std::min(options.runs_of_group, most_runs - std::min(examination.runs, most_runs));
    };
    if (is_known()) { return examination; }
    const bool has_whole_tensors = tensor::from_sare(group.smallest.c.sare).has_value();
    minimize::Options further = minimisation;
    further.waited_for.reset();
    further.most_runs = runs_left();
    if (has_whole_tensors && further.most_runs > 0) {
        if (auto freed = set_free(examination, judge, further); !freed) { return fail(freed.error()); }
        if (is_known()) { return examination; }
    }
    std::vector<minimize::Found> others = (*result)->others;
    minimisation.waited_for.reset();
    minimisation.most_runs = runs_left();
    if (!triage::is_plain(examination.best->symptom) && minimisation.most_runs > 0) {
        minimisation.shows = [&](const auto& found, const auto& sought) {
            return triage::shows_plainly(found, sought, options.passes);
        };
        const triage::Symptom before = examination.best->symptom;
        if (auto made = make_plain(examination, others, judge, minimisation); !made) { return fail(made.error()); }
        // What was set free has the other symptom.
        if (examination.freed && examination.best->symptom != before) {
            examination.freed.reset();
            further.most_runs = runs_left();
            if (further.most_runs > 0) {
                if (auto freed = set_free(examination, judge, further); !freed) { return fail(freed.error()); }
            }
        }
    }
    add_beneath(examination, others, options.passes);
    return examination;
}

std::string to_json(const Result<Examination>& examination) {
    if (!examination) { return Json{{"error", to_string(examination.error())}}.dump(); }
    Json json{{"runs", examination->runs},
              {"spent", examination->ending == minimize::Ending::budget_spent},
              {"cut", examination->is_cut}};
    if (examination->best) { json["best"] = to_json(*examination->best); }
    if (examination->freed) { json["freed"] = to_json(*examination->freed); }
    json["beneath"] = Json::array();
    for (const minimize::Found& found : examination->beneath) { json["beneath"].push_back(to_json(found)); }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Examination> parse_examination(const std::string& text) {
    const Json json = Json::parse(text);
    if (json.contains("error")) { return fail(json["error"].get<std::string>()); }
    Examination examination{json["runs"].get<std::uint64_t>(), {}};
    if (json["spent"].get<bool>()) { examination.ending = minimize::Ending::budget_spent; }
    examination.is_cut = json["cut"].get<bool>();
    if (json.contains("best")) { examination.best = found_in(json["best"]); }
    if (json.contains("freed")) { examination.freed = found_in(json["freed"]); }
    for (const Json& found : json["beneath"]) { examination.beneath.push_back(found_in(found)); }
    return examination;
}

}  // namespace haruspex::bugs
