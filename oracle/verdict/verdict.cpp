#include "oracle/verdict/verdict.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "generators/base/ensure.h"

namespace haruspex::verdict {
namespace {

constexpr std::array<std::pair<Class, std::string_view>, 26> names{{
    {Class::agrees, "agrees"},
    {Class::rejected, "rejected"},
    {Class::wrong_result, "wrong_result"},
    {Class::wrong_lowering, "wrong_lowering"},
    {Class::wrong_code, "wrong_code"},
    {Class::latent_bug, "latent_bug"},
    {Class::refuted_lowering, "refuted_lowering"},
    {Class::introduced_overflow, "introduced_overflow"},
    {Class::translation_fault, "translation_fault"},
    {Class::over_rejection, "over_rejection"},
    {Class::compiler_crash, "compiler_crash"},
    {Class::compiler_internal_error, "compiler_internal_error"},
    {Class::compiler_hang, "compiler_hang"},
    {Class::compiler_out_of_memory, "compiler_out_of_memory"},
    {Class::program_crash, "program_crash"},
    {Class::program_hang, "program_hang"},
    {Class::program_out_of_memory, "program_out_of_memory"},
    {Class::stray_write, "stray_write"},
    {Class::nondeterminism, "nondeterminism"},
    {Class::bad_case, "bad_case"},
    {Class::outside_context, "outside_context"},
    {Class::not_compared, "not_compared"},
    {Class::too_large, "too_large"},
    {Class::unsound_validator, "unsound_validator"},
    {Class::solver_contradiction, "solver_contradiction"},
    {Class::harness_failure, "harness_failure"},
}};

}  // namespace

std::string_view name(Class c) {
    const auto* entry = std::ranges::find(names, c, &std::pair<Class, std::string_view>::first);
    ENSURE(entry != names.end(), "every class has a name");
    return entry->second;
}

std::optional<Class> parse_class(std::string_view text) {
    const auto* entry = std::ranges::find(names, text, &std::pair<Class, std::string_view>::second);
    if (entry == names.end()) { return std::nullopt; }
    return entry->first;
}

bool is_finding(Class c) {
    switch (c) {
        case Class::agrees:
        case Class::rejected:
        case Class::bad_case:
        case Class::outside_context:
        case Class::not_compared:
        case Class::too_large:
        case Class::translation_fault:
        case Class::unsound_validator:
        case Class::solver_contradiction:
        case Class::harness_failure: return false;
        case Class::wrong_result:
        case Class::wrong_lowering:
        case Class::wrong_code:
        case Class::latent_bug:
        case Class::refuted_lowering:
        case Class::introduced_overflow:
        case Class::over_rejection:
        case Class::compiler_crash:
        case Class::compiler_internal_error:
        case Class::compiler_hang:
        case Class::compiler_out_of_memory:
        case Class::program_crash:
        case Class::program_hang:
        case Class::program_out_of_memory:
        case Class::stray_write:
        case Class::nondeterminism: return true;
    }
    ENSURE(false, "a class that is not handled");
    return false;
}

bool is_own_fault(Class c) {
    return c == Class::bad_case || c == Class::translation_fault || c == Class::unsound_validator ||
           c == Class::solver_contradiction || c == Class::harness_failure;
}

bool is_compiler_failure(Class c) {
    return c == Class::compiler_crash || c == Class::compiler_internal_error || c == Class::compiler_hang ||
           c == Class::compiler_out_of_memory;
}

bool is_hang(Class c) { return c == Class::compiler_hang || c == Class::program_hang; }

std::string to_string(const IndexFit& fit) {
    const std::string words = fit.is_known ? "fit 32 bits" : "are not known to fit 32 bits";
    if (!fit.is_for_all_sizes) { return words + " at these sizes"; }
    return words + (fit.most_size ? " for sizes up to " + std::to_string(*fit.most_size) : "");
}

std::string to_string(const Warning& warning) {
    return fmt::format("directive {}, {}: the documentation asks {}", warning.directive + 1, warning.call,
                       warning.asks);
}

}  // namespace haruspex::verdict
