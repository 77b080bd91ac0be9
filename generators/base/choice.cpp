#include "generators/base/choice.h"

#include <array>
#include <bit>
#include <numeric>
#include <utility>

#include "generators/base/mix.h"

namespace haruspex {
namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
    const std::uint64_t drawn = mix(state);
    state += splitmix64_step;
    return drawn;
}

// The number of values in [low, high], less one: fits 64 bits for every range.
std::uint64_t width(std::int64_t low, std::int64_t high) {
    return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
}

std::int64_t offset(std::int64_t low, std::uint64_t by) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + by);
}

class RandomSource final : public ChoiceSource {
public:
    explicit RandomSource(std::uint64_t seed) {
        for (auto& word : state_) { word = splitmix64(seed); }
    }

    std::int64_t draw(std::int64_t low, std::int64_t high, std::int64_t) override {
        const std::uint64_t span = width(low, high);
        if (span == ~std::uint64_t{0}) { return offset(low, next()); }
        // Rejection keeps the draw uniform: values of the incomplete last copy of the range are drawn again.
        const std::uint64_t count = span + 1;
        const std::uint64_t limit = ~std::uint64_t{0} - (~std::uint64_t{0} % count + 1) % count;
        std::uint64_t raw = next();
        while (raw > limit) { raw = next(); }
        return offset(low, raw % count);
    }

private:
    std::uint64_t next() {
        const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
        const std::uint64_t t = state_[1] << 17U;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= t;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    std::array<std::uint64_t, 4> state_{};
};

class ByteSource final : public ChoiceSource {
public:
    explicit ByteSource(std::span<const std::uint8_t> bytes) : bytes_(bytes.begin(), bytes.end()) {}

    std::int64_t draw(std::int64_t low, std::int64_t high, std::int64_t target) override {
        const std::uint64_t span = width(low, high);
        if (span == 0) { return low; }
        const int needed = (static_cast<int>(std::bit_width(span)) + 7) / 8;
        if (position_ + static_cast<std::size_t>(needed) > bytes_.size()) {
            position_ = bytes_.size();
            return target;
        }
        std::uint64_t raw = 0;
        for (int i = 0; i < needed; ++i) {
            raw |= static_cast<std::uint64_t>(bytes_[position_++]) << (8U * static_cast<unsigned>(i));
        }
        return offset(low, span == ~std::uint64_t{0} ? raw : raw % (span + 1));
    }

private:
    std::vector<std::uint8_t> bytes_;
    std::size_t position_ = 0;
};

class ReplaySource final : public ChoiceSource {
public:
    explicit ReplaySource(std::vector<Choice> record) : record_(std::move(record)) {}

    std::int64_t draw(std::int64_t low, std::int64_t high, std::int64_t target) override {
        if (position_ == record_.size()) { return target; }
        const std::int64_t value = record_[position_++].value;
        return value >= low && value <= high ? value : target;
    }

private:
    std::vector<Choice> record_;
    std::size_t position_ = 0;
};

}  // namespace

std::unique_ptr<ChoiceSource> random_source(std::uint64_t seed) { return std::make_unique<RandomSource>(seed); }

std::unique_ptr<ChoiceSource> byte_source(std::span<const std::uint8_t> bytes) {
    return std::make_unique<ByteSource>(bytes);
}

std::unique_ptr<ChoiceSource> replay_source(std::vector<Choice> record) {
    return std::make_unique<ReplaySource>(std::move(record));
}

std::uint64_t derive_seed(std::uint64_t campaign_seed, std::uint64_t index) {
    std::uint64_t state = campaign_seed;
    state = splitmix64(state) ^ (index * 0xd1342543de82ef95U);
    return splitmix64(state);
}

std::int64_t Choices::integer(std::int64_t low, std::int64_t high) {
    const std::int64_t nearest_zero = low > 0 ? low : high < 0 ? high : 0;
    return integer(low, high, nearest_zero);
}

std::int64_t Choices::integer(std::int64_t low, std::int64_t high, std::int64_t target) {
    ENSURE(low <= target && target <= high, "a draw needs low <= target <= high");
    const std::int64_t value = source_->draw(low, high, target);
    record_.push_back({low, high, target, value});
    return value;
}

bool Choices::boolean(int per_mille) {
    ENSURE(per_mille >= 0 && per_mille <= 1000, "a probability lies between 0 and 1000 per mille");
    if (per_mille == 0) { return false; }
    if (per_mille == 1000) { return true; }
    // The target 0 must mean "false", so the true draws are the upper ones.
    return integer(0, 999, 0) >= 1000 - per_mille;
}

std::size_t Choices::weighted(std::span<const int> weights) {
    std::int64_t total = 0;
    std::int64_t positive = 0;
    for (const int weight : weights) {
        ENSURE(weight >= 0, "a weight is not negative");
        total += weight;
        positive += weight > 0 ? 1 : 0;
    }
    ENSURE(total > 0, "one weight must be positive");
    std::int64_t left = positive == 1 ? 0 : integer(0, total - 1, 0);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] > 0 && left < weights[i]) { return i; }
        left -= weights[i];
    }
    raise_internal_error(__FILE__, __LINE__, "weights that do not add up to their total");
}

}  // namespace haruspex
