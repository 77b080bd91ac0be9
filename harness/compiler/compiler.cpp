#include "harness/compiler/compiler.h"

#include "generators/base/ensure.h"
#include "generators/base/overload.h"

namespace haruspex::compiler {

std::string why_untranslated(const Lowered& lowered) {
    return std::visit(Overload{[](const ProgramText&) -> std::string {
                                   raise_internal_error(__FILE__, __LINE__, "the program has a translation");
                               },
                               [](const LongText& text) {
                                   return "a text longer than " + std::to_string(text.most_bytes) + " bytes";
                               },
                               [](const FreeVariable& variable) { return "the free variable " + variable.name; },
                               [](const Feature& feature) { return to_string(feature); }},
                      lowered.program);
}

const schedule::Language& language_of(const Identity& identity) {
    const auto* language = schedule::find_language(identity.name, identity.major);
    ENSURE(language != nullptr, "every compiler has a language: " + identity.name);
    return *language;
}

}  // namespace haruspex::compiler
