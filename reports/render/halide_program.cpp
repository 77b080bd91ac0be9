#include "reports/render/halide_program.h"

#include <algorithm>
#include <set>

#include "generators/base/ensure.h"
#include "generators/sare/build.h"
#include "generators/sare/outline.h"
#include "generators/sare/staging.h"
#include "reports/render/cpp_algorithm.h"
#include "reports/render/cpp_names.h"
#include "reports/render/cpp_run.h"
#include "reports/render/cpp_schedule.h"

namespace haruspex::render {
namespace {

std::string heading(const std::optional<verdict::Verdict>& verdict) {
    std::string text =
        "A test case of haruspex as a program of its own. For example:\n"
        "  g++ -std=c++17 reproducer.cpp -o reproducer -I/usr/include/halide14 -lHalide14 && ./reproducer\n";
    if (!verdict) { return comment(text + "Prints a checksum of the outputs."); }
    text += "\n" + std::string(verdict::name(verdict->cls)) + ": " + verdict->message + "\n";
    if (!verdict->phase.empty()) { text += "Where: " + verdict->phase + "\n"; }
    text += "\n";
    if (verdict->difference) {
        return comment(text + "Returns 1 while the cell below differs, 0 when it is as expected.");
    }
    switch (verdict->cls) {
        case verdict::Class::agrees:
        case verdict::Class::not_compared: return comment(text + "Prints a checksum of the outputs.");
        case verdict::Class::stray_write:
            return comment(text + "The stray write needs guarded buffers to show; here it may go unnoticed.");
        default: return comment(text + "Returns 0 when everything compiles and runs.");
    }
}

std::string quoted_list(const std::map<std::string, std::string>& declared, const std::string& type) {
    std::string text;
    for (const auto& [identifier, name] : declared) {
        text += (text.empty() ? "    " + type + " " : ", ") + identifier + "(" + string_literal(name) + ")";
    }
    return text.empty() ? text : text + ";\n";
}

}  // namespace

Result<std::string> halide_program(const cases::Case& c, const std::optional<verdict::Verdict>& verdict) {
    const auto algorithm = sare::unstage(c.sare);
    if (!algorithm) { return fail(algorithm.error()); }

    const sare::Algorithm outlined = sare::outlined(*algorithm);
    Identifiers identifiers;
    AlgorithmWriter definitions(identifiers, outlined, c.strict_float);
    if (auto written = definitions.write(); !written) { return fail(written.error()); }

    ScheduleWriter schedule(identifiers, definitions.parameters());
    for (const auto& [name, identifier] : definitions.functions()) { schedule.declare_function(name, identifier); }
    for (const auto& [definition, loops] : definitions.loops()) {
        schedule.declare_loops(definition.first, definition.second, loops);
    }
    std::string calls;
    for (const schedule::Directive& directive : c.schedule.directives) {
        calls += "    " + schedule.write(directive) + "\n";
    }

    std::map<std::string, std::string> vars = definitions.vars();
    vars.insert(schedule.new_vars().begin(), schedule.new_vars().end());

    std::string text = heading(verdict);
    text += "#include <Halide.h>\n\n" + run_includes() + "\nusing namespace Halide;\n\n" + run_helpers(c, verdict) +
            "int main() {\n";
    for (const std::string& name : algorithm->parameters) {
        const std::string& identifier = definitions.parameters().at(name);
        text += "    Param<int> " + identifier + "(" + string_literal(name) + ");\n";
    }
    for (const sare::Input& input : algorithm->inputs) {
        text += "    ImageParam " + definitions.inputs().at(input.name) + "(type_of<" + cpp_type(input.type) + ">(), " +
                std::to_string(input.rank) + ", " + string_literal(input.name) + ");\n";
    }
    text += quoted_list(vars, "Var") + quoted_list(schedule.new_rvars(), "RVar");
    text += "\n" + definitions.text();
    if (!calls.empty()) { text += "\n" + calls; }
    text += "\n" + run_part(c, *algorithm, definitions, identifiers, verdict) + "}\n";
    return text;
}

}  // namespace haruspex::render
