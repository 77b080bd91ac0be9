#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "generators/case/case.h"
#include "generators/sare/syntax.h"
#include "oracle/verdict/verdict.h"
#include "reports/render/effect.h"
#include "reports/render/halide/cpp_names.h"

// The main function of a stand-alone program as far as it is written. It is shared by the sources that write its parts
// (cpp_run, cpp_buffers, cpp_check, cpp_lowering).
namespace haruspex::render::halide {

struct RunText {
    std::set<std::string> headers;  // beside Halide.h: "iostream", …
    std::string helpers;            // functions above main
    std::string opening;            // main, up to its first statement
    std::string body;               // from the buffers to the exit code
    std::string closing;            // the end of main

    void line(const std::string& statement) { body += "    " + statement + "\n"; }
};

struct OutputBuffer {
    std::string tensor;
    int component = 0;
    value::Type type = value::Type::i32;
    std::string identifier;
    std::vector<std::int64_t> min, extent;
    std::string whole;  // the identifier of a larger buffer around this one; empty if there is none
};

struct InputBuffer {
    sare::Input input;
    std::string param;  // the ImageParam's identifier
};

struct Run {
    const cases::Case& c;
    const std::optional<verdict::Verdict>& verdict;
    Identifiers& identifiers;
    Effect effect = Effect::none;
    std::string target, pipeline;  // identifiers
    std::vector<OutputBuffer> outputs;
    std::vector<InputBuffer> inputs;  // those that are read
    RunText text;

    // Returns the argument of realize: "f_out", "{f_out0, f_out1}".
    std::string all_outputs() const;
};

}  // namespace haruspex::render::halide
