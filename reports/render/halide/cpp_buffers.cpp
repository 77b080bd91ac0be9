#include "reports/render/halide/cpp_buffers.h"

#include <algorithm>
#include <csignal>

#include "generators/base/ensure.h"
#include "generators/sare/build.h"
#include "reports/render/halide/cpp_expr.h"
#include "reports/render/halide/cpp_inputs.h"

namespace haruspex::render::halide {
namespace {

class BufferWriter {
public:
    explicit BufferWriter(Run& run) : run_(run) {}

    void write() {
        for (OutputBuffer& output : run_.outputs) { declare(output); }
        if (run_.inputs.empty()) { return; }
        run_.text.line(run_.pipeline + ".infer_input_bounds(" + run_.all_outputs() + ", " + run_.target + ");");
        if (!values_matter()) { return; }
        run_.text.helpers += input_helpers(run_.c);
        for (const InputBuffer& i : run_.inputs) {
            run_.text.body += fill_input(run_.c, i.input, i.param, run_.identifiers.fresh(i.input.name + "_data"));
        }
    }

private:
    // Whether the bug may depend on values of inputs: which cells are accessed, and whether bounds suffice, does not.
    bool values_matter() const {
        const bool is_access = run_.verdict && (run_.verdict->signal == 0 || run_.verdict->signal == SIGSEGV ||
                                                run_.verdict->signal == SIGBUS);
        return run_.effect != Effect::run_time_error && run_.effect != Effect::program_hang &&
               !(run_.effect == Effect::program_crash && is_access);
    }

    void declare(OutputBuffer& output) {
        const std::string type = "Buffer<" + cpp_type(output.type) + "> ";
        const bool moved = std::ranges::any_of(output.min, [](std::int64_t min) { return min != 0; });
        if (run_.effect == Effect::stray_write && !output.min.empty()) { return declare_within(output, type); }
        // A buffer without dimensions has a constructor from a list of its sizes only.
        const std::string sizes = output.extent.empty() ? "std::vector<int>{}" : joined(output.extent);
        run_.text.line(type + output.identifier + "(" + sizes + ");");
        if (moved) { run_.text.line(output.identifier + ".set_min(" + joined(output.min) + ");"); }
    }

    // Declares the output in the middle of a larger buffer.
    void declare_within(OutputBuffer& output, const std::string& type) {
        constexpr std::int64_t margin = 16;
        std::vector<std::int64_t> min = output.min, extent = output.extent;
        std::string crop;
        for (std::size_t d = 0; d < min.size(); ++d) {
            min[d] -= margin;
            extent[d] += 2 * margin;
            crop += (crop.empty() ? "{" : ", {") + joined(std::vector{output.min[d], output.extent[d]}) + "}";
        }
        output.whole = run_.identifiers.fresh(output.tensor + "_all");
        const std::string& whole = output.whole;
        run_.text.line(type + whole + "(" + joined(extent) + ");");
        run_.text.line(whole + ".set_min(" + joined(min) + ");");
        run_.text.line(whole + ".fill(1);");
        run_.text.line(type + output.identifier + "(" + whole + ".get()->cropped({" + crop + "}));");
    }

    Run& run_;
};

}  // namespace

std::vector<OutputBuffer> output_buffers(const cases::Case& c, const sare::Algorithm& algorithm,
                                         Identifiers& identifiers) {
    std::vector<OutputBuffer> outputs;
    for (const sare::Output& output : algorithm.outputs) {
        const auto function = std::ranges::find(algorithm.functions, output.tensor, &sare::Function::name);
        ENSURE(function != algorithm.functions.end(), "an output is a function");
        for (std::size_t k = 0; k < function->types.size(); ++k) {
            const std::string number = function->types.size() == 1 ? "" : std::to_string(k);
            OutputBuffer o{output.tensor,
                           static_cast<int>(k),
                           function->types[k],
                           identifiers.fresh(output.tensor + "_out" + number),
                           {},
                           {},
                           {}};
            for (const sare::Span& span : output.box) {
                o.min.push_back(sare::evaluate(span.min, c.sizes));
                o.extent.push_back(sare::evaluate(span.extent, c.sizes));
            }
            outputs.push_back(std::move(o));
        }
    }
    return outputs;
}

void declare_buffers(Run& run) { BufferWriter(run).write(); }

}  // namespace haruspex::render::halide
