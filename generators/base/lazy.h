#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace haruspex {

// A value that is computed on first use, once for all copies. If the computation throws, the next use tries again.
template <typename T>
class Lazy {
public:
    explicit Lazy(T object) : state_(std::make_shared<State>(nullptr, std::move(object))) {}
    explicit Lazy(std::function<T()> compute) : state_(std::make_shared<State>(std::move(compute), std::nullopt)) {}

    const T& operator()() const {
        if (!state_->object) { state_->object = state_->compute(); }
        return *state_->object;
    }

private:
    struct State {
        std::function<T()> compute;
        std::optional<T> object;
    };
    std::shared_ptr<State> state_;
};

}  // namespace haruspex
