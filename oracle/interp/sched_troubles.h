#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "oracle/interp/sched_code.h"
#include "oracle/interp/sched_execution.h"

namespace haruspex::interp::loops {

// Collects the troubles of a run, each kind at most once per statement. The declaration of an outer array counts as a
// statement.
class Troubles {
public:
    using Position = std::vector<std::pair<std::string, std::int64_t>>;

    Troubles(const Code& code, std::size_t most)
        : code_(code), most_(most), noted_(code.sources.size() + code.outer_dimensions.size(), 0) {}

    StepId declaration(ArrayId array) const { return {static_cast<std::uint32_t>(code_.sources.size()) + array.value}; }
    // Whether the statement has no trouble of this kind yet; otherwise its text need not be composed.
    bool is_new(TroubleKind kind, StepId step) const { return (noted_[step.value] >> bit(kind) & 1U) == 0; }
    // Adds a trouble, unless it is not news or there are `most` already; negative extents are not counted. `what`
    // describes the statement's action: "writes f[12], which is out of bounds [0, 12)".
    void note(TroubleKind kind, StepId step, std::string array, std::vector<std::int64_t> cell, std::string what,
              Position position);

    std::vector<Trouble>& found() { return found_; }

private:
    static unsigned bit(TroubleKind kind) { return static_cast<unsigned>(kind); }
    std::string headline(StepId step) const;
    // The message of an assertion; empty for other statements.
    std::string assertion(StepId step) const;

    const Code& code_;
    std::size_t most_;
    std::vector<std::uint32_t> noted_;  // by statement: the kinds
    std::vector<Trouble> found_;
    std::size_t counted_ = 0;
};

// "f[3, 4]"
std::string cell_name(const std::string& array, const std::vector<std::int64_t>& indices);

}  // namespace haruspex::interp::loops
