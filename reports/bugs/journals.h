#pragma once

#include <filesystem>

#include "generators/base/result.h"
#include "harness/compiler/compiler.h"
#include "reports/store/journal.h"

namespace haruspex::bugs {

// The compiler's answers to a triage, in the campaign's folder: without the validator, with it, and from the first look
// at hangs. A triage that was killed leaves them for the next one.
struct Journals {
    store::Journal plain, validated, glanced;

    // Whether a triage of the campaign was killed and left its journals.
    static bool are_in(const std::filesystem::path& campaign);
    [[nodiscard]] static Result<Journals> open(const std::filesystem::path& campaign,
                                               const compiler::Identity& identity);
    void remove() const;
};

}  // namespace haruspex::bugs
