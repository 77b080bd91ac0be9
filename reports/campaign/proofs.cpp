#include "reports/campaign/proofs.h"

#include <array>

#include "reports/campaign/shares.h"
#include "reports/render/table.h"

namespace haruspex::campaign {
namespace {

using verdict::Class;
using verdict::Outcome;

constexpr const char* time_limit = "time limit";
constexpr const char* not_confirmed = "refuted, not confirmed";  // as verdict::summary has it

constexpr std::array rows{"for all sizes", "when P",     "at its sizes", "refuted", "undecided",
                          "unsupported",   "time limit", "not asked",    "unsound"};

bool is_compiled(Class cls) {
    return cls != Class::rejected && cls != Class::compiler_crash && cls != Class::compiler_internal_error &&
           cls != Class::compiler_hang && cls != Class::compiler_out_of_memory;
}

bool is_stopped(const std::optional<verdict::Validation>& validation) {
    return validation && validation->cause == verdict::Cause::compiler_limit;
}

std::string row_of_compiled(const verdict::Verdict& verdict, std::size_t unbounded) {
    const std::optional<verdict::Validation>& here = verdict.own_sizes;
    const std::optional<verdict::Validation>& everywhere = verdict.all_sizes;
    const std::string parameters = unbounded < 2 ? std::to_string(unbounded) : "2 or more";
    if (verdict.cls == Class::unsound_validator) { return "unsound"; }
    if (!here) { return "not asked: " + std::string(verdict::name(verdict.cls)); }
    if (is_stopped(here) || is_stopped(everywhere)) { return time_limit; }
    if (comes_to(here, Outcome::refuted)) { return "refuted: at its sizes"; }
    if (comes_to(everywhere, Outcome::refuted)) { return "refuted: at other sizes"; }
    if (comes_to(everywhere, Outcome::validated)) {
        return (everywhere->is_conditional() ? "when P: " : "for all sizes: ") + parameters;
    }
    const std::string beyond = everywhere ? summary(*everywhere) : "";
    if (comes_to(here, Outcome::validated)) { return "at its sizes: " + beyond; }
    const bool is_false_alarm = everywhere && everywhere->cause == verdict::Cause::not_confirmed;
    return is_false_alarm ? beyond : summary(*here);
}

std::uint64_t count(const Proofs& proofs, const std::string& row, const std::string& reason) {
    const auto reasons = proofs.find(row);
    if (reasons == proofs.end()) { return 0; }
    const auto found = reasons->second.find(reason);
    return found == reasons->second.end() ? 0 : found->second;
}

std::uint64_t total(const Proofs& proofs, const std::string& row) {
    std::uint64_t cases = 0;
    if (const auto found = proofs.find(row); found != proofs.end()) {
        for (const auto& [reason, n] : found->second) { cases += n; }
    }
    return cases;
}

}  // namespace

std::optional<std::string> row_of(const verdict::Verdict& verdict, std::size_t unbounded) {
    if (!is_compiled(verdict.cls)) { return std::nullopt; }
    return row_of_compiled(verdict, unbounded);
}

Proofs proofs_of(const Rows& rows) {
    Proofs proofs;
    for (const auto& [row, cases] : rows) {
        const std::size_t colon = row.find(": ");
        proofs[row.substr(0, colon)][colon == std::string::npos ? "" : row.substr(colon + 2)] = cases.size();
    }
    return proofs;
}

ProofTotals totals_of(const Proofs& proofs) {
    ProofTotals totals;
    for (const auto& [row, reasons] : proofs) { totals.compiled += total(proofs, row); }
    for (const char* row : {"for all sizes", "when P", "at its sizes", "refuted"}) {
        totals.decided += total(proofs, row);
    }
    totals.false_alarms = count(proofs, "at its sizes", std::string("undecided: ") + not_confirmed) +
                          count(proofs, "undecided", not_confirmed);
    totals.unsound = total(proofs, "unsound");
    return totals;
}

std::string to_table(const Proofs& proofs) {
    const ProofTotals totals = totals_of(proofs);
    render::Table table{"", {"validator", "cases", "share"}};
    const auto add = [&](const std::string& name, std::uint64_t cases, std::uint64_t whole) {
        table.rows.push_back({name, std::to_string(cases), percent(cases, whole)});
    };
    add("compiled", totals.compiled, totals.compiled);
    add("decided", totals.decided, totals.compiled);
    for (const std::string row : rows) {
        const auto found = proofs.find(row);
        if (found == proofs.end()) { continue; }
        add("  " + row, total(proofs, row), totals.compiled);
        const bool counts_parameters = row == "for all sizes" || row == "when P";
        for (const auto& [reason, cases] : by_size(found->second)) {
            if (reason.empty()) { continue; }
            add("    " + std::string(counts_parameters ? "unbounded parameters: " : "") + reason, cases,
                totals.compiled);
        }
    }
    add("false alarms", totals.false_alarms, totals.compiled);
    add("unsound", totals.unsound, totals.compiled);
    const std::uint64_t everywhere = total(proofs, "for all sizes");
    add("for all sizes, of those not refuted", everywhere, totals.compiled - total(proofs, "refuted"));
    add("of 2 or more unbounded parameters, of those for all sizes", count(proofs, "for all sizes", "2 or more"),
        everywhere);
    return to_text(table, {render::left(58), render::right(9), render::right(9)});
}

}  // namespace haruspex::campaign
