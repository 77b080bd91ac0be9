#include "reports/render/halide/cpp_check.h"

#include <algorithm>
#include <cmath>

#include "generators/base/ensure.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/judge/outputs.h"
#include "reports/render/halide/cpp_expr.h"
#include "reports/render/words.h"

namespace haruspex::render::halide {
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

constexpr const char* margins_helper = R"(// Memory between margins; the first one begins with the size.
const size_t margin = 128;
std::atomic<bool> written{false};
void* allocate(JITUserContext*, size_t size) {
    char* p = (char*)aligned_alloc(margin, (size / margin + 3) * margin);
    memset(p, 7, size + 2 * margin);
    return (char*)memcpy(p, &size, sizeof size) + margin;
}
void release(JITUserContext*, void* memory) {
    char *p = (char*)memory - margin, *end = p + margin + *(size_t*)p;
    for (char* byte = p + sizeof(size_t); byte != end + margin; byte++) {
        if (byte == p + margin) { byte = end; }
        if (*byte != 7) { written = true; }
    }
    free(p);
}

)";

// Returns a C++ condition: `actual` is not the expected value. Zeros of both signs are equal unless the case is strict.
std::string differs(const value::Value& expected, bool strict) {
    if (!value::is_float(expected.type())) { return "actual != expected"; }
    const double number = expected.as_double();
    if (std::isnan(number)) { return "!std::isnan(actual)"; }
    const bool has_sign = strict && number == 0;
    return has_sign ? "actual != 0 || std::signbit(actual) != std::signbit(expected)" : "actual != expected";
}

class CheckWriter {
public:
    explicit CheckWriter(Run& run) : run_(run) {}

    void write() {
        switch (run_.effect) {
            case Effect::value: return show_value();
            case Effect::garbage: return show_garbage();
            case Effect::unstable: return show_instability();
            case Effect::stray_write: return show_stray_write();
            case Effect::heap_write: return show_heap_write();
            case Effect::program_crash:
            case Effect::program_hang: return show_crash();
            case Effect::none: return show_checksum();
            default: break;
        }
        realize(run_.all_outputs());
        run_.text.line("std::cout << \"no error\\n\";");
    }

private:
    void realize(const std::string& outputs, const std::string& indent = "") {
        run_.text.line(indent + run_.pipeline + ".realize(" + outputs + ", " + run_.target + ");");
    }

    const OutputBuffer& differing() const {
        const verdict::Difference& difference = *run_.verdict->difference;
        const auto output = std::ranges::find_if(run_.outputs, [&](const OutputBuffer& o) {
            return o.tensor == difference.tensor && o.component == difference.component;
        });
        ENSURE(output != run_.outputs.end(), "a verdict names an output");
        return *output;
    }

    // The cell in the program, and its name for the reader.
    std::string cell() const { return differing().identifier + "(" + joined(run_.verdict->difference->cell) + ")"; }
    std::string cell_name() const { return judge::cell_name(run_.c.sare, *run_.verdict->difference); }

    void show_value() {
        realize(run_.all_outputs());
        const value::Value& expected = run_.verdict->difference->expected;
        const std::string type = cpp_type(expected.type());
        if (value::is_float(expected.type())) { run_.text.headers.insert("cmath"); }
        run_.text.line("const " + type + " actual = " + cell() + ", expected = " + cpp_value(expected) + ";");
        const std::string precise = value::is_float(expected.type()) ? "std::setprecision(17) << " : "";
        if (!precise.empty()) { run_.text.headers.insert("iomanip"); }
        run_.text.line("std::cout << " + precise + string_literal(cell_name() + " is ") +
                       " << +actual << \", expected \" << +expected << \"\\n\";");
        run_.text.line("return " + differs(expected, run_.c.strict_float) + ";");
    }

    // Fills the memory with other garbage, and runs.
    void run_with_garbage() {
        run_.text.line("    garbage ^= 0xff;");
        for (const OutputBuffer& output : run_.outputs) {
            run_.text.line("    memset(" + output.identifier + ".data(), garbage, " + output.identifier +
                           ".size_in_bytes());");
        }
        realize(run_.all_outputs(), "    ");
    }

    // The helper defines `allocate` and `release`.
    void let_allocate(const char* helper) {
        run_.text.headers.insert("cstring");
        run_.text.helpers += helper;
        run_.text.line(run_.pipeline + ".jit_handlers().custom_malloc = allocate;");
        run_.text.line(run_.pipeline + ".jit_handlers().custom_free = release;");
    }

    // Returns ", expected " and the specification's value for the cell; "the same" in place of an unknown value.
    std::string expectation() const {
        const verdict::Difference& difference = *run_.verdict->difference;
        const auto input = [&](const std::string& name, const std::vector<std::int64_t>& indices) {
            return cases::input_value(run_.c.input_seed, name, run_.c.inputs.at(name), indices);
        };
        interp::SareInterpreter interpreter(run_.c.sare, run_.c.sizes, input);
        const auto expected = interpreter.evaluate(difference.tensor, difference.component, difference.cell);
        const bool is_known = expected && expected->is_defined() && run_.c.comparison == cases::Comparison::exact;
        return is_known ? ", expected " + plain_value(*expected) : ", expected the same";
    }

    void show_garbage() {
        let_allocate(garbage_helper);
        const std::string found = run_.identifiers.fresh("found");
        const std::string run = run_.identifiers.fresh("run");
        run_.text.line(cpp_type(differing().type) + " " + found + "[2];");
        run_.text.line("for (int " + run + " = 0; " + run + " < 2; " + run + "++) {");
        run_with_garbage();
        run_.text.line("    " + found + "[" + run + "] = " + cell() + ";");
        run_.text.line("}");
        run_.text.line("std::cout << " + string_literal(cell_name() + " is ") + " << +" + found +
                       "[0] << \" and then \" << +" + found + "[1] << " + string_literal(expectation()) +
                       " << \"\\n\";");
        run_.text.line("return memcmp(&" + found + "[0], &" + found + "[1], sizeof " + found + "[0]) != 0;");
    }

    // Compares the bytes of all outputs with those of the first run.
    void show_instability() {
        let_allocate(garbage_helper);
        run_.text.headers.insert("string");
        const std::string first = run_.identifiers.fresh("first");
        const std::string now = run_.identifiers.fresh("now");
        const std::string run = run_.identifiers.fresh("run");
        run_.text.line("std::string " + first + ";");
        run_.text.line("for (int " + run + " = 0; " + run + " < 500; " + run + "++) {");
        run_with_garbage();
        run_.text.line("    std::string " + now + ";");
        for (const OutputBuffer& output : run_.outputs) {
            run_.text.line("    " + now + ".append((char*)" + output.identifier + ".data(), " + output.identifier +
                           ".size_in_bytes());");
        }
        run_.text.line("    if (" + run + " == 0) { " + first + " = " + now + "; }");
        run_.text.line("    if (" + now + " != " + first + ") {");
        run_.text.line("        std::cout << \"run \" << " + run +
                       " << \" differs from the first, expected none to\\n\";");
        run_.text.line("        return 1;");
        run_.text.line("    }");
        run_.text.line("}");
        run_.text.line("std::cout << \"all runs agree\\n\";");
    }

    void show_stray_write() {
        realize(run_.all_outputs());
        const std::string clean = run_.identifiers.fresh("clean");
        std::string condition;
        for (const OutputBuffer& output : run_.outputs) {
            if (output.whole.empty()) { continue; }
            // Cells beside the output must be unchanged.
            run_.text.line(output.identifier + ".fill(1);");
            condition += (condition.empty() ? "" : " && ") + output.whole + ".all_equal(1)";
        }
        run_.text.line("const bool " + clean + " = " + (condition.empty() ? "true" : condition) + ";");
        run_.text.line("std::cout << (" + clean +
                       " ? \"no\" : \"some\") << \" cells beside the outputs were written, expected none\\n\";");
        run_.text.line("return !" + clean + ";");
    }

    void show_heap_write() {
        run_.text.headers.insert("atomic");
        let_allocate(margins_helper);
        realize(run_.all_outputs());
        run_.text.line(
            "std::cout << (written ? \"some\" : \"no\")"
            " << \" bytes beside an allocation were written, expected none\\n\";");
        run_.text.line("return written;");
    }

    void show_crash() {
        run_.text.headers.insert({"cstring", "sys/mman.h"});
        run_.text.helpers += guarded_helper;
        const std::string behind = run_.identifiers.fresh("behind");
        run_.text.line("for (const bool " + behind + " : {true, false}) {");
        for (const InputBuffer& i : run_.inputs) {
            run_.text.line("    " + i.param + ".set(guarded(" + i.param + ".get(), " + behind + "));");
        }
        std::vector<std::string> buffers;
        for (const OutputBuffer& output : run_.outputs) {
            buffers.push_back(run_.identifiers.fresh(output.identifier + "_guarded"));
            run_.text.line("    Buffer<> " + buffers.back() + " = guarded(" + output.identifier + ", " + behind + ");");
        }
        realize(buffers.size() == 1 ? buffers[0] : "{" + joined(buffers) + "}", "    ");
        run_.text.line("}");
        run_.text.line("std::cout << \"no error\\n\";");
    }

    void show_checksum() {
        realize(run_.all_outputs());
        const std::string sum = run_.identifiers.fresh("sum");
        run_.text.line("uint64_t " + sum + " = 0xcbf29ce484222325;");
        for (const OutputBuffer& output : run_.outputs) {
            run_.text.line("for (size_t i = 0; i < " + output.identifier + ".size_in_bytes(); i++) {");
            run_.text.line("    " + sum + " = (" + sum + " ^ ((const uint8_t*)" + output.identifier +
                           ".data())[i]) * 0x100000001b3;");
            run_.text.line("}");
        }
        run_.text.line("std::cout << \"checksum \" << std::hex << " + sum + " << \"\\n\";");
    }

    Run& run_;
};

}  // namespace

void write_check(Run& run) { CheckWriter(run).write(); }

}  // namespace haruspex::render::halide
