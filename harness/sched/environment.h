#pragma once

#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/sched/types.h"

// What the names in scope stand for, while a program is walked in the order of its text.
namespace haruspex::sched {

using Sound = std::expected<void, std::string>;  // or what is wrong

enum class Memory : std::uint8_t { input, output, allocated };
struct ArrayBinding {
    Scope::ArrayShape shape;
    Memory memory = Memory::allocated;
};
struct SemaphoreBinding {};
// A variable, with the kinds it may have; a value-let; an array; a semaphore.
using Binding = std::variant<Types, Scope::ValueShape, ArrayBinding, SemaphoreBinding>;

// There is one space of names: the innermost declaration of a name hides all others.
class Environment {
public:
    Environment() = default;
    // Inside of a scope that outlives the environment.
    explicit Environment(const Scope& around) : around_(&around) {}

    std::optional<Binding> find(std::string_view name) const;

    // Brings a name into scope until the end of the innermost Inside; it must be free to be a name.
    [[nodiscard]] Sound bind(const std::string& name, Binding binding);
    // The same, for a declaration of the innermost block, which has no other of this name.
    [[nodiscard]] Sound declare(const std::string& name, Binding binding);

    enum class Extent : std::uint8_t { binder, block };
    // What is bound during its lifetime goes out of scope at its end.
    class Inside {
    public:
        Inside(Environment& environment, Extent extent);
        ~Inside();
        Inside(const Inside&) = delete;
        Inside& operator=(const Inside&) = delete;

    private:
        Environment& environment_;
        std::size_t mark_;
        int block_;
    };

private:
    struct Entry {
        Binding binding;
        int block;  // in which it is declared, or 0
    };

    Sound add(const std::string& name, Binding binding, int block);

    const Scope* around_ = nullptr;
    std::map<std::string, std::vector<Entry>, std::less<>> entries_;
    std::vector<std::string> bound_;  // in order
    int block_ = 1;
    int blocks_ = 1;
};

}  // namespace haruspex::sched
