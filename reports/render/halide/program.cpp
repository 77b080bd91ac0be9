#include "reports/render/halide/program.h"

#include <map>
#include <sstream>

#include "generators/base/ensure.h"
#include "generators/sare/outline.h"
#include "generators/sare/staging.h"
#include "reports/render/effect.h"
#include "reports/render/halide/cpp_algorithm.h"
#include "reports/render/halide/cpp_names.h"
#include "reports/render/halide/cpp_run.h"
#include "reports/render/halide/cpp_schedule.h"

namespace haruspex::render::halide {
namespace {

// "Int(32)"
std::string halide_type(value::Type type) {
    ENSURE(type != value::Type::w32 && type != value::Type::w64, "a case of Halide has Halide's types");
    if (type == value::Type::boolean) { return "Bool()"; }
    const char* kind = value::is_float(type) ? "Float(" : value::is_signed_integer(type) ? "Int(" : "UInt(";
    return kind + std::to_string(value::bits(type)) + ")";
}

std::string quoted_list(const std::map<std::string, std::string>& declared, const std::string& type) {
    std::string text;
    for (const auto& [identifier, name] : declared) {
        text += (text.empty() ? "    " + type + " " : ", ") + identifier + "(" + string_literal(name) + ")";
    }
    return text.empty() ? text : text + ";\n";
}

std::string without_indent(const std::string& text) {
    std::string lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines += (line.starts_with("    ") ? line.substr(4) : line) + "\n";
    }
    return lines;
}

// Builds the parts of a program, indented as the statements of a function.
class Builder {
public:
    explicit Builder(const cases::Case& c) : case_(c) {}

    Result<void> build() {
        auto algorithm = sare::unstage(case_.sare);
        if (!algorithm) { return fail(algorithm.error()); }
        algorithm_ = sare::outlined(*algorithm);
        definitions_.emplace(identifiers_, algorithm_, case_.strict_float);
        if (auto written = definitions_->write(); !written) { return fail(written.error()); }
        write_schedule();
        return {};
    }

    const PipelineText& text() const { return text_; }
    RunText run(const std::optional<verdict::Verdict>& verdict, const std::string& statement) {
        return run_text(case_, algorithm_, *definitions_, identifiers_, verdict, statement);
    }

private:
    void write_schedule() {
        ScheduleWriter schedule(identifiers_, definitions_->parameters());
        for (const auto& [name, identifier] : definitions_->functions()) {
            schedule.declare_function(name, identifier);
        }
        for (const auto& [name, identifier] : definitions_->inputs()) { schedule.declare_input(name, identifier); }
        for (const auto& [definition, loops] : definitions_->loops()) {
            schedule.declare_loops(definition.first, definition.second, loops);
        }
        for (const auto& directive : schedule::halide::typed(case_.schedule).directives) {
            text_.schedule += "    " + schedule.write(directive) + "\n";
        }
        for (const std::string& name : algorithm_.parameters) {
            text_.declarations += (text_.declarations.empty() ? "    Param<int> " : ", ") +
                                  definitions_->parameters().at(name) + "(" + string_literal(name) + ", " +
                                  std::to_string(case_.sizes.at(name)) + ")";
        }
        if (!text_.declarations.empty()) { text_.declarations += ";\n"; }
        for (const sare::Input& input : algorithm_.inputs) {
            text_.declarations += "    ImageParam " + definitions_->inputs().at(input.name) + "(" +
                                  halide_type(input.type) + ", " + std::to_string(input.rank) + ", " +
                                  string_literal(input.name) + ");\n";
        }
        std::map<std::string, std::string> vars = definitions_->vars();
        vars.insert(schedule.new_vars().begin(), schedule.new_vars().end());
        text_.declarations += quoted_list(vars, "Var") + quoted_list(schedule.new_rvars(), "RVar");
        text_.algorithm = definitions_->text();
    }

    const cases::Case& case_;
    sare::Algorithm algorithm_;
    Identifiers identifiers_;
    std::optional<AlgorithmWriter> definitions_;
    PipelineText text_;
};

std::string command(const std::string& flags) {
    return "g++ -std=c++17 " + std::string(program_file) + " -o repro " + flags + " && ./repro";
}

std::string heading(const cases::Case& c, const std::optional<verdict::Verdict>& verdict, const std::string& flags,
                    const std::string& statement) {
    return comment(command(flags) + "\n" + exit_codes(effect_of(verdict, statement), verdict, c.sare));
}

}  // namespace

Result<PipelineText> pipeline_text(const cases::Case& c) {
    Builder builder(c);
    if (auto built = builder.build(); !built) { return fail(built.error()); }
    const PipelineText& text = builder.text();
    return PipelineText{without_indent(text.declarations), without_indent(text.algorithm),
                        without_indent(text.schedule)};
}

Result<Program> program(const cases::Case& c, const std::optional<verdict::Verdict>& verdict, const std::string& flags,
                        const std::string& statement) {
    Builder builder(c);
    if (auto built = builder.build(); !built) { return fail(built.error()); }
    const PipelineText& pipeline = builder.text();
    const RunText run = builder.run(verdict, statement);
    std::string text = heading(c, verdict, flags, statement) + "#include <Halide.h>\n\n";
    for (const std::string& header : run.headers) { text += "#include <" + header + ">\n"; }
    text +=
        "\nusing namespace Halide;\n\n" + run.helpers + run.opening + pipeline.declarations + "\n" + pipeline.algorithm;
    if (!pipeline.schedule.empty()) { text += "\n" + pipeline.schedule; }
    return Program{text + "\n" + run.body + run.closing, command(flags)};
}

}  // namespace haruspex::render::halide
