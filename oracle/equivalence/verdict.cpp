#include "oracle/equivalence/verdict.h"

#include <fmt/core.h>

#include "generators/base/ensure.h"

namespace haruspex::equivalence {

std::string_view name(Outcome outcome) {
    switch (outcome) {
        case Outcome::proved: return "proved";
        case Outcome::not_proved: return "not_proved";
        case Outcome::undecided: return "undecided";
        case Outcome::unsupported: return "unsupported";
    }
    raise_internal_error(__FILE__, __LINE__, "no such outcome");
}

std::string explain(const Verdict& verdict) {
    std::string text;
    const auto line = [&](const std::string& head, const std::string& what) {
        text += head + std::string(head.size() < 16 ? 16 - head.size() : 1, ' ') + what + "\n";
    };
    line("verdict", std::string(name(verdict.outcome)));
    line("reason", verdict.reason);
    for (const OutputCells& output : verdict.outputs) {
        const std::string cell = output.tensor + (output.component == 0 ? "" : fmt::format("[{}]", output.component));
        line("requested", cell + " " + output.requested);
        line("proved", cell + " " + (output.is_proved ? "all of them" : output.proved));
        if (!output.is_proved) { line("not proved", cell + " " + output.not_proved); }
    }
    for (const Mismatch& mismatch : verdict.mismatches) {
        line(mismatch.is_hypothetical ? "tried" : "mismatch", mismatch.what);
        if (!mismatch.first.empty()) { line("", "of " + mismatch.first + " | " + mismatch.second); }
        line("", "in " + mismatch.relation);
    }
    for (const std::string& note : verdict.notes) { line("note", note); }
    const Effort& effort = verdict.effort;
    line("effort", fmt::format("{} pairs, {} inductions, {} widenings, {} narrowings, {} operands tried", effort.pairs,
                               effort.inductions, effort.widenings, effort.narrowings, effort.permutations));
    return text;
}

}  // namespace haruspex::equivalence
