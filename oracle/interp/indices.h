#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generators/base/sizes.h"
#include "generators/sare/syntax.h"
#include "oracle/interp/linear.h"

// Compiled indices and conditions: parameters are replaced by their values, variables by slots of an array, affine
// parts by linear forms, and constants are folded.
namespace haruspex::interp {

// The names in scope. A variable hides any parameter and any earlier variable of the same name.
class Scope {
public:
    explicit Scope(const Sizes& parameters) : parameters_(&parameters) {}

    void declare(std::string name, std::uint32_t slot) { slots_.emplace_back(std::move(name), slot); }
    // Forgets all but the first `count` declarations.
    void shrink(std::size_t count) { slots_.resize(count); }
    std::size_t size() const { return slots_.size(); }
    // Returns what the name stands for: a number, or the column of its slot. The name must be known (ENSURE).
    Linear resolve(const std::string& name) const;

private:
    const Sizes* parameters_;
    std::vector<std::pair<std::string, std::uint32_t>> slots_;
};

// The linear form of an affine index over slots; nullopt if it is not affine.
std::optional<Linear> linear_form(const sare::Index& index, const Scope& scope);

struct IndexRef {
    std::uint32_t node = 0;
};
struct ConditionRef {
    std::uint32_t node = 0;
};

class IndexCode {
public:
    // For a machine whose indices have this many bits, 2 to 64.
    explicit IndexCode(int bits = 64) : most_(static_cast<std::int64_t>((std::uint64_t{1} << (bits - 1)) - 1)) {}

    IndexRef add(const sare::Index& index, const Scope& scope);
    IndexRef add(const Linear& linear);
    ConditionRef add(const sare::Condition& condition, const Scope& scope);
    ConditionRef conjunction(const std::vector<ConditionRef>& conditions);
    ConditionRef equality(IndexRef a, IndexRef b);

    std::int64_t evaluate(IndexRef index, const std::int64_t* slots) const {
        const IndexNode& node = indices_[index.node];
        if (node.kind != IndexKind::shifted) { return evaluate_node(node, slots); }
        std::int64_t sum = 0;
        const bool overflow = __builtin_add_overflow(slots[node.a], node.constant, &sum);
        if (overflow || (node.is_index && !fits(sum))) { overflowed_ = true; }
        return sum;
    }
    bool holds(ConditionRef condition, const std::int64_t* slots) const;
    bool is_always(ConditionRef condition, bool value) const;
    // Whether evaluation may read one of the first `count` slots.
    bool reads_below(IndexRef index, std::uint32_t count) const;
    bool reads_below(ConditionRef condition, std::uint32_t count) const;

    // Whether an evaluation since the last call of take_overflow left the machine's bits; its result is then
    // meaningless, and the evaluation must be abandoned. An affine part of an index, or of a comparison's side, must
    // fit as a whole. Only 64 bits are required of its partial sums, and of an index that is added as a linear form.
    bool overflowed() const { return overflowed_; }
    bool take_overflow() const { return std::exchange(overflowed_, false); }

private:
    enum class IndexKind : std::uint8_t { shifted, linear, add, sub, min, max, scale, floor_div, floor_mod, select };
    struct IndexNode {
        IndexKind kind;
        bool is_index = false;               // it is an index, or a part of one, and not the row of a comparison
        std::int64_t constant = 0;           // linear: the constant; scale: the factor; floor_*: the divisor
        std::uint32_t first = 0, count = 0;  // linear: terms
        std::uint32_t a = 0, b = 0;          // operands; shifted: the slot
        std::uint32_t condition = 0;         // select
    };
    enum class ConditionKind : std::uint8_t { truth, compare_zero, compare, all, any, negation };
    struct ConditionNode {
        ConditionKind kind;
        sare::Relation relation = sare::Relation::eq;
        bool value = false;                  // truth
        std::uint32_t a = 0, b = 0;          // compare: indices; negation: a condition
        std::uint32_t first = 0, count = 0;  // all, any: members
    };

    bool fits(std::int64_t value) const { return value <= most_ && value >= -most_ - 1; }
    std::int64_t evaluate_node(const IndexNode& node, const std::int64_t* slots) const;
    IndexRef add_node(const IndexNode& node);
    ConditionRef add_condition(const ConditionNode& node);
    IndexRef add_index(const sare::Index& index, const Scope& scope);
    IndexRef binary(IndexKind kind, const sare::Index& a, const sare::Index& b, const Scope& scope);
    IndexRef divide(IndexKind kind, const sare::Index& a, std::int64_t divisor, const Scope& scope);
    ConditionRef comparison(const sare::Comparison& comparison, const Scope& scope);
    ConditionRef junction(ConditionKind kind, const std::vector<ConditionRef>& members);
    // The value of an index without variables, if it fits.
    std::optional<std::int64_t> constant_value(IndexRef index) const;

    std::vector<Term> terms_;
    std::vector<IndexNode> indices_;
    std::vector<ConditionNode> conditions_;
    std::vector<std::uint32_t> members_;
    std::int64_t most_;
    mutable bool overflowed_ = false;
};

}  // namespace haruspex::interp
