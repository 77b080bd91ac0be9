#include "reports/render/halide/cpp_inputs.h"

#include <algorithm>

#include "generators/sare/traverse.h"
#include "reports/render/halide/cpp_expr.h"

namespace haruspex::render::halide {
namespace {

constexpr const char* hash_helper = R"(// A cell of an input holds a hash of its indices.
uint64_t hash(uint64_t h, const int* index, int rank) {
    for (int d = 0; d < rank; d++) {
        h = (h ^ (uint64_t)index[d]) + 0x9e3779b97f4a7c15;
        h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9;
        h = (h ^ (h >> 27)) * 0x94d049bb133111eb;
        h ^= h >> 31;
    }
    return h;
}

)";

constexpr const char* special_helper = R"(// One cell in four is special.
template <typename T>
T special(uint64_t h, T otherwise) {
    const int zero = 0;
    const uint64_t g = hash(h, &zero, 1);
    const T inf = T(INFINITY), tiny = std::numeric_limits<T>::denorm_min();
    const T values[8] = {T(NAN), T(0), T(-0.0), inf, -inf, tiny, -tiny,
                         std::nextafter(std::numeric_limits<T>::min(), T(0))};
    return g % 4 == 0 ? values[g / 4 % 8] : otherwise;
}

)";

bool is_constant(const cases::InputDomain& domain) {
    return domain.range.low == domain.range.high && !domain.special_values;
}

// "hash % 19u - 9u": a cell's number before scaling, modulo 2^64.
std::string number(const value::Range& range, const std::string& hash) {
    const auto low = static_cast<std::uint64_t>(range.low);
    const std::uint64_t count = static_cast<std::uint64_t>(range.high) - low + 1;
    const std::string digit = count == 0 ? hash : hash + " % " + std::to_string(count) + "u";
    if (low == 0) { return digit; }
    // A reader expects a subtraction for a negative bound; the result is the same.
    return range.low < 0 ? digit + " - " + std::to_string(-low) + "u" : digit + " + " + std::to_string(low) + "u";
}

std::string cell_value(const cases::InputDomain& domain, const std::string& hash) {
    const std::string type = cpp_type(domain.range.type);
    std::string text = number(domain.range, hash);
    if (value::is_float(domain.range.type)) {
        text = "(int64_t)(" + text + ")";
        if (domain.range.scale != 0) { text += " * 0x1p-" + std::to_string(domain.range.scale); }
    }
    text = type + "(" + text + ")";
    return domain.special_values ? "special<" + type + ">(" + hash + ", " + text + ")" : text;
}

// Returns the value that all cells hold.
std::string constant_value(const cases::InputDomain& domain) {
    const std::string type = cpp_type(domain.range.type);
    const auto low = static_cast<std::uint64_t>(domain.range.low);
    if (!value::is_float(domain.range.type)) { return cpp_value(value::Value::from_bits(domain.range.type, low)); }
    const std::string scale = domain.range.scale == 0 ? "" : " * 0x1p-" + std::to_string(domain.range.scale);
    return type + "(" + std::to_string(static_cast<std::int64_t>(domain.range.low)) + scale + ")";
}

}  // namespace

std::string input_helpers(const cases::Case& c) {
    const auto any = [&](auto predicate) {
        return std::ranges::any_of(c.inputs, [&](const auto& input) { return predicate(input.second); });
    };
    std::string text = any([](const auto& domain) { return !is_constant(domain); }) ? hash_helper : "";
    if (any([](const auto& domain) { return domain.special_values; })) { text += special_helper; }
    return text;
}

std::string fill_input(const cases::Case& c, const sare::Input& input, const std::string& param,
                       const std::string& data) {
    const cases::InputDomain& domain = c.inputs.at(input.name);
    const std::string start = std::to_string(cases::input_start(c.input_seed, input.name)) + "u";
    const std::string hash = "hash(" + start + ", i, " + std::to_string(input.rank) + ")";
    const std::string buffer = "    Buffer<" + cpp_type(input.type) + "> " + data + " = " + param + ".get();\n";
    if (is_constant(domain)) { return buffer + "    " + data + ".fill(" + constant_value(domain) + ");\n"; }
    return buffer + "    " + data + ".for_each_element([&](const int* i) { " + data +
           "(i) = " + cell_value(domain, hash) + "; });\n";
}

std::set<std::string> inputs_read(const sare::Algorithm& algorithm) {
    std::set<std::string> read, reached;
    std::vector<std::string> todo;
    for (const sare::Output& output : algorithm.outputs) { todo.push_back(output.tensor); }
    const auto visit = [&](const sare::Access& access, const auto&) { todo.push_back(access.tensor); };
    while (!todo.empty()) {
        const std::string name = todo.back();
        todo.pop_back();
        if (!reached.insert(name).second) { continue; }
        const auto function = std::ranges::find(algorithm.functions, name, &sare::Function::name);
        if (function == algorithm.functions.end()) {
            read.insert(name);
            continue;
        }
        for (const sare::Expr& e : function->values) { sare::for_each_access(e, visit); }
        for (const sare::UpdateDefinition& update : function->updates) {
            for (const sare::Expr& e : update.values) { sare::for_each_access(e, visit); }
        }
    }
    return read;
}

}  // namespace haruspex::render::halide
