#include "reports/render/cpp_run.h"

#include <algorithm>
#include <cmath>
#include <csignal>

#include "generators/base/ensure.h"
#include "generators/sare/build.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/judge/outputs.h"
#include "reports/render/cpp_inputs.h"
#include "reports/render/symptom.h"

namespace haruspex::render {
namespace {

constexpr const char* guarded_helper =
    R"(// The buffer between pages that may not be touched, at the one behind it or at the one before it.
Buffer<> guarded(const Buffer<>& b, bool behind) {
    const size_t size = b.size_in_bytes(), room = (size + 4095) / 4096 * 4096;
    char* p = (char*)mmap(nullptr, room + 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) + 4096;
    mprotect(p, room, PROT_READ | PROT_WRITE);
    halide_buffer_t raw = *b.raw_buffer();
    raw.host = (uint8_t*)memcpy(p + (behind ? room - size : 0), b.data(), size);
    return Buffer<>(raw);
}

)";

constexpr const char* garbage_helper = R"(// Memory that nothing was written to yet holds other bytes in each run.
int garbage = 0xa5;
void* allocate(JITUserContext*, size_t size) {
    return memset(aligned_alloc(128, (size + 255) / 128 * 128), garbage, size);
}
void release(JITUserContext*, void*) {}

)";

constexpr const char* in_a_child = R"(    if (const pid_t child = fork()) {  // what crashes is the child
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status)) { std::cout << strsignal(WTERMSIG(status)) << ", expected none\n"; }
        return status != 0;
    }
    alarm(60);  // a fault may also make it run for ever
)";

constexpr const char* within_memory = R"(    const rlimit limit{2ul << 30, 2ul << 30};
    setrlimit(RLIMIT_AS, &limit);
)";

constexpr const char* within_time = R"(    signal(SIGALRM, [](int) {
        std::cout << "still busy after a minute, expected an end" << std::endl;
        _exit(1);
    });
    alarm(60);
)";

struct Output {
    std::string tensor;
    int component = 0;
    value::Type type = value::Type::i32;
    std::string identifier;
    std::vector<std::int64_t> min, extent;
};

std::vector<Output> outputs_of(const cases::Case& c, const sare::Algorithm& algorithm, Identifiers& identifiers) {
    std::vector<Output> outputs;
    for (const sare::Output& output : algorithm.outputs) {
        const auto function = std::ranges::find(algorithm.functions, output.tensor, &sare::Function::name);
        ENSURE(function != algorithm.functions.end(), "an output is a function");
        for (std::size_t k = 0; k < function->types.size(); ++k) {
            const std::string number = function->types.size() == 1 ? "" : std::to_string(k);
            Output o{output.tensor,
                     static_cast<int>(k),
                     function->types[k],
                     identifiers.fresh(output.tensor + "_out" + number),
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

std::string list(const std::vector<std::int64_t>& numbers) {
    std::string text;
    for (const std::int64_t number : numbers) { text += (text.empty() ? "" : ", ") + std::to_string(number); }
    return text;
}

// "true" when the value that is named `actual` is not the expected one. Zeros of either sign are one number unless the
// case is strict.
std::string differs(const value::Value& expected, bool strict) {
    if (!value::is_float(expected.type())) { return "actual != expected"; }
    const double number = expected.as_double();
    if (std::isnan(number)) { return "!std::isnan(actual)"; }
    const bool has_sign = strict && number == 0;
    return has_sign ? "actual != 0 || std::signbit(actual) != std::signbit(expected)" : "actual != expected";
}

class RunWriter {
public:
    RunWriter(const cases::Case& c, const sare::Algorithm& algorithm, const AlgorithmWriter& definitions,
              Identifiers& identifiers, const std::optional<verdict::Verdict>& verdict)
        : case_(c),
          identifiers_(identifiers),
          verdict_(verdict),
          symptom_(symptom_of(verdict)),
          target_(identifiers.fresh("target")),
          outputs_(outputs_of(c, algorithm, identifiers)) {
        for (const sare::Output& output : algorithm.outputs) {
            functions_.push_back(definitions.functions().at(output.tensor));
        }
        pipeline_ = functions_.size() == 1 ? functions_[0] : identifiers.fresh("pipeline");
        const std::set<std::string> read = inputs_read(algorithm);
        for (const sare::Input& input : algorithm.inputs) {
            if (read.contains(input.name)) { inputs_.push_back({input, definitions.inputs().at(input.name)}); }
        }
    }

    RunText write() {
        text_.headers.insert("iostream");
        text_.opening = "int main() {\n";
        text_.closing = "}\n";
        protect();
        line("Target " + target_ + "(" + string_literal(case_.target) + ");");
        if (functions_.size() > 1) { line("Pipeline " + pipeline_ + "({" + joined(functions_) + "});"); }
        if (is_of_compiler(symptom_)) {
            line(pipeline_ + ".compile_jit(" + target_ + ");");
            line("std::cout << \"no error\\n\";");
        } else {
            buffers();
            run();
        }
        return std::move(text_);
    }

private:
    struct Input {
        sare::Input input;
        std::string param;
    };

    void line(const std::string& statement) { text_.body += "    " + statement + "\n"; }

    static std::string joined(const std::vector<std::string>& parts) {
        std::string text;
        for (const std::string& part : parts) { text += (text.empty() ? "" : ", ") + part; }
        return text;
    }

    // What turns a death or an error into the exit code 1.
    void protect() {
        const auto forks = [&] {
            text_.headers.insert({"cstring", "sys/wait.h", "unistd.h"});
            text_.opening += in_a_child;
        };
        const auto catches = [&](const std::string& error) {
            text_.opening = "int main() try {\n";
            text_.closing =
                "} catch (const " + error +
                "& error) {\n    std::cout << error.what() << \"expected no error\\n\";\n    return 1;\n}\n";
        };
        switch (symptom_) {
            case Symptom::none:
            case Symptom::value:
            case Symptom::garbage:
            case Symptom::unstable:
            case Symptom::stray_write: return;
            case Symptom::run_time_error: return catches("RuntimeError");
            case Symptom::internal_error: return catches("InternalError");
            case Symptom::compiler_crash:
            case Symptom::program_crash:
            case Symptom::program_hang: return forks();
            case Symptom::compiler_hang:
                text_.headers.insert({"csignal", "unistd.h"});
                text_.opening += within_time;
                return;
            case Symptom::compiler_out_of_memory:
            case Symptom::program_out_of_memory:
                forks();
                text_.headers.insert("sys/resource.h");
                text_.opening += within_memory;
                return;
        }
    }

    // Declares the outputs' buffers, makes those of the inputs as large as the pipeline asks for, and fills them.
    void buffers() {
        std::vector<std::string> names;
        for (const Output& output : outputs_) {
            declare(output);
            names.push_back(output.identifier);
        }
        all_outputs_ = names.size() == 1 ? names[0] : "{" + joined(names) + "}";
        if (inputs_.empty()) { return; }
        line(pipeline_ + ".infer_input_bounds(" + all_outputs_ + ", " + target_ + ");");
        if (!values_matter()) { return; }
        text_.helpers += input_helpers(case_);
        for (const Input& i : inputs_) {
            text_.body += fill_input(case_, i.input, i.param, identifiers_.fresh(i.input.name + "_data"));
        }
    }

    // Which cells are accessed, and whether bounds suffice, depends on no value of an input.
    bool values_matter() const {
        const bool is_access =
            verdict_ && (verdict_->signal == 0 || verdict_->signal == SIGSEGV || verdict_->signal == SIGBUS);
        return symptom_ != Symptom::run_time_error && symptom_ != Symptom::program_hang &&
               !(symptom_ == Symptom::program_crash && is_access);
    }

    void declare(const Output& output) {
        const std::string type = "Buffer<" + cpp_type(output.type) + "> ";
        const bool moved = std::ranges::any_of(output.min, [](std::int64_t min) { return min != 0; });
        if (symptom_ == Symptom::stray_write && !output.min.empty()) { return declare_within(output, type); }
        // A buffer without dimensions has a constructor from a list of its sizes only.
        const std::string sizes = output.extent.empty() ? "std::vector<int>{}" : list(output.extent);
        line(type + output.identifier + "(" + sizes + ");");
        if (moved) { line(output.identifier + ".set_min(" + list(output.min) + ");"); }
    }

    // In the middle of a larger buffer.
    void declare_within(const Output& output, const std::string& type) {
        constexpr std::int64_t margin = 16;
        std::vector<std::int64_t> min = output.min, extent = output.extent;
        std::string crop;
        for (std::size_t d = 0; d < min.size(); ++d) {
            min[d] -= margin;
            extent[d] += 2 * margin;
            crop += (crop.empty() ? "{" : ", {") + list({output.min[d], output.extent[d]}) + "}";
        }
        const std::string whole = identifiers_.fresh(output.tensor + "_all");
        line(type + whole + "(" + list(extent) + ");");
        line(whole + ".set_min(" + list(min) + ");");
        line(whole + ".fill(1);");
        line(type + output.identifier + "(" + whole + ".get()->cropped({" + crop + "}));");
        surrounded_.emplace_back(whole, output.identifier);
    }

    void realize(const std::string& outputs, const std::string& indent = "") {
        line(indent + pipeline_ + ".realize(" + outputs + ", " + target_ + ");");
    }

    void run() {
        switch (symptom_) {
            case Symptom::value: return show_value();
            case Symptom::garbage: return show_garbage();
            case Symptom::unstable: return show_instability();
            case Symptom::stray_write: return show_stray_write();
            case Symptom::program_crash:
            case Symptom::program_hang: return show_crash();
            case Symptom::none: return show_checksum();
            default: break;
        }
        realize(all_outputs_);
        line("std::cout << \"no error\\n\";");
    }

    const Output& differing() const {
        const verdict::Difference& difference = *verdict_->difference;
        const auto output = std::ranges::find_if(outputs_, [&](const Output& o) {
            return o.tensor == difference.tensor && o.component == difference.component;
        });
        ENSURE(output != outputs_.end(), "a verdict names an output");
        return *output;
    }

    // The cell in the program, and its name for the reader.
    std::string cell() const { return differing().identifier + "(" + list(verdict_->difference->cell) + ")"; }
    std::string cell_name() const { return judge::cell_name(case_.sare, *verdict_->difference); }

    void show_value() {
        realize(all_outputs_);
        const value::Value& expected = verdict_->difference->expected;
        const std::string type = cpp_type(expected.type());
        if (value::is_float(expected.type())) { text_.headers.insert("cmath"); }
        line("const " + type + " actual = " + cell() + ", expected = " + cpp_value(expected) + ";");
        const std::string precise = value::is_float(expected.type()) ? "std::setprecision(17) << " : "";
        if (!precise.empty()) { text_.headers.insert("iomanip"); }
        line("std::cout << " + precise + string_literal(cell_name() + " is ") +
             " << +actual << \", expected \" << +expected << \"\\n\";");
        line("return " + differs(expected, case_.strict_float) + ";");
    }

    // Lets the memory hold other garbage, and runs.
    void run_with_garbage() {
        line("    garbage ^= 0xff;");
        for (const Output& output : outputs_) {
            line("    memset(" + output.identifier + ".data(), garbage, " + output.identifier + ".size_in_bytes());");
        }
        realize(all_outputs_, "    ");
    }

    void prepare_garbage() {
        text_.headers.insert("cstring");
        text_.helpers += garbage_helper;
        line(pipeline_ + ".jit_handlers().custom_malloc = allocate;");
        line(pipeline_ + ".jit_handlers().custom_free = release;");
    }

    // What the specification says, if it says anything.
    std::string expectation() const {
        const verdict::Difference& difference = *verdict_->difference;
        const auto input = [&](const std::string& name, const std::vector<std::int64_t>& indices) {
            return cases::input_value(case_.input_seed, name, case_.inputs.at(name), indices);
        };
        interp::SareInterpreter interpreter(case_.sare, case_.sizes, input);
        const auto expected = interpreter.evaluate(difference.tensor, difference.component, difference.cell);
        const bool is_known = expected && expected->is_defined() && case_.comparison == cases::Comparison::exact;
        return is_known ? ", expected " + plain_value(*expected) : ", expected the same";
    }

    void show_garbage() {
        prepare_garbage();
        const std::string found = identifiers_.fresh("found");
        const std::string run = identifiers_.fresh("run");
        line(cpp_type(differing().type) + " " + found + "[2];");
        line("for (int " + run + " = 0; " + run + " < 2; " + run + "++) {");
        run_with_garbage();
        line("    " + found + "[" + run + "] = " + cell() + ";");
        line("}");
        line("std::cout << " + string_literal(cell_name() + " is ") + " << +" + found + "[0] << \" and then \" << +" +
             found + "[1] << " + string_literal(expectation()) + " << \"\\n\";");
        line("return memcmp(&" + found + "[0], &" + found + "[1], sizeof " + found + "[0]) != 0;");
    }

    // Compares the bytes of all outputs with those of the first run.
    void show_instability() {
        prepare_garbage();
        text_.headers.insert("string");
        const std::string first = identifiers_.fresh("first");
        const std::string now = identifiers_.fresh("now");
        const std::string run = identifiers_.fresh("run");
        line("std::string " + first + ";");
        line("for (int " + run + " = 0; " + run + " < 500; " + run + "++) {");
        run_with_garbage();
        line("    std::string " + now + ";");
        for (const Output& output : outputs_) {
            line("    " + now + ".append((char*)" + output.identifier + ".data(), " + output.identifier +
                 ".size_in_bytes());");
        }
        line("    if (" + run + " == 0) { " + first + " = " + now + "; }");
        line("    if (" + now + " != " + first + ") {");
        line("        std::cout << \"run \" << " + run + " << \" differs from the first, expected none to\\n\";");
        line("        return 1;");
        line("    }");
        line("}");
        line("std::cout << \"all runs agree\\n\";");
    }

    void show_stray_write() {
        realize(all_outputs_);
        const std::string clean = identifiers_.fresh("clean");
        std::string condition;
        for (const auto& [whole, output] : surrounded_) {
            // What is not the output's must still be what it was.
            line(output + ".fill(1);");
            condition += (condition.empty() ? "" : " && ") + whole + ".all_equal(1)";
        }
        line("const bool " + clean + " = " + (condition.empty() ? "true" : condition) + ";");
        line("std::cout << (" + clean +
             " ? \"no\" : \"some\") << \" cells beside the outputs were written, expected none\\n\";");
        line("return !" + clean + ";");
    }

    void show_crash() {
        text_.headers.insert({"cstring", "sys/mman.h"});
        text_.helpers += guarded_helper;
        const std::string behind = identifiers_.fresh("behind");
        line("for (const bool " + behind + " : {true, false}) {");
        for (const Input& i : inputs_) {
            line("    " + i.param + ".set(guarded(" + i.param + ".get(), " + behind + "));");
        }
        std::vector<std::string> buffers;
        for (const Output& output : outputs_) {
            buffers.push_back(identifiers_.fresh(output.identifier + "_guarded"));
            line("    Buffer<> " + buffers.back() + " = guarded(" + output.identifier + ", " + behind + ");");
        }
        realize(buffers.size() == 1 ? buffers[0] : "{" + joined(buffers) + "}", "    ");
        line("}");
        line("std::cout << \"no error\\n\";");
    }

    void show_checksum() {
        realize(all_outputs_);
        const std::string sum = identifiers_.fresh("sum");
        line("uint64_t " + sum + " = 0xcbf29ce484222325;");
        for (const Output& output : outputs_) {
            line("for (size_t i = 0; i < " + output.identifier + ".size_in_bytes(); i++) {");
            line("    " + sum + " = (" + sum + " ^ ((const uint8_t*)" + output.identifier +
                 ".data())[i]) * 0x100000001b3;");
            line("}");
        }
        line("std::cout << \"checksum \" << std::hex << " + sum + " << \"\\n\";");
    }

    const cases::Case& case_;
    Identifiers& identifiers_;
    const std::optional<verdict::Verdict>& verdict_;
    Symptom symptom_;
    std::string target_, pipeline_, all_outputs_;
    std::vector<Output> outputs_;
    std::vector<std::string> functions_;
    std::vector<Input> inputs_;                                    // that are read
    std::vector<std::pair<std::string, std::string>> surrounded_;  // whole buffers, and the outputs in them
    RunText text_;
};

}  // namespace

RunText run_text(const cases::Case& c, const sare::Algorithm& algorithm, const AlgorithmWriter& definitions,
                 Identifiers& identifiers, const std::optional<verdict::Verdict>& verdict) {
    return RunWriter(c, algorithm, definitions, identifiers, verdict).write();
}

}  // namespace haruspex::render
