#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// A schedule: a list of directives in the vocabulary of one compiler, as data. Only the folder named after the compiler
// knows the contents of a directive; all other code counts, prints, compares, copies and removes directives.
//
//   schedule ::= directive*            one to a line, "#" starts a comment
namespace haruspex::schedule {

class Directive {
public:
    // T is a compiler's directive: a value with ==, and with these functions in its namespace:
    //   std::string print(const T&)         returns one line, which the compiler's Language (language.h) reads back
    //   std::string kind_of(const T&)       returns the directive's kind, for counting and grouping
    template <typename T>
        requires(!std::same_as<T, Directive>)
    Directive(T directive) : value_(std::make_unique<Holder<T>>(std::move(directive))) {}
    Directive(const Directive& other) : value_(other.value_->copy()) {}
    Directive(Directive&&) noexcept = default;
    Directive& operator=(const Directive& other) {
        value_ = other.value_->copy();
        return *this;
    }
    Directive& operator=(Directive&&) noexcept = default;
    ~Directive() = default;

    std::string text() const { return value_->text(); }
    std::string kind() const { return value_->kind(); }
    bool operator==(const Directive& other) const { return value_->equals(*other.value_); }

    // Null if the directive is another compiler's.
    template <typename T>
    const T* as() const {
        const auto* holder = dynamic_cast<const Holder<T>*>(value_.get());
        return holder == nullptr ? nullptr : &holder->value;
    }
    template <typename T>
    T* as() {
        auto* holder = dynamic_cast<Holder<T>*>(value_.get());
        return holder == nullptr ? nullptr : &holder->value;
    }

private:
    struct Held {
        virtual ~Held() = default;
        virtual std::unique_ptr<Held> copy() const = 0;
        virtual bool equals(const Held& other) const = 0;
        virtual std::string text() const = 0;
        virtual std::string kind() const = 0;
    };
    template <typename T>
    struct Holder final : Held {
        explicit Holder(T held) : value(std::move(held)) {}
        std::unique_ptr<Held> copy() const override { return std::make_unique<Holder>(value); }
        bool equals(const Held& other) const override {
            const auto* same = dynamic_cast<const Holder*>(&other);
            return same != nullptr && same->value == value;
        }
        std::string text() const override { return print(value); }
        std::string kind() const override { return kind_of(value); }
        T value;
    };

    std::unique_ptr<Held> value_;
};

struct Schedule {
    std::vector<Directive> directives;
    bool operator==(const Schedule&) const = default;
};

// Returns a line for each directive. The compiler's Language parses this text to the same schedule.
std::string print(const Schedule& schedule);

}  // namespace haruspex::schedule
