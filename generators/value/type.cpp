#include "generators/value/type.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <ranges>

#include "generators/base/ensure.h"

namespace haruspex::value {
namespace {

struct TypeFacts {
    std::string_view name;
    int bits;
};

constexpr std::array<TypeFacts, all_types.size()> facts{{{"bool", 1},
                                                         {"u8", 8},
                                                         {"u16", 16},
                                                         {"u32", 32},
                                                         {"u64", 64},
                                                         {"i8", 8},
                                                         {"i16", 16},
                                                         {"i32", 32},
                                                         {"i64", 64},
                                                         {"f32", 32},
                                                         {"f64", 64},
                                                         {"w32", 32},
                                                         {"w64", 64}}};

const TypeFacts& facts_of(Type type) { return facts.at(static_cast<std::size_t>(type)); }

// Unsigned integer types, and signed ones up to i64, are enumerated in the same order of width.
Type counterpart(Type type, Type from, Type to) {
    return static_cast<Type>(static_cast<int>(type) - static_cast<int>(from) + static_cast<int>(to));
}

}  // namespace

std::string_view name(Type type) { return facts_of(type).name; }

std::string names(std::span<const Type> types) {
    return fmt::format("{}", fmt::join(types | std::views::transform([](Type type) { return name(type); }), ", "));
}

std::optional<Type> parse_type(std::string_view text) {
    const auto* const found = std::ranges::find(all_types, text, [](Type t) { return name(t); });
    if (found == all_types.end()) { return std::nullopt; }
    return *found;
}

int bits(Type type) { return facts_of(type).bits; }

int bytes(Type type) { return (bits(type) + 7) / 8; }

Type to_unsigned(Type type) {
    ENSURE(is_integer(type), "only an integer type has an unsigned counterpart");
    if (type >= Type::w32) { return counterpart(type, Type::w32, Type::u32); }
    return is_signed_integer(type) ? counterpart(type, Type::i8, Type::u8) : type;
}

Type to_signed(Type type) {
    ENSURE(is_integer(type), "only an integer type has a signed counterpart");
    return is_unsigned_integer(type) ? counterpart(type, Type::u8, Type::i8) : type;
}

std::optional<Type> signed_integer(std::span<const Type> among, int bits) {
    const auto found =
        std::ranges::find_if(among, [&](Type t) { return is_signed_integer(t) && value::bits(t) == bits; });
    return found == among.end() ? std::nullopt : std::optional(*found);
}

}  // namespace haruspex::value
