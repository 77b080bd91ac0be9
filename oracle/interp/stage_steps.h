#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "generators/base/sizes.h"
#include "generators/sare/syntax.h"
#include "oracle/interp/indices.h"

// The steps of one update stage A.s(x, k) of a staged tensor, in the algorithm's order. The equations of sare/staging.h
// copy a cell from step to step until one writes it; StageSteps finds that step directly, so that the cost of a read
// does not grow with the number of steps.
namespace haruspex::interp {

class StageSteps {
public:
    // `variables` are those of the staged tensor (x).
    StageSteps(const sare::StagedUpdate& update, const std::vector<std::string>& variables, const Sizes& parameters);

    std::size_t recurrence_rank() const { return recurrence_.size(); }
    // Sets k to the last step; for a stage without steps, to a point that is not a step.
    void last_point(std::int64_t* k) const;

    // Whether every step writes every x.
    bool writes_always() const { return writes_always_; }
    // Appends the ranges of k.
    void append_box(std::vector<std::int64_t>& min, std::vector<std::int64_t>& extent) const;

    enum class Found : std::uint8_t {
        outside,    // k is not a step
        written,    // k is set to the last step up to the given one that writes x
        unwritten,  // no step up to the given one writes x
        unknown,    // there are too many steps, or the targets are too far apart, to be indexed
    };
    // Finds the step that wrote x up to step k; `cell` is (x, k).
    Found seek(std::int64_t* cell);
    // The number of steps tested so far, by all calls of seek.
    std::uint64_t tested() const { return tested_; }

    // Whether an index has left 64 bits since the last call.
    bool take_overflow() const { return code_.take_overflow(); }

private:
    // A recurrence variable; the first of them runs fastest.
    struct Loop {
        std::int64_t low = 0, extent = 0;
    };
    // A position of the target that depends only on the recurrence variables: steps are looked up by it.
    struct KeyPosition {
        std::size_t position;
        IndexRef index;
        std::int64_t low = 0;
        std::uint64_t extent = 0;
    };

    bool count_steps();
    void index_steps();
    bool number_keys(const std::vector<std::int64_t>& targets);
    bool key_of(const std::int64_t* coordinates, std::uint64_t& key) const;
    void set_point(std::int64_t time, std::int64_t* k) const;

    std::size_t rank_;  // of x
    IndexCode code_;
    std::vector<Loop> recurrence_;
    std::vector<KeyPosition> keys_;
    ConditionRef step_condition_;  // over k alone
    ConditionRef cell_condition_;  // over x and k: the remaining test for a step that is found by its key
    std::int64_t steps_ = 0;
    std::uint64_t tested_ = 0;
    bool writes_always_ = false;
    bool indexed_ = false, indexable_ = true;
    // The steps that write, by key and then by time. Those of a key are in [starts_[i], starts_[i + 1]), where i is the
    // key itself, or its rank among `sorted_keys_` if few of many keys occur.
    std::vector<std::uint32_t> times_;
    std::vector<std::uint32_t> starts_;
    std::vector<std::uint64_t> sorted_keys_;
    std::uint64_t key_count_ = 1;  // 0 when no step writes
};

}  // namespace haruspex::interp
