#include "reports/bugs/judged_versions.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <utility>
#include <variant>

#include "generators/case/located_json.h"
#include "reports/bugs/recheck.h"
#include "reports/bugs/versions_json.h"
#include "reports/render/table.h"
#include "reports/triage/exclusion.h"
#include "reports/triage/symptom.h"

namespace haruspex::bugs {
namespace {

namespace fs = std::filesystem;

using verdict::Class;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string in_words(const verdict::Verdict& verdict) {
    return std::string(verdict::name(verdict.cls)) + ": " + first_line(verdict.message);
}

// The symptom of the first build that shows any is the one to look for, if no verdict is stored.
Subject with_stored(Subject subject, const std::vector<Build>& builds, const std::vector<session::Answer>& answers) {
    for (std::size_t i = 0; i < answers.size() && !subject.stored; ++i) {
        const auto& verdict = answers[i].verdict;
        if (!verdict || verdict::is_own_fault(verdict->cls) || !triage::symptom(*subject.c, *verdict)) { continue; }
        subject.stored = verdict;
        subject.found_in = builds[i].greeting.compiler.version;
    }
    return subject;
}

// The columns of the table, and the column of each build.
struct Columns {
    std::vector<Column> columns;
    std::vector<std::size_t> of_build;
};

Columns columns_of(const std::vector<Build>& builds, const std::set<std::string>& of_programs) {
    std::vector<Column> columns;
    for (const Build& build : builds) {
        const std::string& version = build.greeting.compiler.version;
        const auto same =
            std::ranges::count(builds, version, [](const Build& one) { return one.greeting.compiler.version; });
        columns.push_back({version, same == 1 ? version : fmt::format("{} ({})", version, build.where), build.where,
                           build.greeting.package});
    }
    for (const std::string& version : of_programs) {
        if (std::ranges::find(columns, version, &Column::version) == columns.end()) {
            columns.push_back({version, version, {}, {}});
        }
    }
    std::vector<std::size_t> order(columns.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return is_older(columns[a].version, columns[b].version); });
    Columns sorted{{}, std::vector<std::size_t>(builds.size())};
    for (const std::size_t i : order) {
        if (i < builds.size()) { sorted.of_build[i] = sorted.columns.size(); }
        sorted.columns.push_back(std::move(columns[i]));
    }
    return sorted;
}

void add_programs(JudgedBug& bug, const std::vector<Column>& columns, const std::vector<ProgramResult>& programs) {
    for (const ProgramResult& program : programs) {
        if (program.name != bug.name) { continue; }
        // Of several builds of a version the first: programs are linked with the compiler as it is installed.
        const auto at = std::ranges::find(columns, program.version, &Column::version);
        bug.rows[static_cast<std::size_t>(at - columns.begin())].program_fails = program.fails;
    }
}

// "shows, fails"; "-" if nothing was tried.
std::string cell(const AtVersion& row) {
    const std::string presence = row.presence == Presence::not_run ? "-" : std::string(name(row.presence));
    if (!row.program_fails) { return presence; }
    return presence + (*row.program_fails ? ", fails" : ", passes");
}

std::optional<bool> read_fails(cases::json::Reader& reader, const cases::json::Node& node) {
    if (std::holds_alternative<std::nullptr_t>(node.value)) { return std::nullopt; }
    return reader.boolean(node);
}

Result<ProgramResult> parse_program(std::string_view line, const std::string& file) {
    const auto document = cases::json::Document::parse(line, file);
    if (!document) { return fail(document.error()); }
    cases::json::Reader reader(*document);
    cases::json::Fields fields(reader, document->root(), "a program's result", {"name", "version", "fails"});
    if (reader.failed()) { return fail(reader.first_error()); }
    ProgramResult result;
    result.name = fields.text("name");
    result.version = read_version(reader, fields.at("version"));
    result.fails = read_fails(reader, fields.at("fails"));
    if (reader.failed()) { return fail(reader.first_error()); }
    return result;
}

}  // namespace

Result<std::vector<ProgramResult>> parse_programs(std::string_view lines, const std::string& file) {
    std::vector<ProgramResult> results;
    for (int number = 1; !lines.empty(); ++number) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        auto result = parse_program(lines.substr(0, end), file);
        if (!result) {
            Error error = std::move(result.error());
            error.where.line = number;
            return fail(std::move(error));
        }
        results.push_back(std::move(*result));
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    return results;
}

Judgement compare_with_stored(const Subject& subject, const session::Answer& answer, std::string_view version) {
    if (!answer.verdict) { return {Presence::refused, first_line(answer.refusal)}; }
    const verdict::Verdict& verdict = *answer.verdict;
    if (verdict::is_own_fault(verdict.cls)) { return {Presence::not_run, in_words(verdict), true}; }
    if (verdict.cls == Class::rejected) { return {Presence::refused, in_words(verdict)}; }
    if (const auto now = triage::symptom(*subject.c, verdict)) {
        const auto stored = subject.stored ? triage::symptom(*subject.c, *subject.stored) : std::nullopt;
        const bool is_same = stored && shows_stored(*now, *stored, version == subject.found_in);
        return is_same ? Judgement{Presence::shows, {}} : Judgement{Presence::differs, triage::to_string(*now)};
    }
    if (verdict.cls != Class::agrees) { return {Presence::not_run, in_words(verdict)}; }
    if (subject.stored && !triage::excludes(verdict, *subject.stored)) {
        return {Presence::not_run,
                fmt::format("cannot show {}: {}", verdict::name(subject.stored->cls),
                            triage::is_by_validator(*subject.stored) ? "the validator does not decide"
                                                                     : "the lowered program is not interpreted")};
    }
    return {Presence::gone, {}};
}

Result<JudgedVersions> judge_versions(const std::vector<Subject>& subjects, const std::vector<Build>& builds,
                                      const std::vector<ProgramResult>& programs, const JudgeWith& judge,
                                      const std::function<void(const JudgedBug&)>& judged) {
    std::set<std::string> of_programs;
    for (const ProgramResult& program : programs) {
        if (std::ranges::find(subjects, program.name, &Subject::name) != subjects.end()) {
            of_programs.insert(program.version);
        }
    }
    const auto [columns, of_build] = columns_of(builds, of_programs);
    JudgedVersions result{builds.front().greeting.compiler.name, columns, {}};
    for (const Subject& subject : subjects) {
        JudgedBug bug{subject.name, {}, std::vector<std::string>(columns.size())};
        for (const Column& column : columns) { bug.rows.push_back({column.title, Presence::not_run, {}, {}}); }
        std::vector<session::Answer> answers;
        for (std::size_t i = 0; i < builds.size() && subject.c; ++i) {
            auto answer = judge(i, subject);
            if (!answer) { return fail(answer.error()); }
            answers.push_back(std::move(*answer));
        }
        const Subject sought = with_stored(subject, builds, answers);
        for (std::size_t i = 0; i < answers.size(); ++i) {
            const std::size_t column = of_build[i];
            const auto [presence, text, is_fault] = compare_with_stored(sought, answers[i], columns[column].version);
            bug.rows[column].presence = presence;
            (presence == Presence::differs ? bug.rows[column].symptom : bug.reasons[column]) = text;
            result.has_fault |= is_fault;
        }
        add_programs(bug, columns, programs);
        judged(bug);
        result.bugs.push_back(std::move(bug));
    }
    return result;
}

Result<void> can_be_kept(const std::vector<Known>& known, const fs::path& folder, const std::vector<Subject>& subjects,
                         const std::vector<Build>& builds) {
    for (const Subject& subject : subjects) {
        const auto is_its = [&](const Known& bug) { return is_report_of(bug, folder, subject.report); };
        if (std::ranges::none_of(known, is_its)) {
            return fail(fmt::format("{}: no bug of {} has this report; expected one that haruspex known add made",
                                    subject.name, folder.string()));
        }
    }
    for (auto at = builds.begin(); at != builds.end(); ++at) {
        const std::string& version = at->greeting.compiler.version;
        const auto other = std::find_if(builds.begin(), at,
                                        [&](const Build& build) { return build.greeting.compiler.version == version; });
        if (other != at) {
            return fail(fmt::format("{} and {} both have {} {}; expected another version of each build", other->where,
                                    at->where, at->greeting.compiler.name, version));
        }
    }
    return {};
}

std::vector<Known> with_versions(const std::vector<Known>& known, const fs::path& folder,
                                 const std::vector<Subject>& subjects, const JudgedVersions& judged) {
    std::vector<Known> changed;
    for (const Known& bug : known) {
        const auto subject =
            std::ranges::find_if(subjects, [&](const Subject& one) { return is_report_of(bug, folder, one.report); });
        if (subject == subjects.end()) { continue; }
        changed.push_back(bug);
        for (const AtVersion& row : judged.bugs.at(static_cast<std::size_t>(subject - subjects.begin())).rows) {
            const bool tells_nothing = row.presence == Presence::not_run && !row.program_fails;
            if (!tells_nothing) { put(changed.back().versions, row); }
        }
    }
    return changed;
}

std::string table(const JudgedVersions& judged) {
    render::Table table;
    table.header.emplace_back("bug");
    for (const Column& column : judged.columns) { table.header.push_back(column.title); }
    for (const char* title : {"first bad", "last bad", "mended in"}) { table.header.emplace_back(title); }
    std::string notes;
    std::vector<std::vector<AtVersion>> rows;
    for (const JudgedBug& bug : judged.bugs) {
        std::vector<std::string> cells{bug.name};
        for (std::size_t i = 0; i < bug.rows.size(); ++i) {
            cells.push_back(cell(bug.rows[i]));
            const std::string& text = bug.rows[i].symptom.empty() ? bug.reasons[i] : bug.rows[i].symptom;
            if (!text.empty()) {
                notes += fmt::format("{}, {}: {}: {}\n", bug.name, judged.columns[i].title, name(bug.rows[i].presence),
                                     text);
            }
        }
        const Span where = span(bug.rows);
        for (const auto& version : {where.first_bad, where.last_bad, where.mended_in}) {
            cells.push_back(version.value_or("-"));
        }
        table.rows.push_back(std::move(cells));
        rows.push_back(bug.rows);
    }
    return fmt::format("{}{}{}\n", to_text(table), notes, to_string(count_of(rows)));
}

std::string to_json(const JudgedVersions& judged) {
    auto columns = nlohmann::ordered_json::array(), bugs = nlohmann::ordered_json::array();
    for (const Column& column : judged.columns) {
        columns.push_back({{"version", column.version}, {"where", column.where}, {"package", column.package}});
    }
    for (const JudgedBug& bug : judged.bugs) {
        auto rows = nlohmann::ordered_json::array();
        for (std::size_t i = 0; i < bug.rows.size(); ++i) {
            auto row = tree_of(bug.rows[i]);
            row["version"] = judged.columns[i].version;
            if (!bug.reasons[i].empty()) { row["reason"] = bug.reasons[i]; }
            rows.push_back(std::move(row));
        }
        nlohmann::ordered_json tree{{"name", bug.name}, {"rows", rows}};
        const Span where = span(bug.rows);
        if (where.first_bad) { tree["first_bad"] = *where.first_bad; }
        if (where.last_bad) { tree["last_bad"] = *where.last_bad; }
        if (where.mended_in) { tree["mended_in"] = *where.mended_in; }
        bugs.push_back(std::move(tree));
    }
    const nlohmann::ordered_json tree{
        {"haruspex_versions", 1}, {"compiler", judged.compiler}, {"builds", columns}, {"bugs", bugs}};
    // A compiler's message need not be valid UTF-8.
    return tree.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace haruspex::bugs
