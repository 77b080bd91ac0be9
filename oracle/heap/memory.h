#pragma once

#include <isl/cpp.h>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generators/base/ensure.h"
#include "oracle/heap/heap.h"

// Heaps that are evaluated lazily. Most of the work is to find the last iteration that wrote each cell, but the values
// that a loop leaves in an array are seldom requested, and most reads find a cell that one of the last few statements
// wrote.
namespace haruspex::heap {

// A union of sets or relations, split by array. The part of an array is computed on the first request and then kept;
// copies share the computed parts. If the computation throws (a budget is spent), nothing is kept, and the next request
// computes the part again.
template <typename Union>
class ByArray {
public:
    using Part = std::function<Union(const std::string& array)>;

    // A union without arrays.
    ByArray() : ByArray({}, {}) {}
    // `part` returns the relations, or the cells, of the given array alone.
    ByArray(std::set<std::string> arrays, Part part)
        : parts_(std::make_shared<Parts>(Parts{std::move(arrays), std::move(part), {}})) {}

    const std::set<std::string>& arrays() const { return parts_->arrays; }
    bool has(const std::string& array) const { return arrays().contains(array); }
    // `array` must be one of arrays() (ENSURE).
    const Union& at(const std::string& array) const {
        ENSURE(has(array), "nothing is known of the array " + array);
        const auto found = parts_->known.find(array);
        if (found != parts_->known.end()) { return found->second; }
        return parts_->known.emplace(array, parts_->part(array)).first->second;
    }

private:
    struct Parts {
        std::set<std::string> arrays;
        Part part;
        std::map<std::string, Union> known;
    };
    std::shared_ptr<Parts> parts_;
};

// Δh: the cells that a statement writes, with their values.
using Delta = ByArray<Heap>;
// The cells that a statement reads or writes.
using Accesses = ByArray<Locations>;

// Wraps a union that is already computed.
Delta known(const Heap& heap);
Accesses known(const Locations& locations);

// Δ1 ▷ Δ2 ▷ …
Delta in_order(std::vector<Delta> deltas);
// Δ1 ∪ Δ2 ∪ …
Delta united(std::vector<Delta> deltas);
Accesses united(std::vector<Accesses> accesses);

// Applies `change` to the part of each array, on request.
template <typename From, typename Change>
auto changed(const ByArray<From>& from, Change change) {
    using To = decltype(change(std::declval<const From&>()));
    return ByArray<To>(from.arrays(),
                       [from, change = std::move(change)](const std::string& array) { return change(from.at(array)); });
}

// Removes some of the arrays.
template <typename Union>
ByArray<Union> without(const ByArray<Union>& from, const std::set<std::string>& arrays) {
    std::set<std::string> left;
    for (const std::string& array : from.arrays()) {
        if (!arrays.contains(array)) { left.insert(array); }
    }
    return ByArray<Union>(std::move(left), [from](const std::string& array) { return from.at(array); });
}

// Keeps some of the arrays.
template <typename Union>
ByArray<Union> only(const ByArray<Union>& from, const std::set<std::string>& arrays) {
    std::set<std::string> kept;
    for (const std::string& array : from.arrays()) {
        if (arrays.contains(array)) { kept.insert(array); }
    }
    return ByArray<Union>(std::move(kept), [from](const std::string& array) { return from.at(array); });
}

// Joins the parts of all arrays.
Heap whole(isl::ctx ctx, const Delta& delta);
Locations whole(isl::ctx ctx, const Accesses& accesses);

// ĥ ▷ Δ1 ▷ Δ2 ▷ …: a heap as a stack of updates.
class Memory {
public:
    explicit Memory(isl::ctx ctx) : ctx_(ctx) {}
    Memory(const Heap& heap) : ctx_(heap.ctx()) { leave(known(heap)); }

    void leave(const Delta& delta) {
        if (!delta.arrays().empty()) { layers_.push_back(delta); }
    }

    // Looks up a location of an array in the environments: its value ĥ(ℓ̂), and in `missing` the environments in which
    // nothing was left there. Both are right only within the context, and omit conditions that follow from it. The
    // search ends once are_possible(missing) is false, before it reaches most layers. Gives up if environments are
    // intricate (affine::give_up_if_intricate).
    struct Held {
        Value value;
        isl::set missing;
    };
    using ArePossible = std::function<bool(const isl::set& environments)>;
    Held at(const std::string& array, const Location& location, const isl::set& environments, const isl::set& context,
            const ArePossible& are_possible) const;
    // The locations of the array at which a value was left; empty if there are none.
    Locations domain(const std::string& array) const;
    // The cells of these arrays, as one heap.
    Heap only(const std::set<std::string>& arrays) const;

private:
    isl::ctx ctx_;
    std::vector<Delta> layers_;  // the last layer is on top
};

}  // namespace haruspex::heap
