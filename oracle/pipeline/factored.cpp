#include "oracle/pipeline/factored.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "generators/sare/names.h"
#include "generators/sare/outline.h"
#include "generators/sare/staging.h"
#include "generators/schedule/halide/factoring.h"
#include "harness/sched/traverse.h"
#include "oracle/conversion/reassociation.h"

namespace haruspex::pipeline {
namespace {

bool has_rfactor(const schedule::Schedule& schedule) {
    return std::ranges::any_of(schedule.directives, [](const schedule::Directive& directive) {
        return std::holds_alternative<schedule::RFactor>(directive.action);
    });
}

// `check` judges each step, given the algorithm before it.
template <typename Check>
Supported<sare::Sare> after_rfactor(const cases::Case& c, Check&& check) {
    if (!has_rfactor(c.schedule)) { return sare::outlined(c.sare); }
    auto algorithm = sare::unstage(sare::outlined(c.sare));
    if (!algorithm) { return not_supported("rfactor", algorithm.error().message); }
    // Every version that knows all its directives gives them the same meaning.
    const schedule::halide::Vocabulary all{std::numeric_limits<int>::max()};
    const auto factorings = schedule::halide::factorings(*algorithm, c.schedule, all);
    if (!factorings) { return not_supported("rfactor", factorings.error().message); }
    for (const auto& factoring : *factorings) {
        if (auto checked = check(*algorithm, factoring); !checked) {
            return std::unexpected(std::move(checked.error()));
        }
        *algorithm = schedule::halide::factored(std::move(*algorithm), {factoring});
    }
    return sare::stage(*algorithm);
}

}  // namespace

Supported<sare::Sare> prophesied_specification(const cases::Case& c) {
    return after_rfactor(c, [](const auto&, const auto&) { return Supported<void>{}; });
}

Supported<sare::Sare> implied_specification(const cases::Case& c) {
    return after_rfactor(c, [&](const sare::Algorithm& algorithm, const schedule::halide::Factoring& factoring) {
        return conversion::is_same(algorithm, factoring, !c.strict_float);
    });
}

sched::Program without_merged(sched::Program program, const schedule::Schedule& schedule) {
    std::set<std::string> merged;
    for (const schedule::Directive& directive : schedule.directives) {
        if (!std::holds_alternative<schedule::RFactor>(directive.action)) { continue; }
        const int update = directive.stage.update.value_or(0);
        merged.insert(sare::stage_name(directive.stage.tensor, static_cast<std::size_t>(update) + 1));
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
