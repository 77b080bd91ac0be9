#include "reports/session/refusal.h"

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "generators/sare/staging.h"
#include "generators/sare/traverse.h"
#include "generators/schedule/language.h"
#include "harness/sched/names.h"

namespace haruspex::session {
namespace {

// A name in the SARE that is not a valid name in SCHED, if any.
std::optional<std::string> word_of_sched(const sare::Sare& sare) {
    std::vector<std::string> names = sare.parameters;
    for (const sare::Input& input : sare.inputs) { names.push_back(input.name); }
    for (const sare::Tensor& tensor : sare.tensors) { names.push_back(tensor.name); }
    const auto word = std::ranges::find_if_not(names, sched::is_name);
    return word == names.end() ? std::nullopt : std::optional(*word);
}

// The first tensor, if known, that keeps the system from being a program for the compiler: it has a domain or several
// equations, or reads a tensor that is defined only later.
std::string general_tensor(const sare::Sare& sare) {
    const auto groups = sare::groups(sare);
    if (!groups) { return {}; }
    std::set<std::string> known;
    for (const sare::Input& input : sare.inputs) { known.insert(input.name); }
    for (const sare::Group& group : *groups) {
        const std::span tensors(&sare.tensors[group.first], group.count);
        const sare::Tensor& tensor = tensors.front();
        const bool is_definition =
            tensor.equations.size() == 1 && tensor.equations[0].domain == sare::Condition{sare::Truth{true}};
        const std::string name = group.staging == nullptr ? tensor.name : group.staging->tensor;
        if (group.staging == nullptr && !is_definition) { return name; }
        // The stages of one tensor may read each other.
        if (group.staging != nullptr) {
            for (const sare::Tensor& stage : tensors) { known.insert(stage.name); }
        }
        bool reads_known = true;
        for (const sare::Tensor& stage : tensors) {
            for (const sare::Equation& equation : stage.equations) {
                for (const sare::Expr& value : equation.values) {
                    sare::for_each_access(value, [&](const sare::Access& access, const auto&) {
                        reads_known = reads_known && known.contains(access.tensor);
                    });
                }
            }
        }
        if (!reads_known) { return name; }
        known.insert(tensor.name);
    }
    return {};
}

}  // namespace

std::optional<Error> refusal_of_target(const std::string& target, const compiler::Compiler& compiler) {
    const auto why = compiler.unrunnable(target);
    if (!why) { return std::nullopt; }
    return Error{"cannot run what is compiled for " + target + ": " + *why, {}, {}};
}

std::optional<Error> refusal(const cases::Case& c, const Origin& origin, const compiler::Compiler& compiler) {
    if (const auto word = word_of_sched(c.sare)) {
        return origin.error_in_program(*word, *word + " is a word of SCHED, and no name");
    }
    if (const auto error = refusal_of_target(c.target, compiler)) { return origin.error(error->message); }
    const auto algorithm = sare::unstage(c.sare);
    if (!algorithm) {
        return origin.error_in_program(general_tensor(c.sare),
                                       "not a program of the compiler: " + to_string(algorithm.error()));
    }
    const auto broken = compiler::language_of(compiler.identity()).broken_rules(*algorithm, c.schedule);
    if (broken) { return std::nullopt; }
    const schedule::UnknownName& unknown = broken.error();
    const std::string message = "the schedule names what does not exist: ";
    if (origin.schedule) { return error_at_directive(*origin.schedule, unknown.directive, message + unknown.words); }
    return origin.error(message + schedule::located(unknown, c.schedule.directives[unknown.directive].text()));
}

}  // namespace haruspex::session
