#include "oracle/interp/sched_troubles.h"

#include <array>
#include <string_view>

#include "harness/sched/text.h"

namespace haruspex::interp {

std::string_view name(TroubleKind kind) {
    static constexpr std::array<std::string_view, 17> names{
        "out_of_bounds_read", "out_of_bounds_write", "read_after_free",  "write_after_free", "free_after_free",
        "write_to_input",     "read_write_race",     "write_write_race", "lane_conflict",    "depends_on_uninit",
        "depends_on_undef",   "assertion_failed",    "index_overflow",   "negative_extent",  "negative_units",
        "deadlock",           "order_matters"};
    return names.at(static_cast<std::size_t>(kind));
}

bool is_harmless(TroubleKind kind) { return kind == TroubleKind::negative_extent; }

}  // namespace haruspex::interp

namespace haruspex::interp::loops {

std::string Troubles::headline(StepId step) const {
    if (step.value < code_.sources.size()) { return sched::headline(*code_.sources[step.value]); }
    const ArrayCode& array = code_.arrays[step.value - code_.sources.size()];
    return (array.role == Role::input ? "input " : "output ") + *array.name;
}

void Troubles::note(TroubleKind kind, StepId step, std::string array, std::vector<std::int64_t> cell,
                    const std::string& what, Position position) {
    if (!is_news(kind, step)) { return; }
    noted_[step.value] |= 1U << bit(kind);
    // An extent is no trouble by itself, and must not stand before what is.
    if (!is_harmless(kind) && counted_++ >= most_) { return; }
    Trouble trouble{kind, std::move(array), std::move(cell), headline(step), std::move(position), {}};
    trouble.message = what + ": `" + trouble.statement + "`";
    std::string separator = " at ";
    for (const auto& [variable, value] : trouble.position) {
        trouble.message += separator + variable + " = " + std::to_string(value);
        separator = ", ";
    }
    found_.push_back(std::move(trouble));
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
