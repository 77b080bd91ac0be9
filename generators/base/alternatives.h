#pragma once

#include <variant>

namespace haruspex {

// A variant whose copies, moves, comparison and destruction are compiled once, in the source that includes
// `alternatives_impl.h` and instantiates the type (`syntax.cpp` of a language), instead of in every source that uses a
// tree. Apart from this it is a std::variant: std::visit, std::get and std::holds_alternative accept it.
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
