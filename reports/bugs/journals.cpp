#include "reports/bugs/journals.h"

#include <algorithm>
#include <array>
#include <utility>

namespace haruspex::bugs {
namespace {

constexpr std::array files{"triage.journal", "triage-validated.journal", "triage-glanced.journal"};

}  // namespace

bool Journals::are_in(const std::filesystem::path& campaign) {
    std::error_code error;
    return std::ranges::any_of(files,
                               [&](const char* file) { return std::filesystem::exists(campaign / file, error); });
}

Result<Journals> Journals::open(const std::filesystem::path& campaign, const compiler::Identity& identity) {
    const std::string question = store::versions_of(identity.name + " " + identity.version);
    auto plain = store::Journal::open(campaign / files[0], question);
    if (!plain) { return fail(plain.error()); }
    auto validated = store::Journal::open(campaign / files[1], question);
    if (!validated) { return fail(validated.error()); }
    auto glanced = store::Journal::open(campaign / files[2], question);
    if (!glanced) { return fail(glanced.error()); }
    return Journals{std::move(*plain), std::move(*validated), std::move(*glanced)};
}

void Journals::remove() const {
    plain.remove();
    validated.remove();
    glanced.remove();
}

}  // namespace haruspex::bugs
