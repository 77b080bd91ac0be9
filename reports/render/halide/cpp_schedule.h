#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "generators/schedule/halide/directive.h"
#include "reports/render/halide/cpp_expr.h"
#include "reports/render/halide/cpp_names.h"

// Writes directives as Halide's calls, which have the same spelling.
namespace haruspex::render::halide {

// A loop variable's identifier, and whether it is an RVar.
struct LoopName {
    std::string identifier;
    bool is_rvar = false;
};
using LoopNames = std::map<std::string, LoopName>;

class ScheduleWriter {
public:
    // Borrows `identifiers`. `parameters` has the identifiers that may occur in bounds and conditions.
    ScheduleWriter(Identifiers& identifiers, Scope parameters)
        : identifiers_(identifiers), parameters_(std::move(parameters)) {}

    // Declares an input: an ImageParam.
    void declare_input(const std::string& name, const std::string& identifier) { inputs_[name] = identifier; }
    // Declare a function, and the loop variables of one of its definitions: 0 is the pure definition, n + 1 is
    // update(n).
    void declare_function(const std::string& tensor, const std::string& identifier);
    void declare_loops(const std::string& tensor, int definition, const LoopNames& loops);

    // Returns the statement of one directive.
    std::string write(const schedule::halide::Directive& directive);

    // The Vars and RVars that directives introduced: identifier -> name. The caller must declare them.
    const std::map<std::string, std::string>& new_vars() const { return new_vars_; }
    const std::map<std::string, std::string>& new_rvars() const { return new_rvars_; }

private:
    // Function; number of the definition; number of the specialisation, or -1.
    using StageKey = std::tuple<std::string, int, int>;

    static StageKey key_of(const schedule::halide::StageRef& stage);
    std::string function(const std::string& tensor);
    std::string stage(const schedule::halide::StageRef& ref);
    LoopName loop(const StageKey& key, const std::string& name);
    std::string loop(const std::string& name) { return loop(here_, name).identifier; }
    std::string introduce(const std::string& name, bool is_rvar);
    std::string var(const std::string& name);
    std::string level(const schedule::halide::LoopLevel& level);
    std::string list(const std::vector<std::string>& identifiers);
    std::string loops(const std::vector<std::string>& names);
    std::string factor_and_tail(std::int64_t factor, schedule::halide::Tail tail);

    template <typename Action>
    std::string marked(const char* name, const schedule::halide::StageRef& s, const Action& action);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::Split& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::Tile& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::Fuse& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::Reorder& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::Vectorize& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::Unroll& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::Parallel& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::Serial& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::Partition& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::NeverPartition& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::AlwaysPartition& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::NeverPartitionAll& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::AlwaysPartitionAll& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::Prefetch& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::ComputeRoot& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::ComputeInline& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::ComputeAt& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::StoreRoot& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::StoreAt& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::HoistStorage& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::HoistStorageRoot& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::Bound& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::BoundExtent& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::AlignBounds& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::ReorderStorage& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::FoldStorage& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::AlignStorage& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::RingBuffer& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::Specialize& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::Atomic& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::RFactor& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::ComputeWith& a);
    std::string statement(const schedule::halide::StageRef& s, const schedule::halide::Async& a);

    Identifiers& identifiers_;
    Scope parameters_;
    std::map<std::string, std::string> functions_, inputs_;
    std::map<StageKey, LoopNames> loops_;
    std::map<StageKey, std::string> specializations_;
    std::map<StageKey, int> specialization_counts_;
    std::map<std::string, std::string> new_vars_, new_rvars_;
    StageKey here_;  // the stage of the directive that is being written
};

}  // namespace haruspex::render::halide
