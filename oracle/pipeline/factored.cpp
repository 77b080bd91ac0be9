#include "oracle/pipeline/factored.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "generators/sare/names.h"
#include "generators/sare/outline.h"
#include "generators/sare/staging.h"
#include "generators/schedule/language.h"
#include "harness/sched/traverse.h"
#include "oracle/conversion/reassociation.h"

namespace haruspex::pipeline {
namespace {

// `check` judges each step, given the algorithm before it.
template <typename Check>
Supported<sare::Sare> after_factorings(const cases::Case& c, Check&& check) {
    // Without a schedule a case need not name a compiler.
    if (c.schedule.directives.empty()) { return sare::outlined(c.sare); }
    const schedule::Language& language = schedule::language(c.compiler);
    if (language.factored_updates(c.schedule).empty()) { return sare::outlined(c.sare); }
    auto algorithm = sare::unstage(sare::outlined(c.sare));
    if (!algorithm) { return not_supported(factoring_kind, algorithm.error().message); }
    const auto factorings = language.factorings(*algorithm, c.schedule);
    if (!factorings) { return not_supported(factoring_kind, factorings.error().message); }
    for (const auto& factoring : *factorings) {
        if (auto checked = check(*algorithm, factoring); !checked) {
            return std::unexpected(std::move(checked.error()));
        }
        *algorithm = schedule::factored(std::move(*algorithm), {factoring});
    }
    return sare::stage(*algorithm);
}

}  // namespace

Supported<sare::Sare> prophesied_specification(const cases::Case& c) {
    return after_factorings(c, [](const auto&, const auto&) { return Supported<void>{}; });
}

Supported<Implied> implied_specification(const cases::Case& c) {
    bool needs_fitting_sums = false;
    const auto check = [&](const sare::Algorithm& algorithm, const schedule::Factoring& factoring) {
        const auto same = conversion::is_same(algorithm, factoring, !c.strict_float);
        needs_fitting_sums = needs_fitting_sums || (same && same->needs_fitting_sums);
        return same;
    };
    auto sare = after_factorings(c, check);
    if (!sare) { return std::unexpected(std::move(sare.error())); }
    return Implied{std::move(*sare), needs_fitting_sums};
}

sched::Program without_merged(sched::Program program, const cases::Case& c) {
    if (c.schedule.directives.empty()) { return program; }
    std::set<std::string> merged;
    for (const auto& [tensor, update] : schedule::language(c.compiler).factored_updates(c.schedule)) {
        merged.insert(sare::stage_name(tensor, update + 1));
    }
    if (merged.empty()) { return program; }
    const auto is_of_merged = [&](const sched::Expr& prophecy) {
        bool found = false;
        sched::for_each_expr(prophecy, [&](const sched::Expr& e) {
            const auto* cell = std::get_if<sched::TensorAccess>(&e.node);
            found = found || (cell != nullptr && merged.contains(cell->tensor));
        });
        return found;
    };
    sched::for_each_statement(program.body, [&](sched::Stmt& statement) {
        auto* assign = std::get_if<sched::Assign>(&statement.node);
        if (assign == nullptr) { return; }
        for (sched::Write& write : assign->writes) {
            if (write.prophecy && is_of_merged(*write.prophecy)) { write.prophecy.reset(); }
        }
    });
    return program;
}

}  // namespace haruspex::pipeline
