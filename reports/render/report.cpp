#include "reports/render/report.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "generators/base/assignments.h"
#include "generators/base/ensure.h"
#include "generators/case/json.h"
#include "generators/sare/build.h"
#include "generators/tensor/from_sare.h"
#include "generators/tensor/print.h"
#include "oracle/judge/outputs.h"
#include "oracle/pipeline/documented_rules.h"
#include "reports/render/diff.h"
#include "reports/render/effect.h"
#include "reports/render/html.h"
#include "reports/render/view.h"
#include "reports/render/words.h"

namespace haruspex::render {
namespace {

// Longer statements are a burden for a reader, and a GitHub issue holds at most 65,536 characters.
constexpr std::size_t most_statement_lines = 60;
constexpr std::size_t most_inputs = 16;

std::string block(const std::string& language, const std::string& text) {
    return "```" + language + "\n" + text + (text.ends_with('\n') ? "" : "\n") + "```\n";
}

std::string folded(const std::string& summary, const std::string& text) {
    return "<details><summary>" + summary + "</summary>\n\n" + text + "\n</details>\n";
}

std::string code(const std::string& text) {
    // A text with a backtick of its own needs two around it.
    return text.find('`') == std::string::npos ? "`" + text + "`" : "`` " + text + " ``";
}

class ReportWriter {
public:
    ReportWriter(const cases::Case& c, const verdict::Verdict& v, const Evidence& evidence,
                 const Installation& installation, const Versions& versions)
        : case_(c),
          verdict_(v),
          evidence_(evidence),
          installation_(installation),
          versions_(versions),
          view_(view(c.compiler)) {}

    std::string write(const std::string& heading, const std::string& pipeline, const Program& program) {
        text_ = "# " + heading + "\n\n";
        if (effect_of(verdict_, evidence_.statement) == Effect::lowering) {
            paragraph(
                "No run shows this: what is compiled happens to give the right result. The bug is in the statement "
                "that " +
                compiler() + " lowers the program to, which " + code(program_file()) + " prints.\n");
        }
        write_program(pipeline);
        write_outcome();
        write_reproduction(program);
        write_pass();
        write_obligation();
        write_version();
        return std::move(text_);
    }

private:
    std::string compiler() const { return std::string(view_.title()); }
    std::string program_file() const { return std::string(view_.program_file()); }
    std::string program_block(const std::string& text) const { return block(std::string(view_.language()), text); }

    void section(const std::string& heading) { text_ += "\n## " + heading + "\n\n"; }
    void paragraph(const std::string& words) { text_ += words + "\n"; }

    void write_program(const std::string& pipeline) {
        text_ += "## Program\n\n" + program_block(pipeline);
        if (const auto whole = tensor::from_sare(case_.sare)) {
            paragraph(
                "\nOver whole tensors, with `.` for contraction, `#` for the outer product and `^` for "
                "transposition:\n");
            text_ += block("", tensor::print(*whole));
        }
        if (case_.schedule.directives.empty()) { paragraph("\nThere is no schedule."); }
    }

    void write_outcome() {
        section("What happens");
        paragraph(outcome(verdict_));
        if (verdict_.difference) { write_cell(*verdict_.difference); }
        if (has_words(verdict_.cls)) { text_ += "\n" + block("", verdict_.message); }
        if (is_in_trouble()) { write_trouble(*verdict_.lowered); }
        write_counterexample();
        write_broken_rules();
    }

    void write_cell(const verdict::Difference& difference) {
        const bool two_runs = verdict_.cls == verdict::Class::nondeterminism;
        const std::string expected = two_runs ? evidence_.reference ? plain_value(*evidence_.reference) : "one value"
                                              : plain_value(difference.expected);
        const std::string other = two_runs ? ", " + code(plain_value(difference.expected)) : "";
        paragraph(fmt::format("\n| cell | expected | actual |\n|---|---|---|\n| {} | {} | {}{} |",
                              code(judge::cell_name(case_.sare, difference)), code(expected),
                              code(plain_value(difference.actual)), other));
        paragraph(fmt::format("\n{} of {} cells differ.", difference.differing_cells, difference.compared_cells));
    }

    // If the sizes break a documented rule, the right outcome is a refusal; so it is if the schedule does, although
    // the compiler accepts it.
    void write_broken_rules() {
        for (const auto& rule : pipeline::size_rules(case_, installation_.compiler)) {
            if (rule.may_be_too_strict || sare::evaluate(rule.condition, case_.sizes)) { continue; }
            paragraph(fmt::format(
                "\nThe sizes are not as documented ({}): the compiled pipeline should refuse to run, or be right.",
                rule.reason));
        }
        for (const verdict::Warning& warning : verdict_.warnings) {
            paragraph(fmt::format("\nThe documentation asks {}, which {} leaves to {} to judge.", warning.asks,
                                  code(warning.call), compiler()));
        }
    }

    bool is_in_trouble() const { return verdict_.lowered && verdict_.lowered->trouble; }

    void write_trouble(const verdict::LoweredOutcome& lowered) {
        paragraph("\nThe lowered program, interpreted with every access checked, " + lowered.detail + ".");
        if (!lowered.statement.empty()) { text_ += "\n" + block("", lowered.statement); }
        const std::string position = position_of(lowered);
        if (!position.empty()) { paragraph("\nThere, " + position + "."); }
    }

    void write_counterexample() {
        if (!case_.sizes.empty()) { paragraph(fmt::format("\nSizes: {}.", code(assignments(case_.sizes)))); }
        if (evidence_.inputs.empty()) { return; }
        std::string cells;
        for (std::size_t i = 0; i < std::min(most_inputs, evidence_.inputs.size()); ++i) {
            const smt::CellValue& cell = evidence_.inputs[i];
            cells += fmt::format("{}{}({}) = {}", cells.empty() ? "" : ", ", cell.tensor,
                                 fmt::join(cell.coordinates, ", "), plain_value(cell.value));
        }
        const std::size_t left = evidence_.inputs.size() - std::min(most_inputs, evidence_.inputs.size());
        paragraph(fmt::format("\nInputs on which the cell depends: {}{}", code(cells),
                              left == 0 ? "." : fmt::format(" and {} more.", left)));
    }

    void write_reproduction(const Program& program) {
        section("How to reproduce it");
        text_ += block("", program.command);
        paragraph("\n" + exit_codes(effect_of(verdict_, evidence_.statement), verdict_, case_.sare));
        text_ += "\n" + folded(program_file(), program_block(program.text));
    }

    void write_pass() {
        if (evidence_.wrong_pass) { return write_wrong_pass(*evidence_.wrong_pass); }
        if (verdict_.cls == verdict::Class::wrong_code) {
            section("Where it goes wrong");
            paragraph(
                "What code is generated from gives the right result when it is interpreted: the fault lies in "
                "code generation.");
            write_statement("The statement from which code is generated", evidence_.statement);
        } else if (!evidence_.last_pass.empty()) {
            section("Where it goes wrong");
            paragraph("The last pass that ended, of those that can be observed from outside, is " +
                      code(pass_name(evidence_.last_pass)) + ".");
        } else if (is_of_compiler(effect_of(verdict_)) && verdict_.phase == "compile" && evidence_.statement.empty()) {
            section("Where it goes wrong");
            paragraph("No pass that can be observed from outside has ended.");
        } else if (is_where_it_failed(verdict_)) {
            section("Where it goes wrong");
            paragraph("All passes have ended: it goes wrong in code generation.");
            write_statement("The statement from which code is generated", evidence_.statement);
        }
    }

    void write_wrong_pass(const WrongPass& pass) {
        section("Where it goes wrong");
        if (pass.last_right == verdict::source) {
            const bool is_open = has_free_variable(verdict_);
            paragraph(fmt::format("The statement {} after {}, the first pass whose output can be interpreted.",
                                  is_open ? "has a variable that it does not define" : "is wrong already",
                                  code(pass_name(pass.first_wrong))));
            write_statement("The statement after it", pass.after);
            return;
        }
        const bool is_proved = verdict_.cls == verdict::Class::refuted_lowering;
        const std::string finder =
            is_proved ? "a validator finds, and an interpreter that shares" : "an interpreter finds that shares";
        const std::string finding = ", as " + finder + " nothing with " + compiler();
        const bool is_open = has_free_variable(verdict_);
        paragraph(
            fmt::format("The statement {} after {} and {} after {}{}. (Passes between the two, if there are any, are "
                        "not exported by "
                        "the library and could not be observed.)",
                        is_open ? "defines all its variables" : "is right", code(pass_name(pass.last_right)),
                        is_open ? "does not" : "wrong", code(pass_name(pass.first_wrong)), is_open ? "" : finding));
        const bool about_checks = verdict_.cls == verdict::Class::over_rejection;
        const std::string changes = about_checks
                                        ? diff(pass.before, pass.after)
                                        : diff(view_.without_checks(pass.before), view_.without_checks(pass.after));
        if (changes.empty()) {
            paragraph("\n" + compiler() + " prints both alike.");
        } else {
            text_ += "\n" + block("diff", changes);
        }
    }

    void write_statement(const std::string& summary, const std::string& statement) {
        if (statement.empty()) { return; }
        text_ += "\n" + folded(summary, block("", beginning(statement, most_statement_lines)));
    }

    void write_obligation() {
        section("What does not hold");
        paragraph(broken_rule(verdict_));
        if (!is_in_trouble() && effect_of(verdict_) == Effect::value) {
            paragraph(code(judge::cell_name(case_.sare, *verdict_.difference)) + " does not.");
        }
        if (!evidence_.obligation) { return; }
        const validator::Judgement& judgement = *evidence_.obligation;
        paragraph(
            "\nIn symbols, with every size fixed as above, a translation validator cannot show this, and a "
            "counterexample exists:");
        std::string lines = fmt::format("statement   {}\nrule        {}\nnot shown   {}\n", judgement.statement,
                                        judgement.rule, judgement.reason);
        if (!judgement.environments.empty()) { lines += fmt::format("where       {}\n", judgement.environments); }
        text_ += "\n" + block("", lines);
    }

    void write_version() {
        section("Version");
        paragraph(fmt::format("- {} {}, {}", compiler(), installation_.compiler.version, installation_.package));
        paragraph("- target " + code(case_.target));
        if (!versions_.words.empty()) { paragraph("- the bug " + versions_.words); }
    }

    const cases::Case& case_;
    const verdict::Verdict& verdict_;
    const Evidence& evidence_;
    const Installation& installation_;
    const Versions& versions_;
    const View& view_;
    std::string text_;
};

// Returns the page of a report that has all its other files.
std::string page_of(const Report& report) {
    std::string links = "<nav aria-label=\"Files\"><ul>\n";
    for (const auto& [name, content] : report.files) {
        links += fmt::format("<li><a href=\"{}\">{}</a></li>\n", address(name), escaped(name));
    }
    return to_html({report.title, "",
                    "<main>\n" + from_markdown(report.files.at("report.md")) + "</main>\n" + links + "</ul></nav>\n"});
}

}  // namespace

Result<Report> report(const cases::Case& c, const verdict::Verdict& verdict, const Evidence& evidence,
                      const Installation& installation, const Versions& versions) {
    ENSURE(verdict::is_finding(verdict.cls), "a report is of a finding");
    const View& own_view = view(c.compiler);
    const auto pipeline = own_view.pipeline(c);
    if (!pipeline) { return fail(pipeline.error()); }
    auto program = own_view.program(c, verdict, installation.flags, evidence.statement);
    if (!program) { return fail(program.error()); }
    Report result;
    result.title = title(c, verdict);
    if (!versions.bad.empty()) { result.title += fmt::format(" ({} {})", own_view.title(), versions.bad); }
    result.pipeline = pipeline->declarations + pipeline->algorithm;
    if (!pipeline->schedule.empty()) { result.pipeline += "\n" + pipeline->schedule; }
    result.files["report.md"] =
        ReportWriter(c, verdict, evidence, installation, versions).write(result.title, result.pipeline, *program);
    result.files[std::string(own_view.program_file())] = std::move(program->text);
    result.files["case.json"] = cases::to_json(c, true) + "\n";
    if (const auto whole = tensor::from_sare(c.sare)) { result.files["program.tensor"] = tensor::print(*whole); }
    if (!evidence.program.empty()) { result.files["program.sched"] = evidence.program; }
    if (!evidence.query.empty()) { result.files["obligation.smt2"] = evidence.query; }
    result.files[page_file] = page_of(result);
    return result;
}

}  // namespace haruspex::render
