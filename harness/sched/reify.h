#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>

#include "harness/sched/normal_form.h"

namespace haruspex::sched {

// The reason why a normal form cannot be written as an index.
enum class NoIndex : std::uint8_t {
    value,      // an atom is a value, or a condition where a number is needed
    too_large,  // the index would have more than most_operations operations, since it repeats parts that forms share
};
inline constexpr std::size_t most_operations = 5000;

// Returns an index that equals the form for all integers that the atoms may stand for. Its variables are the atoms
// without operands.
std::expected<Expr, NoIndex> index_of(const Polynomial& form, const Atoms& atoms);
// The same with a let for each operation that is needed more than once, so that the result is no larger than the form,
// however deeply the form nests. The lets' names start with `prefix`. nullopt if there is no index.
std::optional<Expr> index_with_lets(const Polynomial& form, const Atoms& atoms, const std::string& prefix);

}  // namespace haruspex::sched
