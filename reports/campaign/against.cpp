#include "reports/campaign/against.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "generators/base/ensure.h"
#include "harness/compiler/fork_server.h"
#include "harness/compiler/in_order.h"
#include "reports/campaign/case_file.h"
#include "reports/campaign/indices.h"
#include "reports/render/view.h"
#include "reports/session/judging.h"
#include "reports/store/database.h"
#include "reports/store/store.h"
#include "reports/triage/signature.h"

namespace haruspex::campaign {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

// So many times both builds judge a case on which they disagreed: a program that races, or hits a limit of time, is seldom
// judged alike so often unless it is one build that makes the difference.
constexpr int repetitions = 2;
// A slow case must not keep the other workers waiting.
constexpr std::uint64_t most_ahead_for_each_job = 32;
constexpr std::size_t queue_length = 2;

std::string line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

pipeline::Options judging(const Options& options) {
    pipeline::Options judging;
    judging.native = options.native;
    judging.validate = options.validate;
    return judging;
}

bool is_harness_failure(const session::Answer& answer) {
    return answer.verdict && answer.verdict->cls == verdict::Class::harness_failure;
}

// What a worker says of a case: nothing if the builds agree.
std::string said(Disagreement how, const session::Answer& here, const session::Answer& there) {
    return line({{"how", name(how)}, {"here", session::to_json(here)}, {"there", session::to_json(there)}});
}
std::string said_not_repeated() { return line({{"not_repeated", true}}); }
std::string said_not_judged(const std::string& reason) { return line({{"not_judged", reason}}); }

// Judges a case by both builds, in a worker.
class BothBuilds {
public:
    BothBuilds(const session::Peer& peer, const Options& options, compiler::Compiler& compiler, bool has_same_passes)
        : peer_(peer),
          compiler_(compiler.identity().name),
          judging_(judging(options)),
          server_(compiler, options.limits, compiler::ForkServer::WarmUp::before_the_first_run),
          has_same_passes_(has_same_passes) {}

    std::string compare(const cases::Case& c, const std::string& name) {
        auto first = judge(c, name);
        if (!first) { return said_not_judged(first.error().message); }
        const auto how = first->how;
        if (!how) { return {}; }
        for (int i = 0; i < repetitions; ++i) {
            const auto again = judge(c, name);
            if (!again) { return said_not_judged(again.error().message); }
            const auto is_steady = [&](const Standing& then, const Standing& now) {
                return !disagreement(then, now, true);
            };
            if (again->how != how || !is_steady(first->standing_here, again->standing_here) ||
                !is_steady(first->standing_there, again->standing_there)) {
                return said_not_repeated();
            }
        }
        return said(*how, first->here, first->there);
    }

private:
    struct Judged {
        session::Answer here, there;
        Standing standing_here, standing_there;
        std::optional<Disagreement> how;
    };

    // An Error if one of the builds failed itself.
    Result<Judged> judge(const cases::Case& c, const std::string& name) {
        auto there = ask_peer(c);
        if (!there) { return fail(there.error()); }
        Judged judged{session::answer(c, name, server_, judging_), std::move(*there), {}, {}, {}};
        for (const session::Answer* answer : {&judged.here, &judged.there}) {
            if (is_harness_failure(*answer)) { return fail(answer->verdict->message); }
        }
        judged.standing_here = standing(c, judged.here);
        judged.standing_there = standing(c, judged.there);
        judged.how = disagreement(judged.standing_there, judged.standing_here, has_same_passes_);
        return judged;
    }

    // A peer that dies gets one more chance, since what ends it may have been another case before.
    Result<session::Answer> ask_peer(const cases::Case& c) {
        for (const bool is_last : {false, true}) {
            if (!process_) {
                auto started = session::PeerProcess::start(peer_, compiler_, judging_);
                if (!started) { return fail(started.error()); }
                process_ = std::make_unique<session::PeerProcess>(std::move(*started));
            }
            auto answer = process_->judge(c);
            if (answer) { return answer; }
            process_ = nullptr;
            if (is_last) { return answer; }
        }
        raise_internal_error(__FILE__, __LINE__, "the last chance returns");
    }

    const session::Peer& peer_;
    std::string compiler_;
    pipeline::Options judging_;
    compiler::ForkServer server_;  // only workers use it; warmed up as a peer's is, so that only the builds differ
    bool has_same_passes_;
    std::unique_ptr<session::PeerProcess> process_;  // of this worker
};

// Keeps what the workers say.
class Findings {
public:
    Findings(Against& against, const Options& options, const CaseFile* file, const compiler::Identity& identity)
        : against_(against), options_(options), file_(file), identity_(identity) {}

    // Returns the disagreeing case if there is one.
    Disagreeing* take(std::uint64_t index, const compiler::Done& done) {
        ++against_.cases;
        if (done.failed) {
            against_.not_judged.push_back({index, done.text});
            return nullptr;
        }
        if (done.text.empty()) { return nullptr; }
        const Json json = Json::parse(done.text);
        if (json.contains("not_repeated")) {
            against_.not_repeated.push_back(index);
        } else if (json.contains("not_judged")) {
            against_.not_judged.push_back({index, json.at("not_judged").get<std::string>()});
        } else {
            against_.disagreeing.push_back({index, case_at(index, options_, file_, identity_),
                                            parse_disagreement(json.at("how").get<std::string>()).value(),
                                            answer(json, "here"), answer(json, "there")});
            return &against_.disagreeing.back();
        }
        return nullptr;
    }

private:
    static session::Answer answer(const Json& json, const char* key) {
        return session::parse_answer(json.at(key).get<std::string>(), key).value();
    }

    Against& against_;
    const Options& options_;
    const CaseFile* file_;
    const compiler::Identity& identity_;
};

// An Error if the builds do not see the same: then most of what only one sees is no change.
Result<void> expect_same_sight(const compiler::Unobserved& here, const compiler::Unobserved& there,
                               const std::string& peer, bool validate) {
    const bool is_same = here.lowered == there.lowered && (!validate || here.prophecies == there.prophecies);
    if (is_same) { return {}; }
    const auto words = [](const compiler::Unobserved& unobserved) {
        const std::string text = to_string(unobserved);
        return text.empty() ? std::string("nothing") : text;
    };
    return fail(fmt::format("expected builds that observe the same; here is not observed: {}; by {}: {}", words(here),
                            peer, words(there)));
}

Json json_of(const session::Answer& answer) { return Json::parse(session::to_json(answer)); }

Json json_of(const session::Greeting& build) {
    Json json = Json::parse(session::to_json(build));
    json.erase("haruspex_judge");
    return json;
}

}  // namespace

std::uint64_t Against::count(Change wanted) const {
    return static_cast<std::uint64_t>(
        std::ranges::count(disagreeing, wanted, [](const Disagreeing& one) { return change(one.how); }));
}

Result<Against> run_against(const session::Peer& peer, const Options& asked, compiler::Compiler& compiler,
                            const std::atomic<bool>& stop,
                            const std::function<Result<void>(const Disagreeing&, const Against& so_far)>& found,
                            const std::function<void(const AgainstProgress&)>& progress) {
    ENSURE(asked.jobs > 0, "a campaign needs a worker");
    const auto begin = Clock::now();
    Options options = asked;
    const auto identity = compiler.identity();
    const auto file_or_none = cases_of(options, identity);
    if (!file_or_none) { return fail(file_or_none.error()); }
    const CaseFile* file = *file_or_none ? &**file_or_none : nullptr;
    Against against;
    against.here = session::greeting_of(compiler);
    {
        const auto started = session::PeerProcess::start(peer, identity.name, judging(options));
        if (!started) { return fail(started.error()); }
        against.there = started->greeting();
    }
    const compiler::Identity &own = against.here.compiler, &other = against.there.compiler;
    if (auto same = expect_same_sight(own.unobserved, other.unobserved, peer.label, options.validate); !same) {
        return fail(same.error());
    }
    BothBuilds builds(peer, options, compiler,
                      own.major == other.major && own.unobserved.passes == other.unobserved.passes);
    Findings findings(against, options, file, identity);
    const auto has_ended = [&] { return stop || (options.time && Clock::now() - begin >= *options.time); };
    std::optional<Error> error;

    compiler::WorkInOrder order;
    order.count = std::min(options.cases.value_or(store::largest_index), store::largest_index - options.first);
    order.jobs = options.jobs;
    order.most_time = options.most_time_of_case * options.limits.patience;
    order.queue = queue_length;
    order.most_ahead = most_ahead_for_each_job * static_cast<std::uint64_t>(options.jobs);
    order.may_begin = [&](std::uint64_t) { return !has_ended(); };
    order.work = [&](std::uint64_t i) {
        const std::uint64_t index = options.first + i;
        return builds.compare(case_at(index, options, file, identity), "case " + std::to_string(index));
    };
    order.on_done = [&](std::uint64_t i, const compiler::Done& done) {
        if (const Disagreeing* disagreeing = findings.take(options.first + i, done)) {
            if (auto kept = found(*disagreeing, against); !kept) {
                error = std::move(kept.error());
                return false;
            }
        }
        progress({against.cases, against.count(Change::worse), against.count(Change::better),
                  against.count(Change::other),
                  std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin)});
        return !has_ended();
    };
    const auto worked = compiler::work_in_order(order);
    if (!worked) { return fail(worked.error()); }
    if (error) { return fail(std::move(*error)); }
    against.interrupted = stop && against.cases < order.count;
    return against;
}

Result<void> file(const Disagreeing& disagreeing, const Against& builds, const Options& options,
                  const std::string& build_flags, const std::filesystem::path& folder) {
    const auto& [index, c, how, here, there] = disagreeing;
    const bool is_of_peer = !here.verdict || (!is_failure(standing(c, here)) && is_failure(standing(c, there)));
    const session::Answer& shown = is_of_peer ? there : here;
    ENSURE(shown.verdict.has_value(), "two refusals do not disagree");
    store::Finding finding;
    finding.seed = options.cases_from ? 0 : options.seed;
    finding.index = index;
    finding.c = c;
    finding.verdict = *shown.verdict;
    finding.compiler = (is_of_peer ? builds.there : builds.here).compiler;
    finding.seeded = !options.cases_from;
    finding.options = drawing_options(options);
    finding.group = triage::group_name(triage::signature(c, finding.verdict));
    finding.attachments = {{"here.json", session::to_json(here) + "\n"},
                           {"there.json", session::to_json(there) + "\n"}};
    if (store::is_kept(finding.verdict.cls)) {
        const render::View& view = render::view(c.compiler);
        if (auto program = view.program(c, finding.verdict, build_flags)) {
            finding.attachments[std::string(view.program_file())] = std::move(program->text);
        }
    }
    return store::write_finding(finding, folder);
}

std::string to_json(const Against& against, const Options& options) {
    Json disagreeing = Json::array(), not_judged = Json::array();
    for (const Disagreeing& one : against.disagreeing) {
        disagreeing.push_back({{"index", one.index},
                               {"change", name(change(one.how))},
                               {"how", name(one.how)},
                               {"here", json_of(one.here)},
                               {"there", json_of(one.there)}});
    }
    for (const NotJudged& one : against.not_judged) {
        not_judged.push_back({{"index", one.index}, {"reason", one.reason}});
    }
    // A string: seeds are any 64-bit numbers, which many readers of JSON round.
    const Json seed = options.cases_from ? Json(nullptr) : Json(std::to_string(options.seed));
    const Json tree{{"haruspex_against", 1},
                    {"here", json_of(against.here)},
                    {"there", json_of(against.there)},
                    {"seed", seed},
                    {"first", options.first},
                    {"cases", against.cases},
                    {"worse", against.count(Change::worse)},
                    {"better", against.count(Change::better)},
                    {"other", against.count(Change::other)},
                    {"interrupted", against.interrupted},
                    {"disagreeing", disagreeing},
                    {"not_repeated", to_text(against.not_repeated)},
                    {"not_judged", not_judged}};
    return tree.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace haruspex::campaign
