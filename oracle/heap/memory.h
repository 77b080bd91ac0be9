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

// Heaps that are looked at as late as can be. Of most arrays nobody asks what a loop leaves in them, and of most cells
// that are read the last few statements tell; to find the last iteration that wrote each cell is most of the work.
namespace haruspex::heap {

// The part of a union that is about each array, found when it is first asked for, and then kept. Copies share what they
// found. What is thrown on the way (a budget that is spent) is thrown again, or not, the next time.
template <typename Union>
class ByArray {
public:
    using Part = std::function<Union(const std::string& array)>;

    // About no array.
    ByArray() : ByArray({}, {}) {}
    // `part` yields an array's relations, or its cells, and nothing about other arrays.
    ByArray(std::set<std::string> arrays, Part part)
        : parts_(std::make_shared<Parts>(Parts{std::move(arrays), std::move(part), {}})) {}

    const std::set<std::string>& arrays() const { return parts_->arrays; }
    bool has(const std::string& array) const { return arrays().contains(array); }
    // The array is one of them (ENSURE).
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

// Δh
using Delta = ByArray<Heap>;
using Accesses = ByArray<Locations>;

// What is known already.
Delta known(const Heap& heap);
Accesses known(const Locations& locations);

// Δ1 ▷ Δ2 ▷ …
Delta in_order(std::vector<Delta> deltas);
// ∪
Delta united(std::vector<Delta> deltas);
Accesses united(std::vector<Accesses> accesses);

// With another part for each array, made of its own.
template <typename From, typename Change>
auto changed(const ByArray<From>& from, Change change) {
    using To = decltype(change(std::declval<const From&>()));
    return ByArray<To>(from.arrays(),
                       [from, change = std::move(change)](const std::string& array) { return change(from.at(array)); });
}

// Without what is about some of the arrays.
template <typename Union>
ByArray<Union> without(const ByArray<Union>& from, const std::set<std::string>& arrays) {
    std::set<std::string> left;
    for (const std::string& array : from.arrays()) {
        if (!arrays.contains(array)) { left.insert(array); }
    }
    return ByArray<Union>(std::move(left), [from](const std::string& array) { return from.at(array); });
}

// All of it.
Heap whole(isl::ctx ctx, const Delta& delta);
Locations whole(isl::ctx ctx, const Accesses& accesses);

// ĥ ▷ Δ1 ▷ Δ2 ▷ …: a heap as what was left in it, one after the other.
class Memory {
public:
    explicit Memory(isl::ctx ctx) : ctx_(ctx) {}
    Memory(const Heap& heap) : ctx_(heap.ctx()) { leave(known(heap)); }

    void leave(const Delta& delta) {
        if (!delta.arrays().empty()) { layers_.push_back(delta); }
    }

    // ĥ(ℓ̂) of a location in an array, in the environments, and those in which nothing was left there. Only what they
    // are within the context means anything, and what follows from that is not said. Whether some environments are
    // possible is asked, because most layers are below one that says all. Given up where environments are intricate
    // (affine::give_up_if_intricate).
    struct Held {
        Value value;
        isl::set missing;
    };
    using ArePossible = std::function<bool(const isl::set& environments)>;
    Held at(const std::string& array, const Location& location, const isl::set& environments, const isl::set& context,
            const ArePossible& are_possible) const;
    // Whether anything was left in the array, and then where.
    Locations domain(const std::string& array) const;
    // The arrays as one heap.
    Heap only(const std::set<std::string>& arrays) const;

private:
    isl::ctx ctx_;
    std::vector<Delta> layers_;  // the last one is on top
};

}  // namespace haruspex::heap
