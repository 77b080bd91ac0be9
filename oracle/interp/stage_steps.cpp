#include "oracle/interp/stage_steps.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "generators/base/ensure.h"
#include "generators/base/sizes.h"

namespace haruspex::interp {
namespace {

// With more steps the index would cost more than it saves.
constexpr std::int64_t most_steps = std::int64_t{1} << 24;

bool is_variable(const sare::Index& index, const std::string& name) {
    const auto* variable = std::get_if<sare::IndexVariable>(&index.node);
    return variable != nullptr && variable->name == name;
}

}  // namespace

StageSteps::StageSteps(const sare::StagedUpdate& update, const std::vector<std::string>& variables,
                       const Sizes& parameters)
    : rank_(variables.size()) {
    ENSURE(update.target.size() == rank_, "an update's target has the tensor's rank");
    Scope scope(parameters);
    for (const sare::RecurrenceVariable& variable : update.over) {
        recurrence_.push_back(Loop{code_.evaluate(code_.add(variable.min, scope), nullptr),
                                   code_.evaluate(code_.add(variable.extent, scope), nullptr)});
    }
    std::uint32_t slot = 0;
    for (const std::string& variable : variables) { scope.declare(variable, slot++); }
    for (const sare::RecurrenceVariable& variable : update.over) { scope.declare(variable.name, slot++); }

    const auto rank = static_cast<std::uint32_t>(rank_);
    const ConditionRef where = code_.add(update.where, scope);
    const bool where_of_cell = code_.reads_below(where, rank);
    step_condition_ = where_of_cell ? code_.conjunction({}) : where;
    std::vector<ConditionRef> of_cell;
    if (where_of_cell) { of_cell.push_back(where); }
    for (std::size_t p = 0; p < rank_; ++p) {
        if (is_variable(update.target[p], variables[p])) { continue; }
        const IndexRef target = code_.add(update.target[p], scope);
        if (code_.reads_below(target, rank)) {
            of_cell.push_back(code_.equality(code_.add(linear_column(static_cast<std::uint32_t>(p))), target));
        } else {
            keys_.push_back(KeyPosition{p, target});
        }
    }
    cell_condition_ = code_.conjunction(of_cell);
    writes_always_ = keys_.empty() && code_.is_always(step_condition_, true) && code_.is_always(cell_condition_, true);
    indexable_ = count_steps();
}

bool StageSteps::count_steps() {
    steps_ = 1;
    if (std::ranges::any_of(recurrence_, [](const Loop& loop) { return loop.extent <= 0; })) { steps_ = 0; }
    for (const Loop& loop : recurrence_) {
        if (steps_ != 0 && loop.extent > most_steps / steps_) { return false; }
        steps_ *= loop.extent;
    }
    return true;
}

void StageSteps::last_point(std::int64_t* k) const {
    for (const Loop& loop : recurrence_) { *k++ = loop.low + loop.extent - 1; }
}

void StageSteps::append_box(std::vector<std::int64_t>& min, std::vector<std::int64_t>& extent) const {
    for (const Loop& loop : recurrence_) {
        min.push_back(loop.low);
        extent.push_back(loop.extent);
    }
}

void StageSteps::set_point(std::int64_t time, std::int64_t* k) const {
    for (const Loop& loop : recurrence_) {
        *k++ = loop.low + time % loop.extent;
        time /= loop.extent;
    }
}

StageSteps::Found StageSteps::seek(std::int64_t* cell) {
    std::int64_t* const k = cell + rank_;
    for (std::size_t i = 0; i < recurrence_.size(); ++i) {
        const Loop& loop = recurrence_[i];
        if (k[i] < loop.low || k[i] - loop.low >= loop.extent) { return Found::outside; }
    }
    if (writes_always_) { return Found::written; }
    if (indexable_ && !indexed_) { index_steps(); }
    if (!indexable_) { return Found::unknown; }
    std::uint64_t key = 0;
    if (!key_of(cell, key)) { return Found::unwritten; }
    if (!sorted_keys_.empty()) {
        const auto found = std::ranges::lower_bound(sorted_keys_, key);
        if (found == sorted_keys_.end() || *found != key) { return Found::unwritten; }
        key = static_cast<std::uint64_t>(found - sorted_keys_.begin());
    }
    std::int64_t time = 0;
    std::int64_t stride = 1;
    for (std::size_t i = 0; i < recurrence_.size(); ++i) {
        time += (k[i] - recurrence_[i].low) * stride;
        stride *= recurrence_[i].extent;
    }
    const auto first = times_.begin() + starts_[key];
    auto candidate = std::upper_bound(first, times_.begin() + starts_[key + 1], time);
    while (candidate != first) {
        --candidate;
        set_point(*candidate, k);
        ++tested_;
        if (code_.holds(cell_condition_, cell)) { return Found::written; }
    }
    set_point(time, k);
    return Found::unwritten;
}

// The number of the key among all possible ones, innermost position first; false if no step has it.
bool StageSteps::key_of(const std::int64_t* coordinates, std::uint64_t& key) const {
    if (key_count_ == 0) { return false; }
    key = 0;
    std::uint64_t stride = 1;
    for (const KeyPosition& position : keys_) {
        const std::uint64_t offset =
            static_cast<std::uint64_t>(coordinates[position.position]) - static_cast<std::uint64_t>(position.low);
        if (offset >= position.extent) { return false; }
        key += offset * stride;
        stride *= position.extent;
    }
    return true;
}

// Sets the bounding box of the targets, which are listed step after step. False when it has too many points.
bool StageSteps::number_keys(const std::vector<std::int64_t>& targets) {
    key_count_ = times_.empty() ? 0 : 1;
    for (std::size_t i = 0; i < keys_.size() && key_count_ != 0; ++i) {
        std::int64_t low = INT64_MAX;
        std::int64_t high = INT64_MIN;
        for (std::size_t t = i; t < targets.size(); t += keys_.size()) {
            low = std::min(low, targets[t]);
            high = std::max(high, targets[t]);
        }
        keys_[i].low = low;
        keys_[i].extent = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
        if (keys_[i].extent == 0 || __builtin_mul_overflow(key_count_, keys_[i].extent, &key_count_)) { return false; }
    }
    return true;
}

void StageSteps::index_steps() {
    indexed_ = true;
    std::vector<std::int64_t> slots(rank_ + recurrence_.size());
    std::vector<std::int64_t> targets;
    for (std::int64_t time = 0; time < steps_; ++time) {
        set_point(time, slots.data() + rank_);
        if (!code_.holds(step_condition_, slots.data())) { continue; }
        times_.push_back(static_cast<std::uint32_t>(time));
        for (const KeyPosition& key : keys_) { targets.push_back(code_.evaluate(key.index, slots.data())); }
    }
    if (!number_keys(targets)) {
        indexable_ = false;
        return;
    }
    std::vector<std::pair<std::uint64_t, std::uint32_t>> writes;  // key, time
    writes.reserve(times_.size());
    for (std::size_t i = 0; i < times_.size(); ++i) {
        for (std::size_t p = 0; p < keys_.size(); ++p) { slots[keys_[p].position] = targets[i * keys_.size() + p]; }
        std::uint64_t key = 0;
        ENSURE(key_of(slots.data(), key), "every target lies in the box of all targets");
        writes.emplace_back(key, times_[i]);
    }
    std::ranges::stable_sort(writes, {}, &std::pair<std::uint64_t, std::uint32_t>::first);
    for (std::size_t i = 0; i < writes.size(); ++i) { times_[i] = writes[i].second; }

    // Direct starts, unless they are many more than the steps.
    if (key_count_ <= 4 * writes.size() + 1024) {
        starts_.assign(key_count_ + 1, 0);
        for (const auto& write : writes) { ++starts_[write.first + 1]; }
        for (std::size_t key = 0; key < key_count_; ++key) { starts_[key + 1] += starts_[key]; }
        return;
    }
    for (std::size_t i = 0; i < writes.size(); ++i) {
        if (i == 0 || writes[i].first != writes[i - 1].first) {
            sorted_keys_.push_back(writes[i].first);
            starts_.push_back(static_cast<std::uint32_t>(i));
        }
    }
    starts_.push_back(static_cast<std::uint32_t>(writes.size()));
}

}  // namespace haruspex::interp
