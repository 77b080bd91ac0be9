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

// The meaning of the names in scope, while a program is walked in textual order.
namespace haruspex::sched {

using Sound = std::expected<void, std::string>;  // an error describes the fault

enum class Memory : std::uint8_t { input, output, allocated };
struct ArrayBinding {
    Scope::ArrayShape shape;
    Memory memory = Memory::allocated;
};
struct SemaphoreBinding {};
// The meaning of a name: a variable with the kinds that it may have, a value-let, an array, or a semaphore.
using Binding = std::variant<Types, Scope::ValueShape, ArrayBinding, SemaphoreBinding>;

// There is one space of names: the innermost declaration of a name hides all others.
class Environment {
public:
    Environment() = default;
    // Starts inside a scope, which must outlive the environment.
    explicit Environment(const Scope& around) : around_(&around) {}

    std::optional<Binding> find(std::string_view name) const;

    // Brings a name into scope until the innermost Inside ends. Fails if `name` is not a name (names.h).
    [[nodiscard]] Sound bind(const std::string& name, Binding binding);
    // The same for a declaration in the innermost block. Also fails if the block has already declared the name.
    [[nodiscard]] Sound declare(const std::string& name, Binding binding);

    enum class Extent : std::uint8_t { binder, block };
    // The names that are bound during the lifetime of an Inside go out of scope at its end.
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
        int block;  // the number of the block that declares the name, or 0
    };

    Sound add(const std::string& name, Binding binding, int block);

    const Scope* around_ = nullptr;
    std::map<std::string, std::vector<Entry>, std::less<>> entries_;
    std::vector<std::string> bound_;  // in the order in which they were bound
    int block_ = 1;
    int blocks_ = 1;
};

}  // namespace haruspex::sched
