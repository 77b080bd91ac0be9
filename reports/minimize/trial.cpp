#include "reports/minimize/trial.h"

#include <algorithm>
#include <list>
#include <map>

#include "generators/base/ensure.h"
#include "harness/compiler/worker.h"
#include "reports/store/verdict_json.h"

namespace haruspex::minimize {
namespace {

using compiler::Worker;
using Answer = std::optional<verdict::Verdict>;

// One case under way and one queued behind it, so that a worker need not wait. More would be lost when a trial ends.
constexpr std::size_t queue_length = 2;
constexpr std::chrono::milliseconds tick{200};

class Trial {
public:
    Trial(const std::vector<cases::Case>& cases, const Requirements& requirements, const Examine& examine, int jobs)
        : cases_(cases), requirements_(requirements), examine_(examine), jobs_(static_cast<std::size_t>(jobs)) {}

    Result<std::uint64_t> run(const Hear& hear) {
        while (heard_ < cases_.size()) {
            if (auto filled = fill(); !filled) { return fail(filled.error()); }
            receive();
            for (auto answer = answers_.find(heard_); answer != answers_.end(); answer = answers_.find(heard_)) {
                const bool goes_on = hear(heard_, answer->second);
                answers_.erase(answer);
                ++heard_;
                if (!goes_on) { return unheard_runs(); }
            }
        }
        return unheard_runs();
    }

private:
    std::string work(std::uint64_t index) const {
        const cases::Case& c = cases_[index];
        return meets(c, requirements_) ? store::to_json(examine_(c)) : std::string();
    }

    static Answer decode(const std::string& text) {
        if (text.empty()) { return std::nullopt; }
        auto verdict = store::parse_verdict(text, "a worker's answer");
        ENSURE(verdict.has_value(), "a worker answers with a verdict: " + text);
        return std::move(*verdict);
    }

    Result<void> fill() {
        while (workers_.size() < std::min(jobs_, cases_.size() - heard_)) {
            auto worker = Worker::start([this](std::uint64_t index) { return work(index); }, workers_);
            if (!worker) { return fail(worker.error()); }
            workers_.push_back(std::move(*worker));
        }
        // A single worker is never ahead of what is heard.
        const std::size_t queue = jobs_ == 1 ? 1 : queue_length;
        for (std::size_t length = 1; length <= queue; ++length) {
            for (Worker& worker : workers_) {
                if (worker.pending().size() >= length || next_ >= cases_.size()) { continue; }
                if (next_ >= heard_ + queue * jobs_) { return {}; }
                worker.give(next_++);
            }
        }
        return {};
    }

    void receive() {
        compiler::receive(workers_, tick, [this](const Worker& worker, const Worker::Message& message) {
            if (message.kind == Worker::Kind::answer) {
                answers_[*message.index] = decode(message.text);
                return;
            }
            // What was queued behind the case that ended the worker has not been looked at.
            for (const std::uint64_t index : worker.pending()) { answers_[index] = again(index); }
            if (message.index) { answers_[*message.index] = failure(message.text); }
        });
    }

    // Given to a worker of its own at once: nothing else waits for what a dying worker left.
    Answer again(std::uint64_t index) {
        auto worker = Worker::start([this](std::uint64_t i) { return work(i); }, workers_);
        if (!worker) { return failure(worker.error().message); }
        worker->give(index);
        const Worker::Message message = worker->receive();
        return message.kind == Worker::Kind::answer ? decode(message.text) : failure(message.text);
    }

    static Answer failure(const std::string& message) {
        verdict::Verdict verdict;
        verdict.cls = verdict::Class::harness_failure;
        verdict.message = message;
        return verdict;
    }

    // With those that workers are at now.
    std::uint64_t unheard_runs() const {
        auto runs = static_cast<std::uint64_t>(
            std::ranges::count_if(answers_, [](const auto& answer) { return answer.second.has_value(); }));
        for (const Worker& worker : workers_) { runs += std::min<std::size_t>(worker.pending().size(), 1); }
        return runs;
    }

    const std::vector<cases::Case>& cases_;
    const Requirements& requirements_;
    const Examine& examine_;
    std::size_t jobs_;
    std::size_t next_ = 0;   // to be given out
    std::size_t heard_ = 0;  // before it, all are heard
    std::map<std::uint64_t, Answer> answers_;
    std::list<Worker> workers_;
};

}  // namespace

Result<std::uint64_t> examine_in_order(const std::vector<cases::Case>& cases, const Requirements& requirements,
                                       const Examine& examine, int jobs, const Hear& hear) {
    ENSURE(jobs > 0, "a trial needs a worker");
    return Trial(cases, requirements, examine, jobs).run(hear);
}

}  // namespace haruspex::minimize
