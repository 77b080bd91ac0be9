#pragma once

#include <memory>
#include <utility>

namespace haruspex {

// A value on the heap that is copied, compared and destroyed with its owner, so that a syntax tree can contain
// itself and still be a plain value. Never empty, except after a move.
template <typename T>
class Box {
public:
    Box(T value) : value_(std::make_unique<T>(std::move(value))) {}  // NOLINT(google-explicit-constructor)
    Box(const Box& other) : value_(std::make_unique<T>(*other.value_)) {}
    Box(Box&&) noexcept = default;
    Box& operator=(const Box& other) {
        // Copy first: `other` may live inside the value that is replaced.
        auto copy = std::make_unique<T>(*other.value_);
        value_ = std::move(copy);
        return *this;
    }
    Box& operator=(Box&&) noexcept = default;
    ~Box() = default;

    T& operator*() { return *value_; }
    const T& operator*() const { return *value_; }
    T* operator->() { return value_.get(); }
    const T* operator->() const { return value_.get(); }

    bool operator==(const Box& other) const { return *value_ == *other.value_; }

private:
    std::unique_ptr<T> value_;
};

}  // namespace haruspex
