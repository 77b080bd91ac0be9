#include "harness/compiler/compiler.h"

#include <fmt/ranges.h>

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

std::string to_string(const Unobserved& unobserved) {
    if (unobserved.lowered) { return "lowered programs (only native code is judged)"; }
    std::string text = unobserved.prophecies ? "lowering with prophecies (nothing is validated)" : "";
    if (!unobserved.passes.empty()) {
        text +=
            fmt::format("{}{} {}", text.empty() ? "" : "; ", unobserved.passes.size() == 1 ? "the pass" : "the passes",
                        fmt::join(unobserved.passes, ", "));
    }
    return text;
}

const schedule::Language& language_of(const Identity& identity) {
    const auto* language = schedule::find_language(identity.name, identity.major);
    ENSURE(language != nullptr, "every compiler has a language: " + identity.name);
    return *language;
}

}  // namespace haruspex::compiler
