#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "generators/base/ensure.h"
#include "generators/base/result.h"

// The choice source: every random decision of haruspex is a typed draw from here. Draws are recorded, and a record
// replays to the same draws, so a case is a function of its choices (Hypothesis's choice sequence). No floating point
// and no library distribution takes part: the same seed gives the same draws on any machine.
namespace haruspex {

// One draw: a value in [low, high]; `target` is the value that a shrinker aims for.
struct Choice {
    std::int64_t low = 0;
    std::int64_t high = 0;
    std::int64_t target = 0;
    std::int64_t value = 0;

    bool operator==(const Choice&) const = default;
};

// The source of raw choices: a PRNG, a fuzzer's bytes, or a record.
class ChoiceSource {
public:
    virtual ~ChoiceSource() = default;
    // Returns a value in [low, high]; low <= target <= high. A source that has run out returns `target`.
    virtual std::int64_t draw(std::int64_t low, std::int64_t high, std::int64_t target) = 0;
};

// Deterministic pseudo-random choices (xoshiro256**, seeded by splitmix64).
std::unique_ptr<ChoiceSource> random_source(std::uint64_t seed);
// Choices read from a byte string. Each takes as few bytes as the size of its range needs: a little-endian number,
// reduced modulo that size.
std::unique_ptr<ChoiceSource> byte_source(std::span<const std::uint8_t> bytes);
// The recorded choices in order. The target replaces a recorded value outside the requested range.
std::unique_ptr<ChoiceSource> replay_source(std::vector<Choice> record);

// The seed of case number `index` of a campaign: mixes both, so that neighbours have nothing in common.
std::uint64_t derive_seed(std::uint64_t campaign_seed, std::uint64_t index);

class Choices {
public:
    explicit Choices(std::unique_ptr<ChoiceSource> source) : source_(std::move(source)) {}

    // Draws a uniform integer in [low, high]. `target` defaults to the number in the range that is nearest to zero.
    std::int64_t integer(std::int64_t low, std::int64_t high);
    std::int64_t integer(std::int64_t low, std::int64_t high, std::int64_t target);
    // True with probability per_mille / 1000; shrinks to false. For 0 and 1000 nothing is drawn.
    bool boolean(int per_mille);
    // Draws an index into `weights` with probabilities in proportion to the weights; shrinks to the first index with a
    // positive weight. At least one weight must be positive, and none may be negative.
    std::size_t weighted(std::span<const int> weights);
    std::size_t weighted(std::initializer_list<int> weights) {
        return weighted(std::span<const int>(weights.begin(), weights.size()));
    }
    // Draws an element of a non-empty range; shrinks to the first.
    template <typename Range>
    decltype(auto) one_of(Range&& range) {
        ENSURE(!std::empty(range), "one_of needs an element to choose");
        return range[static_cast<std::size_t>(integer(0, static_cast<std::int64_t>(std::size(range)) - 1, 0))];
    }
    // Calls element(i) for i = 0, 1, …: at least `least` and at most `most` times. Each call beyond `least` is made
    // with probability continue_per_mille; the first that is not made ends the sequence. This is drawn as "one more?"
    // right before the element, so elements can be deleted from a record without changing the meaning of the others.
    template <typename Element>
    void sequence(std::size_t least, std::size_t most, int continue_per_mille, Element&& element) {
        for (std::size_t i = 0; i < most; ++i) {
            if (i >= least && !boolean(continue_per_mille)) { break; }
            element(i);
        }
    }
    // Reorders values uniformly (Fisher–Yates); shrinks to the order given.
    template <typename Values>
    void shuffle(Values& values) {
        for (std::size_t i = 0; i + 1 < values.size(); ++i) {
            const auto j = static_cast<std::size_t>(integer(static_cast<std::int64_t>(i),
                                                            static_cast<std::int64_t>(values.size()) - 1,
                                                            static_cast<std::int64_t>(i)));
            if (i != j) { std::swap(values[i], values[j]); }
        }
    }

    const std::vector<Choice>& record() const { return record_; }

private:
    std::unique_ptr<ChoiceSource> source_;
    std::vector<Choice> record_;
};

}  // namespace haruspex
