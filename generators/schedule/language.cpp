#include "generators/schedule/language.h"

#include <algorithm>

#include "generators/base/ensure.h"
#include "generators/sare/text.h"

namespace haruspex::schedule {
namespace {

const Registered* find(std::string_view compiler) {
    const auto all = registered();
    const auto found = std::ranges::find(all, compiler, &Registered::compiler);
    return found == all.end() ? nullptr : &*found;
}

}  // namespace

Result<sare::Sare> parse_program(std::string_view text, std::string_view file, const Language& language) {
    return sare::parse_sare(text, file, {language.types(), language.compiler()});
}

value::Type plain_integer(const Language& language) {
    const auto type = value::signed_integer(language.types(), 32);
    ENSURE(type, "a compiler has a signed integer of 32 bits");
    return *type;
}

const Language* find_language(std::string_view compiler, int version) {
    const Registered* found = find(compiler);
    return found == nullptr ? nullptr : &found->language(version);
}

const Language* find_language(std::string_view compiler) {
    const Registered* found = find(compiler);
    return found == nullptr ? nullptr : &found->language(found->newest_version);
}

const Language& language(std::string_view compiler) {
    const Language* found = find_language(compiler);
    ENSURE(found != nullptr, "a case names a compiler of this build: \"" + std::string(compiler) + "\"");
    return *found;
}

std::vector<std::string_view> compilers() {
    std::vector<std::string_view> names;
    for (const Registered& one : registered()) { names.push_back(one.compiler); }
    return names;
}

}  // namespace haruspex::schedule
