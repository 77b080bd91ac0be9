#pragma once

#include <optional>
#include <string>
#include <utility>

#include "reports/render/halide/program.h"

// The text of a case's C++ program.
inline haruspex::Result<std::string> program_text(const haruspex::cases::Case& c,
                                                  const std::optional<haruspex::verdict::Verdict>& verdict,
                                                  const std::string& flags, const std::string& statement = {}) {
    auto program = haruspex::render::halide::program(c, verdict, flags, statement);
    if (!program) { return haruspex::fail(program.error()); }
    return std::move(program->text);
}
