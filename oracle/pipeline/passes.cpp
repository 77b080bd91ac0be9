#include "oracle/pipeline/passes.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/sare/build.h"
#include "generators/sare/staging.h"
#include "harness/compiler/compiler.h"

namespace haruspex::pipeline {
namespace {

using verdict::LoweredOutcome;
using verdict::LoweredState;

// Whether programs before this one do not count.
bool is_end(const LoweredOutcome& outcome) {
    return outcome.state == LoweredState::equal || outcome.state == LoweredState::too_large;
}

PassResult result_of(const compiler::Lowered& lowered, LoweredOutcome outcome) {
    const std::string* text = lowered.text();
    return {lowered.pass, std::move(outcome), text == nullptr ? std::string() : *text};
}

class Search {
public:
    Search(const std::vector<compiler::Lowered>& programs, const ExaminePass& look)
        : programs_(programs), look_(look) {}

    void run(std::uint64_t most_steps) {
        std::size_t first = programs_.size();  // of the examined programs
        while (first > 0 && steps_ <= most_steps) {
            if (is_end(at(--first))) { return; }
        }
        // Programs before `begin` do not count; `end` is wrong, or was examined without a result.
        std::size_t begin = 0, end = first;
        while (const auto middle = telling(begin, end)) {
            (is_end(at(*middle)) ? begin : end) = is_end(at(*middle)) ? *middle + 1 : *middle;
        }
    }

    std::vector<PassResult> take() {
        std::vector<PassResult> passes;
        for (auto& [index, outcome] : seen_) { passes.push_back(result_of(programs_[index], std::move(outcome))); }
        return passes;
    }

private:
    const LoweredOutcome& at(std::size_t index) {
        const auto known = seen_.find(index);
        if (known != seen_.end()) { return known->second; }
        Examined seen = look_(programs_[index]);
        steps_ += seen.steps;
        return seen_.emplace(index, std::move(seen.outcome)).first->second;
    }

    // The last program in [begin, middle] with a conclusive outcome; if there is none, the first one after it.
    std::optional<std::size_t> telling(std::size_t begin, std::size_t end) {
        const auto tells = [&](std::size_t index) { return is_end(at(index)) || is_wrong(at(index)); };
        const std::size_t middle = begin + (end - begin) / 2;
        for (std::size_t i = middle + 1; i-- > begin;) {
            if (i < end && tells(i)) { return i; }
        }
        for (std::size_t i = middle + 1; i < end; ++i) {
            if (tells(i)) { return i; }
        }
        return std::nullopt;
    }

    const std::vector<compiler::Lowered>& programs_;
    const ExaminePass& look_;
    std::uint64_t steps_ = 0;
    std::map<std::size_t, LoweredOutcome> seen_;
};

}  // namespace

bool is_wrong(const LoweredOutcome& outcome) {
    switch (outcome.state) {
        case LoweredState::unknown:
        case LoweredState::too_large:
        case LoweredState::equal:
        case LoweredState::malformed: return false;
        case LoweredState::differs:
        case LoweredState::troubled:
        case LoweredState::overflows:
        case LoweredState::refuses: return true;
    }
    raise_internal_error(__FILE__, __LINE__, "no such state");
}

ExaminePass once_for_each_text(ExaminePass look) {
    return [look = std::move(look),
            seen = std::map<std::string, LoweredOutcome>()](const compiler::Lowered& lowered) mutable -> Examined {
        const std::string* text = lowered.text();
        if (text == nullptr) { return look(lowered); }
        if (const auto known = seen.find(*text); known != seen.end()) { return {known->second}; }
        Examined fresh = look(lowered);
        seen.emplace(*text, fresh.outcome);
        return fresh;
    };
}

std::vector<PassResult> examine_all(const std::vector<compiler::Lowered>& programs, const ExaminePass& look) {
    std::vector<PassResult> passes;
    for (const compiler::Lowered& program : programs) { passes.push_back(result_of(program, look(program).outcome)); }
    return passes;
}

std::vector<PassResult> find_wrong_pass(const std::vector<compiler::Lowered>& programs, const ExaminePass& look,
                                        std::uint64_t most_steps) {
    Search search(programs, look);
    search.run(most_steps);
    return search.take();
}

compiler::Observation observe_passes(const cases::Case& c, compiler::ForkServer& server) {
    compiler::Request request;
    request.run = false;
    request.lower = true;
    request.snapshots = true;
    return server.observe(c, request);
}

cases::Case smallest_case(const compiler::Compiler& compiler) {
    const compiler::Identity identity = compiler.identity();
    const value::Type type = schedule::plain_integer(compiler::language_of(identity));
    const sare::Expr one{sare::Literal{value::Value::integer(type, 1)}};
    cases::Case c;
    c.sare = sare::stage({"p", {}, sare::truth(true), {}, {{"f", {type}, {}, {one}, {}}}, {{"f", {}}}});
    c.compiler = identity.name;
    c.target = compiler::language_of(identity).default_target();
    return c;
}

std::optional<std::vector<std::string>> common_passes(compiler::ForkServer& server) {
    const cases::Case c = smallest_case(server.compiler());
    if (server.compiler().passes_of(c)) { return std::nullopt; }
    std::vector<std::string> passes;
    for (const compiler::Lowered& program : observe_passes(c, server).lowered) { passes.push_back(program.pass); }
    if (!passes.empty()) { passes.emplace_back(verdict::code_generation); }
    return passes;
}

std::vector<std::string> passes_of(const cases::Case& c, compiler::ForkServer& server) {
    auto own = server.compiler().passes_of(c);
    if (!own) { return common_passes(server).value_or(std::vector<std::string>()); }
    own->emplace_back(verdict::final_program);
    own->emplace_back(verdict::code_generation);
    return *own;
}

std::optional<verdict::PassInterval> failing_pass(const std::vector<compiler::Lowered>& ended,
                                                  const std::vector<std::string>& all) {
    const std::string last = ended.empty() ? std::string(verdict::source) : ended.back().pass;
    auto next = all.begin();
    if (!ended.empty()) {
        next = std::ranges::find(all, last);
        if (next != all.end()) { ++next; }
    }
    if (next == all.end()) { return std::nullopt; }
    return verdict::PassInterval{last, *next};
}

std::optional<verdict::PassInterval> first_wrong_pass(const std::vector<PassResult>& passes) {
    if (passes.empty() || !is_wrong(passes.back().outcome)) { return std::nullopt; }
    // Only the last right program counts: an error that a later pass is meant to repair is not a fault.
    std::size_t wrong = passes.size();
    std::string last_right(verdict::source);
    for (std::size_t i = passes.size(); i-- > 0;) {
        if (is_wrong(passes[i].outcome)) { wrong = i; }
        if (passes[i].outcome.state == LoweredState::equal) {
            last_right = passes[i].pass;
            break;
        }
        if (passes[i].outcome.state == LoweredState::too_large) { break; }
    }
    return verdict::PassInterval{std::move(last_right), passes[wrong].pass};
}

}  // namespace haruspex::pipeline
