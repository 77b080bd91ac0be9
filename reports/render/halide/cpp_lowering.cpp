#include "reports/render/halide/cpp_lowering.h"

#include <cstdint>
#include <regex>

#include "generators/base/fnv1a.h"

namespace haruspex::render::halide {
namespace {

// Names that Halide makes: f.s0.x, f$1, t12, f_0.
constexpr const char* made_names = R"([A-Za-z_]\w*[$.][\w$.]*|\b[A-Za-z]\w*_\d+\b|\bt\d+\b)";

// The hash of a statement without made names; the written program computes the same.
std::uint64_t hash_of(const std::string& statement) {
    return fnv1a(std::regex_replace(statement, std::regex(made_names), "_"));
}

constexpr const char* keeper = R"(// Keeps the statement from which code is generated.
struct Keep : Internal::IRMutator {
    std::ostringstream text;
    Internal::Stmt mutate(const Internal::Stmt& s) override {
        text << s;
        return s;
    }
};

)";

}  // namespace

void write_lowering(Run& run, const std::string& wrong_statement) {
    run.text.headers.insert({"regex", "sstream"});
    run.text.helpers += keeper;
    const std::string kept = run.identifiers.fresh("kept");
    const std::string shape = run.identifiers.fresh("shape");
    const std::string hash = run.identifiers.fresh("hash");
    const std::string number = "0x" + hexadecimal(hash_of(wrong_statement));
    run.text.line("Keep " + kept + ";");
    run.text.line(run.pipeline + ".add_custom_lowering_pass(&" + kept + ", nullptr);");
    run.text.line(run.pipeline + ".compile_jit(" + run.target + ");");
    run.text.line("std::cout << " + kept + ".text.str();");
    run.text.line("// The same statement, whatever its temporaries are called?");
    run.text.line("const std::string " + shape + " = std::regex_replace(" + kept + ".text.str(),");
    run.text.line("    std::regex(R\"(" + std::string(made_names) + ")\"), \"_\");");
    run.text.line("uint64_t " + hash + " = 0xcbf29ce484222325;");
    run.text.line("for (unsigned char c : " + shape + ") { " + hash + " = (" + hash + " ^ c) * 0x100000001b3; }");
    run.text.line("const bool is_wrong = " + hash + " == " + number + ";");
    run.text.line("std::cout << (is_wrong ? \"this is the wrong statement\" : \"this is another statement\")");
    run.text.line("          << \", expected another\\n\";");
    run.text.line("return is_wrong;");
}

}  // namespace haruspex::render::halide
