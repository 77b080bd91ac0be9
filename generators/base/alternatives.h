#pragma once

#include <variant>

namespace haruspex {

// A variant whose copies, moves, comparison and destruction are compiled once, where `alternatives_impl.h` is included
// and the type is instantiated (in `syntax.cpp` of a language), and not in every source that has a tree in it.
// Otherwise a std::variant, and visited like one: std::visit, std::get and std::holds_alternative take it.
template <typename... Kinds>
class Alternatives : public std::variant<Kinds...> {
public:
    using Variant = std::variant<Kinds...>;
    using Variant::Variant;
    using Variant::operator=;
    Alternatives() = default;
    Alternatives(const Alternatives& other);
    Alternatives(Alternatives&& other) noexcept;
    Alternatives& operator=(const Alternatives& other);
    Alternatives& operator=(Alternatives&& other) noexcept;
    ~Alternatives();
    bool operator==(const Alternatives& other) const;
};

}  // namespace haruspex

template <typename... Kinds>
struct std::variant_size<haruspex::Alternatives<Kinds...>> : std::variant_size<std::variant<Kinds...>> {};
