#pragma once

#include <map>
#include <string>
#include <utility>

#include "generators/base/result.h"
#include "generators/sare/algorithm.h"
#include "generators/sare/build.h"
#include "reports/render/halide/cpp_expr.h"
#include "reports/render/halide/cpp_names.h"
#include "reports/render/halide/cpp_schedule.h"

namespace haruspex::render::halide {

// Writes the definitions of a Halide algorithm: statement by statement as the harness's program builder makes them, and
// with the same names inside Halide, because names can influence how Halide lowers a program.
class AlgorithmWriter {
public:
    // Borrows `identifiers` and `algorithm`. The inline reductions of `algorithm` must be outlined already
    // (generators/sare/outline.h). If `strict`, values with floats are wrapped in strict_float.
    AlgorithmWriter(Identifiers& identifiers, const sare::Algorithm& algorithm, bool strict);

    // Writes all definitions. An Error if the algorithm cannot be expressed in Halide.
    [[nodiscard]] Result<void> write();

    // The results of write():
    const std::string& text() const { return text_; }
    const Scope& parameters() const { return parameters_; }                       // name -> identifier
    const std::map<std::string, std::string>& inputs() const { return inputs_; }  // name -> identifier
    const std::map<std::string, std::string>& functions() const { return functions_; }
    const std::map<std::string, std::string>& vars() const { return vars_; }  // identifier -> name
    // By function and number of the definition: 0 is the pure definition, n + 1 is update(n).
    const std::map<std::pair<std::string, int>, LoopNames>& loops() const { return loops_; }

private:
    void define(const sare::Function& function);
    void update(const sare::Function& function, int number);
    std::string values(const std::vector<sare::Expr>& values, const Scope& scope, const std::string& tie);
    std::string value(const sare::Expr& value, const Scope& scope);
    std::string read(const sare::Access& access, const std::vector<std::string>& indices) const;
    std::string var(const std::string& name);

    Identifiers& identifiers_;
    const sare::Algorithm& algorithm_;
    bool strict_;
    sare::TensorTypes types_;
    std::string text_;
    Scope parameters_;
    std::map<std::string, std::string> inputs_, functions_, vars_;
    std::map<std::pair<std::string, int>, LoopNames> loops_;
    // The first reason why the algorithm cannot be expressed in Halide; empty if there is none.
    std::string fault_;
};

}  // namespace haruspex::render::halide
