#include "reports/campaign/proofs.h"

#include <fmt/core.h>

#include <array>

#include "generators/base/ensure.h"
#include "generators/base/enumerators.h"
#include "reports/campaign/shares.h"
#include "reports/render/table.h"

namespace haruspex::campaign {
namespace {

using verdict::Class;
using verdict::Outcome;

// In the order of the table.
constexpr std::array results{Proof::all_sizes,   Proof::conditional, Proof::own_sizes, Proof::refuted, Proof::undecided,
                             Proof::unsupported, Proof::time_limit,  Proof::not_asked, Proof::unsound};
constexpr std::string_view two_or_more = "2 or more";
// Marks the result of a row in its text.
constexpr std::string_view false_alarm = " (false alarm)";

bool is_compiled(Class cls) {
    return cls != Class::rejected && cls != Class::compiler_crash && cls != Class::compiler_internal_error &&
           cls != Class::compiler_hang && cls != Class::compiler_out_of_memory;
}

bool is_stopped(const std::optional<verdict::Validation>& validation) {
    return validation && validation->cause == verdict::Cause::compiler_limit;
}

Row row_of_compiled(const verdict::Verdict& verdict, std::size_t unbounded) {
    const std::optional<verdict::Validation>& here = verdict.own_sizes;
    const std::optional<verdict::Validation>& everywhere = verdict.all_sizes;
    if (verdict.cls == Class::unsound_validator) { return {Proof::unsound}; }
    if (!here) { return {Proof::not_asked, std::string(verdict::name(verdict.cls))}; }
    if (is_stopped(here) || is_stopped(everywhere)) { return {Proof::time_limit}; }
    if (has_outcome(here, Outcome::refuted)) { return {Proof::refuted, "at its sizes"}; }
    if (has_outcome(everywhere, Outcome::refuted)) { return refuted_at_other_sizes(); }
    if (has_outcome(everywhere, Outcome::validated)) {
        return {everywhere->is_conditional() ? Proof::conditional : Proof::all_sizes,
                unbounded < 2 ? std::to_string(unbounded) : std::string(two_or_more)};
    }
    const bool is_false_alarm = everywhere && everywhere->cause == verdict::Cause::not_confirmed;
    if (has_outcome(here, Outcome::validated)) {
        return {Proof::own_sizes, everywhere ? summary(*everywhere) : "", is_false_alarm};
    }
    const verdict::Validation& obstacle = is_false_alarm ? *everywhere : *here;
    return {obstacle.outcome == Outcome::unsupported ? Proof::unsupported : Proof::undecided,
            verdict::cause_of(obstacle), is_false_alarm};
}

using Reasons = std::map<std::string, std::uint64_t>;

Reasons reasons_of(const Rows& rows, Proof result) {
    Reasons reasons;
    for (const auto& [row, cases] : rows) {
        if (row.result == result) { reasons[row.reason] += cases.size(); }
    }
    return reasons;
}

std::uint64_t total(const Rows& rows, Proof result) {
    std::uint64_t cases = 0;
    for (const auto& [reason, n] : reasons_of(rows, result)) { cases += n; }
    return cases;
}

bool is_refuted(const std::optional<Row>& row) { return row && row->result == Proof::refuted; }

// How much is known of a case in this row.
int worth(const std::optional<Row>& row) {
    if (!row) { return 1; }
    switch (row->result) {
        case Proof::all_sizes:
        case Proof::refuted: return 4;
        case Proof::conditional: return 3;
        case Proof::own_sizes: return 2;
        case Proof::not_asked:
        case Proof::time_limit:
        case Proof::undecided:
        case Proof::unsupported: return 1;
        case Proof::unsound: return 0;
    }
    raise_internal_error(__FILE__, __LINE__, "no such result of the validator");
}

}  // namespace

std::string_view name(Proof proof) {
    switch (proof) {
        case Proof::own_sizes: return "at its sizes";
        case Proof::all_sizes: return "for all sizes";
        case Proof::not_asked: return "not asked";
        case Proof::refuted: return "refuted";
        case Proof::time_limit: return "time limit";
        case Proof::undecided: return "undecided";
        case Proof::unsound: return "unsound";
        case Proof::unsupported: return "unsupported";
        case Proof::conditional: return "when P";
    }
    raise_internal_error(__FILE__, __LINE__, "no such result of the validator");
}

std::string_view name(Change change) {
    switch (change) {
        case Change::worse: return "worse";
        case Change::better: return "better";
        case Change::other: return "other";
    }
    raise_internal_error(__FILE__, __LINE__, "no such change");
}

Row refuted_at_other_sizes() { return {Proof::refuted, "at other sizes"}; }

std::string to_string(const Row& row) {
    return fmt::format("{}{}{}{}", name(row.result), row.is_false_alarm ? false_alarm : "",
                       row.reason.empty() ? "" : ": ", row.reason);
}

std::optional<Row> parse_row(std::string_view text) {
    const std::size_t colon = text.find(": ");
    std::string_view marked = text.substr(0, colon);
    const bool is_false_alarm = marked.ends_with(false_alarm);
    if (is_false_alarm) { marked.remove_suffix(false_alarm.size()); }
    const auto result = enumerator_named(results, marked);
    if (!result || (is_false_alarm && *result != Proof::own_sizes && *result != Proof::undecided)) {
        return std::nullopt;
    }
    return Row{*result, std::string(colon == std::string_view::npos ? "" : text.substr(colon + 2)), is_false_alarm};
}

std::optional<Row> row_of(const verdict::Verdict& verdict, std::size_t unbounded) {
    if (!is_compiled(verdict.cls)) { return std::nullopt; }
    return row_of_compiled(verdict, unbounded);
}

Change change(const std::optional<Row>& before, const std::optional<Row>& now) {
    // A case proved at its own sizes may be refuted at others. Any other pair of a proof and a refutation contradicts.
    const bool is_found = before && before->result == Proof::own_sizes && now == refuted_at_other_sizes();
    const bool contradicts = is_refuted(before) != is_refuted(now) && worth(before) > 1 && worth(now) > 1 && !is_found;
    if (contradicts || worth(now) < worth(before)) { return Change::worse; }
    return worth(now) > worth(before) ? Change::better : Change::other;
}

ProofTotals totals_of(const Rows& rows) {
    ProofTotals totals;
    for (const auto& [row, cases] : rows) {
        totals.compiled += cases.size();
        if (row.is_false_alarm) { totals.false_alarms += cases.size(); }
    }
    for (const Proof result : {Proof::all_sizes, Proof::conditional, Proof::own_sizes, Proof::refuted}) {
        totals.decided += total(rows, result);
    }
    totals.unsound = total(rows, Proof::unsound);
    return totals;
}

std::string to_table(const Rows& rows) {
    const ProofTotals totals = totals_of(rows);
    render::Table table{"", {"validator", "cases", "share"}};
    const auto add = [&](const std::string& name, std::uint64_t cases, std::uint64_t whole) {
        table.rows.push_back({name, std::to_string(cases), percent(cases, whole)});
    };
    add("compiled", totals.compiled, totals.compiled);
    add("decided", totals.decided, totals.compiled);
    for (const Proof result : results) {
        const Reasons reasons = reasons_of(rows, result);
        if (reasons.empty()) { continue; }
        add(fmt::format("  {}", name(result)), total(rows, result), totals.compiled);
        const bool counts_parameters = result == Proof::all_sizes || result == Proof::conditional;
        for (const auto& [reason, cases] : by_size(reasons)) {
            if (reason.empty()) { continue; }
            add(fmt::format("    {}{}", counts_parameters ? "unbounded parameters: " : "", reason), cases,
                totals.compiled);
        }
    }
    add("false alarms", totals.false_alarms, totals.compiled);
    add("unsound", totals.unsound, totals.compiled);
    const Reasons everywhere = reasons_of(rows, Proof::all_sizes);
    const std::uint64_t proved = total(rows, Proof::all_sizes);
    const auto large = everywhere.find(std::string(two_or_more));
    add("for all sizes, of those not refuted", proved, totals.compiled - total(rows, Proof::refuted));
    add("of 2 or more unbounded parameters, of those for all sizes", large == everywhere.end() ? 0 : large->second,
        proved);
    return to_text(table, {render::left(58), render::right(9), render::right(9)});
}

}  // namespace haruspex::campaign
