#include "oracle/interp/sched_troubles.h"

#include "generators/base/assignments.h"
#include "harness/sched/text.h"

namespace haruspex::interp {

std::string to_string(const Trouble& trouble) {
    std::string text = trouble.what;
    // Of a trouble between branches there is no statement.
    if (!trouble.statement.empty()) { text += ": `" + trouble.statement + "`"; }
    return trouble.position.empty() ? text : text + " at " + assignments(trouble.position);
}

}  // namespace haruspex::interp

namespace haruspex::interp::loops {

std::string Troubles::headline(StepId step) const {
    if (step.value < code_.sources.size()) { return sched::headline(*code_.sources[step.value]); }
    const ArrayCode& array = code_.arrays[step.value - code_.sources.size()];
    return (array.role == Role::input ? "input " : "output ") + *array.name;
}

std::string Troubles::assertion(StepId step) const {
    if (step.value >= code_.sources.size()) { return {}; }
    const auto* assertion = std::get_if<sched::Assert>(&code_.sources[step.value]->node);
    return assertion == nullptr ? std::string() : assertion->message;
}

void Troubles::note(TroubleKind kind, StepId step, std::string array, std::vector<std::int64_t> cell, std::string what,
                    Position position) {
    if (!is_news(kind, step)) { return; }
    noted_[step.value] |= 1U << bit(kind);
    // A negative extent is not trouble by itself, and must not displace real trouble.
    if (!is_harmless(kind) && counted_++ >= most_) { return; }
    found_.push_back({kind, std::move(array), std::move(cell), headline(step), std::move(position), std::move(what),
                      assertion(step)});
}

std::string cell_name(const std::string& array, const std::vector<std::int64_t>& indices) {
    std::string text = array + "[";
    for (std::size_t d = 0; d < indices.size(); ++d) {
        if (d > 0) { text += ", "; }
        text += std::to_string(indices[d]);
    }
    return text + "]";
}

}  // namespace haruspex::interp::loops
