#include "reports/render/cpp_run.h"

#include <algorithm>

#include "generators/base/ensure.h"
#include "generators/sare/build.h"

namespace haruspex::render {
namespace {

constexpr const char* fill_helper = R"(// A cell of an input is a hash of the seed, the input's name and its indices.
uint64_t mix(uint64_t z) {
    z += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

// Cells are (low + hash mod count) * 2^-scale; count 0 stands for 2^64.
template <typename T>
void fill(ImageParam &param, const std::string &name, uint64_t low, uint64_t count, int scale = 0, bool special = false) {
    Buffer<T> buffer = param.get();
    if (!buffer.defined()) { return; }  // nothing reads it
    uint64_t start = 0xcbf29ce484222325;
    for (unsigned char c : name) { start = (start ^ c) * 0x100000001b3; }
    buffer.for_each_element([&](const int *index) {
        uint64_t h = mix(seed ^ start);
        for (int d = 0; d < buffer.dimensions(); d++) { h = mix(h ^ (uint64_t)(int64_t)index[d]); }
        uint64_t n = low + (count == 0 ? h : h % count);
        if constexpr (std::is_floating_point<T>::value) {
            using Limits = std::numeric_limits<T>;
            const T specials[8] = {Limits::quiet_NaN(),  T(0),  -T(0), Limits::infinity(), -Limits::infinity(),
                                   Limits::denorm_min(), -Limits::denorm_min(), std::nextafter(Limits::min(), T(0))};
            uint64_t g = mix(h);
            buffer(index) = special && g % 4 == 0 ? specials[g / 4 % 8] : T(std::ldexp((double)(int64_t)n, -scale));
        } else {
            buffer(index) = T(n);
        }
    });
}

)";

constexpr const char* checksum_helper = R"(template <typename T>
void checksum(Buffer<T> &buffer, uint64_t &sum) {
    buffer.for_each_element([&](const int *index) {
        unsigned char bytes[sizeof(T)];
        std::memcpy(bytes, &buffer(index), sizeof(T));
        for (unsigned char byte : bytes) { sum = (sum ^ byte) * 0x100000001b3; }
    });
}

)";

constexpr const char* same_helper = R"(// The same bits, or both NaN.
template <typename T>
bool same(T a, T b) {
    return std::isnan(a) ? std::isnan(b) : std::memcmp(&a, &b, sizeof(T)) == 0;
}

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
        const auto function = std::find_if(algorithm.functions.begin(), algorithm.functions.end(),
                                           [&](const sare::Function& f) { return f.name == output.tensor; });
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

// The difference that the program looks at.
std::optional<verdict::Difference> shown(const std::optional<verdict::Verdict>& verdict) {
    const bool is_there = verdict && verdict->difference && verdict->difference->expected.is_defined();
    return is_there ? verdict->difference : std::nullopt;
}

std::string unsigned_literal(std::uint64_t value) { return std::to_string(value) + "u"; }

std::string fill_call(const cases::InputDomain& domain, const std::string& identifier, const std::string& name) {
    const auto low = static_cast<std::uint64_t>(domain.range.low);
    const auto count = static_cast<std::uint64_t>(domain.range.high) - low + 1;
    // As a C++ int it is extended to the same 64 bits.
    const bool is_small_negative = domain.range.low < 0 && domain.range.low > -1000000000;
    std::string text = "    fill<" + cpp_type(domain.range.type) + ">(" + identifier + ", " + string_literal(name) +
                       ", " +
                       (is_small_negative ? std::to_string(static_cast<std::int64_t>(low)) : unsigned_literal(low)) +
                       ", " + unsigned_literal(count);
    if (domain.range.scale != 0 || domain.special_values) { text += ", " + std::to_string(domain.range.scale); }
    return text + (domain.special_values ? ", true" : "") + ");\n";
}

std::string result(const std::vector<Output>& outputs, const std::optional<verdict::Difference>& difference) {
    std::string text;
    if (!difference) {
        text += "    uint64_t sum = 0xcbf29ce484222325;\n";
        for (const Output& output : outputs) { text += "    checksum(" + output.identifier + ", sum);\n"; }
        return text + "    std::cout << \"checksum \" << std::hex << sum << \"\\n\";\n    return 0;\n";
    }
    const auto output = std::find_if(outputs.begin(), outputs.end(), [&](const Output& o) {
        return o.tensor == difference->tensor && o.component == difference->component;
    });
    ENSURE(output != outputs.end(), "a verdict names an output");
    const std::string type = cpp_type(output->type);
    const std::string component =
        output->identifier.ends_with("out") ? "" : "[" + std::to_string(output->component) + "]";
    const std::string cell = output->tensor + "(" + list(difference->cell) + ")" + component;
    text += "    const " + type + " expected = " + cpp_value(difference->expected) + ";\n";
    text += "    const " + type + " actual = " + output->identifier + "(" + list(difference->cell) + ");\n";
    text += "    std::cout << std::setprecision(17) << " + string_literal(cell + " is ") + " << +actual << " +
            string_literal(", expected ") + " << +expected << \"\\n\";\n";
    const bool is_float = value::is_float(output->type);
    return text + "    return " + (is_float ? "same(actual, expected)" : "actual == expected") + " ? 0 : 1;\n";
}

}  // namespace

std::string run_includes() {
    return "#include <cmath>\n#include <cstdint>\n#include <cstring>\n#include <iomanip>\n#include <iostream>\n"
           "#include <limits>\n#include <string>\n#include <type_traits>\n#include <vector>\n";
}

std::string run_helpers(const cases::Case& c, const std::optional<verdict::Verdict>& verdict) {
    std::string text;
    if (!c.inputs.empty()) {
        text += "const uint64_t seed = " + unsigned_literal(c.input_seed) + ";\n\n" + fill_helper;
    }
    const auto difference = shown(verdict);
    if (!difference) { return text + checksum_helper; }
    return value::is_float(difference->expected.type()) ? text + same_helper : text;
}

std::string run_part(const cases::Case& c, const sare::Algorithm& algorithm, const AlgorithmWriter& definitions,
                     Identifiers& identifiers, const std::optional<verdict::Verdict>& verdict) {
    std::string text;
    for (const std::string& name : algorithm.parameters) {
        text += "    " + definitions.parameters().at(name) + ".set(" + std::to_string(c.sizes.at(name)) + ");\n";
    }
    const std::string target = identifiers.fresh("target");
    const std::string pipeline = identifiers.fresh("pipeline");
    const std::string realization = identifiers.fresh("outputs");
    std::string functions;
    for (const sare::Output& output : algorithm.outputs) {
        functions += (functions.empty() ? "" : ", ") + definitions.functions().at(output.tensor);
    }
    text += "    Target " + target + "(" + string_literal(c.target) + ");\n    Pipeline " + pipeline +
            "(std::vector<Func>{" + functions + "});\n";
    const std::vector<Output> outputs = outputs_of(c, algorithm, identifiers);
    std::string buffers;
    for (const Output& output : outputs) {
        text += "    Buffer<" + cpp_type(output.type) + "> " + output.identifier + "(std::vector<int>{" +
                list(output.extent) + "});\n";
        if (!output.min.empty()) { text += "    " + output.identifier + ".set_min(" + list(output.min) + ");\n"; }
        buffers += (buffers.empty() ? "" : ", ") + output.identifier;
    }
    // Every version of Halide makes a Realization of a vector that has a name.
    const std::string vector = identifiers.fresh("buffers");
    text += "    std::vector<Buffer<>> " + vector + "{" + buffers + "};\n    Realization " + realization + "(" +
            vector + ");\n\n";
    if (!algorithm.inputs.empty()) {
        // Makes buffers of exactly the cells that the program asks for.
        text += "    " + pipeline + ".infer_input_bounds(" + realization + ", " + target + ");\n";
        for (const sare::Input& input : algorithm.inputs) {
            text += fill_call(c.inputs.at(input.name), definitions.inputs().at(input.name), input.name);
        }
    }
    text += "    " + pipeline + ".realize(" + realization + ", " + target + ");\n\n";
    return text + result(outputs, shown(verdict));
}

}  // namespace haruspex::render
