#include "reports/measure/description.h"

#include <algorithm>

#include "generators/sare/traverse.h"
#include "harness/sched/traverse.h"
#include "reports/triage/features.h"

namespace haruspex::measure {
namespace {

const sare::Sare& sare_of(const Problem& problem) {
    if (const auto* written = std::get_if<Written>(&problem.subject)) { return written->sare; }
    return std::get<Lowered>(problem.subject).c.sare;
}

const sched::Program& program_of(const Problem& problem) {
    if (const auto* written = std::get_if<Written>(&problem.subject)) { return written->program; }
    return std::get<Lowered>(problem.subject).plain.program;
}

std::string recurrence_of(const sare::StagedUpdate& update) {
    if (update.over.empty()) { return "pointwise update"; }
    const bool moves = std::ranges::any_of(update.target, [&](const sare::Index& index) {
        const auto names = sare::free_variables(index);
        return std::ranges::any_of(update.over, [&](const auto& variable) { return names.contains(variable.name); });
    });
    return moves ? "along the axis" : "accumulation";
}

std::uint64_t nesting(const sched::Block& block) {
    std::uint64_t deepest = 0;
    for (const sched::Stmt& stmt : block) {
        const std::uint64_t own = std::holds_alternative<sched::For>(stmt.node) ? 1 : 0;
        sched::for_each_block(stmt,
                              [&](const sched::Block& inner) { deepest = std::max(deepest, own + nesting(inner)); });
    }
    return deepest;
}

}  // namespace

std::set<std::string> features(const Problem& problem) {
    cases::Case c;
    if (const auto* lowered = std::get_if<Lowered>(&problem.subject)) {
        c = lowered->c;
    } else {
        c.sare = sare_of(problem);
    }
    std::set<std::string> names = triage::features(c);
    if (const auto* written = std::get_if<Written>(&problem.subject)) {
        for (const auto applied : written->applied) {
            names.insert("transformation:" + std::string(transform::name(applied)));
        }
    }
    std::set<std::string> recurrences;
    for (const sare::Staging& staging : c.sare.stagings) {
        for (const sare::StagedUpdate& update : staging.updates) { recurrences.insert(recurrence_of(update)); }
    }
    if (std::ranges::any_of(names, [](const std::string& name) { return name.starts_with("reduce:"); })) {
        recurrences.insert("inline reduction");
    }
    if (recurrences.empty()) { recurrences.insert("none"); }
    for (const std::string& recurrence : recurrences) { names.insert("recurrence:" + recurrence); }
    return names;
}

std::map<std::string, std::uint64_t> size(const Problem& problem) {
    std::uint64_t statements = 0, loops = 0;
    const sched::Program& program = program_of(problem);
    sched::for_each_statement(program.body, [&](const sched::Stmt& stmt) {
        ++statements;
        loops += std::holds_alternative<sched::For>(stmt.node) ? 1 : 0;
    });
    return {{"statements", statements},
            {"loops", loops},
            {"depth", nesting(program.body)},
            {"tensors", sare_of(problem).tensors.size()}};
}

}  // namespace haruspex::measure
