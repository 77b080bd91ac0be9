#include "reports/campaign/settings.h"

#include <utility>

#include "generators/base/enumerators.h"
#include "generators/base/numbers.h"
#include "reports/store/version.h"

namespace haruspex::campaign {
namespace {

using Values = std::map<std::string, std::string>;

std::string text(bool value) { return value ? "yes" : "no"; }

// Empty: the option was not given.
std::string text(const std::optional<std::uint64_t>& value) { return value ? std::to_string(*value) : std::string(); }

void read(const Values& values, const std::string& name, bool& option) {
    if (const auto at = values.find(name); at != values.end()) { option = at->second == text(true); }
}

void read(const Values& values, const std::string& name, std::optional<std::uint64_t>& option) {
    const auto at = values.find(name);
    if (at == values.end()) { return; }
    option = parse_number<std::uint64_t>(at->second);
}

void read(const Values& values, const std::string& name, std::uint64_t& option) {
    std::optional<std::uint64_t> number;
    read(values, name, number);
    option = number.value_or(option);
}

}  // namespace

store::Settings settings_of(const Options& options, const compiler::Identity& compiler,
                            const std::string& cases_digest) {
    store::Settings settings{.fixed = {{"seed", std::to_string(options.seed)},
                                       {"first case", std::to_string(options.first)},
                                       {"native", text(options.native)},
                                       {"validate", text(options.validate)},
                                       {"prophecies", text(options.prophecies)},
                                       {"memory limit in bytes", std::to_string(options.limits.memory_bytes)},
                                       {"CPU limit in ms", std::to_string(options.limits.cpu.count())},
                                       {"wall-clock limit in ms", std::to_string(options.limits.wall.count())},
                                       {"compiler", compiler.name + " " + compiler.version},
                                       {"haruspex", store::haruspex_version()}},
                             .latest = {{"cases", text(options.cases)},
                                        {"stop when quiet", text(options.stop_when_quiet)},
                                        {"disk quota", text(options.disk_quota)},
                                        {"list", text(options.list_cases)}}};
    // Campaigns of before have no such setting.
    if (options.limits.patience != compiler::Limits{}.patience) {
        settings.fixed["patience"] = std::to_string(options.limits.patience);
    }
    const smt::Solvers usual = Options{}.solvers;
    if (options.solvers.solver != usual.solver) { settings.fixed["solver"] = name(options.solvers.solver); }
    if (options.solvers.cross_check != usual.cross_check) {
        settings.fixed["cross-checked queries: one in"] = std::to_string(options.solvers.cross_check);
    }
    if (options.solvers.cvc5.program != usual.cvc5.program) { settings.latest["cvc5"] = options.solvers.cvc5.program; }
    if (options.other_sizes > 0) { settings.fixed["other sizes"] = std::to_string(options.other_sizes); }
    if (options.policy.programs != random::ProgramKind::affine) {
        settings.fixed["programs"] = name(options.policy.programs);
    }
    if (options.shard) {
        settings.fixed["shard"] = to_string(*options.shard);
        settings.fixed["cases of all shards"] = text(options.cases);
    }
    if (options.cases_from) {
        settings.fixed["cases from a file of digest"] = cases_digest;
        settings.latest["cases from"] = std::filesystem::absolute(*options.cases_from).string();
    }
    return settings;
}

std::string compiler_text(const store::Settings& settings) {
    const auto at = settings.fixed.find("compiler");
    return at == settings.fixed.end() ? std::string() : at->second;
}

compiler::Identity compiler_of(const store::Settings& settings) {
    const std::string text = compiler_text(settings);
    const std::size_t blank = text.find(' ');
    const std::string version = blank == std::string::npos ? std::string() : text.substr(blank + 1);
    return {text.substr(0, blank), version, store::major_of(version), {}};
}

std::string source_of_cases(const Options& options) {
    return options.cases_from ? options.cases_from->string() : "seed " + std::to_string(options.seed);
}

Result<Opened> open_to_read(const std::filesystem::path& folder) {
    auto database = store::Database::look(folder);
    if (!database) { return fail(database.error()); }
    auto settings = *database ? (*database)->settings() : store::Settings{};
    if (!settings) { return fail(settings.error()); }
    if (settings->fixed.empty()) {
        return fail(folder.string() + " holds no campaign; expected the folder of haruspex fuzz");
    }
    auto options = options_of(*settings, folder);
    if (!options) { return fail(options.error()); }
    return Opened{std::move(**database), std::move(*settings), std::move(*options)};
}

Result<std::optional<Options>> stored_options(const std::filesystem::path& folder) {
    const auto settings = store::Database::settings(folder);
    if (!settings) { return fail(settings.error()); }
    // A campaign that was killed before it began counts as absent.
    if (!*settings || (*settings)->fixed.empty()) { return std::nullopt; }
    return options_of(**settings, folder);
}

Result<Options> options_of(const store::Settings& settings, const std::filesystem::path& folder) {
    const auto& [fixed, latest] = settings;
    Options options;
    options.out = folder;
    options.compiler = compiler_of(settings).name;
    read(fixed, "seed", options.seed);
    read(fixed, "first case", options.first);
    read(fixed, "native", options.native);
    read(fixed, "validate", options.validate);
    if (const auto at = fixed.find("solver"); at != fixed.end()) {
        options.solvers.solver = enumerator_named(smt::all_solvers, at->second).value_or(options.solvers.solver);
    }
    read(fixed, "cross-checked queries: one in", options.solvers.cross_check);
    if (const auto at = latest.find("cvc5"); at != latest.end()) { options.solvers.cvc5.program = at->second; }
    read(fixed, "other sizes", options.other_sizes);
    read(fixed, "prophecies", options.prophecies);
    if (const auto at = fixed.find("programs"); at != fixed.end()) {
        options.policy.programs =
            enumerator_named(random::all_program_kinds, at->second).value_or(options.policy.programs);
    }
    if (const auto at = fixed.find("shard"); at != fixed.end()) {
        const auto shard = parse_shard(at->second);
        if (!shard) { return fail(folder.string() + ": " + shard.error().message); }
        options.shard = *shard;
    }
    read(latest, "cases", options.cases);
    read(latest, "stop when quiet", options.stop_when_quiet);
    read(latest, "disk quota", options.disk_quota);
    read(latest, "list", options.list_cases);
    if (const auto at = latest.find("cases from"); at != latest.end()) { options.cases_from = at->second; }
    return options;
}

}  // namespace haruspex::campaign
