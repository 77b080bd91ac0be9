#include "reports/minimize/plainness.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace haruspex::minimize {
namespace {

using value::Type;

constexpr std::array plain_types{Type::i32, Type::w32, Type::u8,  Type::u16, Type::u32, Type::u64,
                                 Type::i8,  Type::i16, Type::i64, Type::w64, Type::f32, Type::f64};

}  // namespace

std::vector<Type> by_plainness(const schedule::Language& language) {
    std::vector<Type> types;
    std::ranges::copy_if(plain_types, std::back_inserter(types), [&](Type type) {
        return std::ranges::find(language.types(), type) != language.types().end();
    });
    return types;
}

}  // namespace haruspex::minimize
