#include "generators/case/json.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "generators/case/located_json.h"
#include "generators/sare/build.h"
#include "generators/sare/text.h"
#include "generators/schedule/language.h"

namespace haruspex::cases {
namespace {

using json::Fields;
using json::Node;
using json::Reader;
using json::Wide;

constexpr int format_version = 2;
// The last one without a compiler.
constexpr int version_of_one_compiler = 1;

// --- Writing -----------------------------------------------------------------------------------------------------

nlohmann::ordered_json lines_of(const std::string& text) {
    auto lines = nlohmann::ordered_json::array();
    std::size_t start = 0;
    while (start < text.size()) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        lines.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return lines;
}

nlohmann::ordered_json number(Wide value) {
    if (json::is_exact_in_any_reader(value)) { return static_cast<std::int64_t>(value); }
    return json::to_decimal(value);
}

std::string_view name(Comparison comparison) { return comparison == Comparison::exact ? "exact" : "not_compared"; }

// --- Reading -----------------------------------------------------------------------------------------------------

// The embedded text, one line to an element.
std::string joined(Reader& reader, const Node& node) {
    std::string text;
    for (const Node& line : reader.array(node)) {
        const std::string content = reader.text(line);
        if (const auto at = content.find_first_of("\r\n"); at != std::string::npos) {
            reader.error(reader.document().offset_in_string(line, at),
                         "a line of text contains a line break; expected one line in each string");
        }
        text += content + "\n";
    }
    return text;
}

// An error of an embedded text, relocated to its line in the JSON text.
Error relocated(const Reader& reader, const Node& node, const Error& error) {
    const auto& lines = std::get<json::Array>(node.value);
    if (lines.empty()) { return reader.document().error_at(node.offset, error.message); }
    const auto line = static_cast<std::size_t>(std::max(error.where.line, 1)) - 1;
    const auto column = static_cast<std::size_t>(std::max(error.where.column, 1)) - 1;
    // An error at the end of the text is located behind its last line.
    const bool behind = line >= lines.size();
    const Node& string = behind ? lines.back() : lines[line];
    return reader.document().error_at(
        reader.document().offset_in_string(string, behind ? std::get<std::string>(string.value).size() : column),
        error.message);
}

// Returns the text of the file beside the case that the string names.
std::string beside_the_case(Reader& reader, const Node& node, const FilesBeside& beside) {
    const std::string& name = std::get<std::string>(node.value);
    if (!beside) {
        reader.error(node.offset, "a case that is not a file has no files beside it; expected an array of lines");
        return {};
    }
    if (name.empty() || name.front() == '.' || name.find('/') != std::string::npos) {
        reader.error(node.offset,
                     fmt::format("malformed name \"{}\"; expected a file in the folder of the case", name));
        return {};
    }
    auto text = beside(name);
    if (!text) {
        reader.error(node.offset, text.error().message);
        return {};
    }
    return std::move(*text);
}

// An array of lines, or the name of a file.
template <typename Parse>
auto text_of(Reader& reader, const Node& node, const FilesBeside& beside, Parse parse) {
    const auto* name = std::get_if<std::string>(&node.value);
    const std::string text = name != nullptr ? beside_the_case(reader, node, beside) : joined(reader, node);
    using Value = typename std::invoke_result_t<Parse, std::string_view, std::string_view>::value_type;
    if (reader.failed()) { return Value{}; }
    const std::string& file = reader.document().file();
    auto value = parse(text, name != nullptr ? (std::filesystem::path(file).parent_path() / *name).string() : file);
    if (value) { return std::move(*value); }
    reader.error(name != nullptr ? value.error() : relocated(reader, node, value.error()));
    return Value{};
}

std::string quoted(const std::vector<std::string>& names) {
    return names.empty() ? "nothing" : fmt::format("\"{}\"", fmt::join(names, "\", \""));
}

// Calls member(name, node) for each member of an object whose keys must be exactly `names`.
template <typename Each>
void each_of(Reader& reader, const Node& node, const std::string& kind, const std::vector<std::string>& names,
             Each&& each) {
    const auto& members = reader.object(node);
    for (const json::Member& member : members) {
        if (std::find(names.begin(), names.end(), member.key) == names.end()) {
            reader.error(member.key_offset,
                         fmt::format("unknown {} \"{}\"; expected {}", kind, member.key, quoted(names)));
        }
    }
    for (const std::string& name : names) {
        const auto member = std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.key == name; });
        if (member == members.end()) {
            reader.error(node.offset, fmt::format("missing {} \"{}\"; expected {}", kind, name, quoted(names)));
        } else {
            each(name, member->value);
        }
    }
}

InputDomain read_domain(Reader& reader, const Node& node, value::Type type) {
    Fields fields(reader, node, "an input's domain", {"min", "max", "scale", "special_values"});
    InputDomain domain;
    domain.range.type = type;
    const bool is_float = value::is_float(type);
    // A float is n * 2^-scale, where n fits the significand and the scale reaches the smallest normal number.
    const bool is_double = type == value::Type::f64;
    const Wide significand = Wide{1} << (is_double ? 53 : 24);
    const value::Range limits = is_float ? value::Range{type, -significand, significand, 0} : value::full_range(type);
    domain.range.low = fields.integer("min", limits.low, limits.high);
    domain.range.high = fields.integer("max", limits.low, limits.high);
    domain.range.scale = static_cast<int>(fields.integer("scale", 0, is_double ? 1022 : is_float ? 126 : 0));
    domain.special_values = fields.boolean("special_values");
    if (domain.range.low > domain.range.high) {
        reader.error(fields.at("max").offset, "the domain is empty; expected \"max\" to be at least \"min\"");
    }
    if (domain.special_values && !is_float) {
        reader.error(fields.at("special_values").offset,
                     fmt::format("only floats have special values; expected false for {}", value::name(type)));
    }
    return domain;
}

Comparison read_comparison(Reader& reader, const Node& node) {
    const std::string text = reader.text(node);
    for (const Comparison comparison : {Comparison::exact, Comparison::not_compared}) {
        if (text == name(comparison)) { return comparison; }
    }
    reader.error(node.offset, fmt::format("unknown comparison \"{}\"; expected \"exact\" or \"not_compared\"", text));
    return Comparison::exact;
}

// The version of the format; the newest after an error.
int read_version(Reader& reader, const Node& node) {
    for (const json::Member& member : reader.object(node)) {
        if (member.key == "haruspex_case") {
            return static_cast<int>(reader.integer(member.value, version_of_one_compiler, format_version));
        }
    }
    return format_version;
}

const schedule::Language* read_language(Reader& reader, const Node& node) {
    const std::string name = reader.text(node);
    if (reader.failed()) { return nullptr; }
    const auto* language = schedule::find_language(name);
    if (language == nullptr) {
        const auto known = schedule::compilers();
        reader.error(node.offset, fmt::format("unknown compiler \"{}\"; expected {}", name,
                                              quoted(std::vector<std::string>(known.begin(), known.end()))));
    }
    return language;
}

std::string read_target(Reader& reader, const Node& node, const schedule::Language& language) {
    std::string target = reader.text(node);
    if (target.empty() || target.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") != std::string::npos) {
        reader.error(node.offset, fmt::format("malformed target \"{}\"; expected one such as \"{}\"", target,
                                              language.default_target()));
    }
    return target;
}

Case read_case(Reader& reader, const Node& node, const FilesBeside& beside) {
    Case c;
    const bool names_compiler = read_version(reader, node) > version_of_one_compiler;
    std::vector<const char*> keys{"haruspex_case", "sare",         "schedule",   "sizes", "inputs",
                                  "input_seed",    "strict_float", "comparison", "target"};
    if (names_compiler) { keys.insert(keys.begin() + 1, "compiler"); }
    Fields fields(reader, node, "a case", keys);
    if (reader.failed()) { return c; }
    const auto* language = names_compiler ? read_language(reader, fields.at("compiler"))
                                          : schedule::find_language(schedule::compilers().front());
    if (reader.failed()) { return c; }
    c.compiler = language->compiler();
    c.sare = text_of(reader, fields.at("sare"), beside, [&](std::string_view text, std::string_view file) {
        return schedule::parse_program(text, file, *language);
    });
    c.schedule = text_of(reader, fields.at("schedule"), beside,
                         [&](std::string_view text, std::string_view file) { return language->parse(text, file); });
    // After an error the names of the text are not available for comparison.
    if (reader.failed()) { return c; }
    each_of(reader, fields.at("sizes"), "parameter", c.sare.parameters, [&](const std::string& name, const Node& size) {
        // Compilers under test take parameters as 32-bit integers.
        using Limits = std::numeric_limits<std::int32_t>;
        c.sizes[name] = static_cast<std::int64_t>(reader.integer(size, Limits::min(), Limits::max()));
    });
    std::vector<std::string> names;
    for (const sare::Input& input : c.sare.inputs) { names.push_back(input.name); }
    each_of(reader, fields.at("inputs"), "input", names, [&](const std::string& name, const Node& domain) {
        const auto input = std::find_if(c.sare.inputs.begin(), c.sare.inputs.end(),
                                        [&](const sare::Input& i) { return i.name == name; });
        c.inputs[name] = read_domain(reader, domain, input->type);
    });
    if (!reader.failed() && !sare::evaluate(c.sare.assumptions, c.sizes)) {
        reader.error(fields.at("sizes").offset,
                     "the sizes do not satisfy the assumptions; expected " + sare::print(c.sare.assumptions));
    }
    c.input_seed =
        static_cast<std::uint64_t>(fields.integer("input_seed", 0, std::numeric_limits<std::uint64_t>::max()));
    c.strict_float = fields.boolean("strict_float");
    const auto special = std::ranges::find_if(c.inputs, [](const auto& input) { return input.second.special_values; });
    if (!reader.failed() && !c.strict_float && special != c.inputs.end()) {
        reader.error(
            fields.at("strict_float").offset,
            fmt::format("without strict floats a compiler may assume that no float is a special value; expected "
                        "true, because input \"{}\" has special values",
                        special->first));
    }
    c.comparison = read_comparison(reader, fields.at("comparison"));
    c.target = read_target(reader, fields.at("target"), *language);
    return c;
}

}  // namespace

std::string to_json(const Case& c, bool indented) {
    nlohmann::ordered_json sizes = nlohmann::ordered_json::object();
    for (const auto& [name, size] : c.sizes) { sizes[name] = size; }
    nlohmann::ordered_json inputs = nlohmann::ordered_json::object();
    for (const auto& [name, domain] : c.inputs) {
        inputs[name] = {{"min", number(domain.range.low)},
                        {"max", number(domain.range.high)},
                        {"scale", domain.range.scale},
                        {"special_values", domain.special_values}};
    }
    const nlohmann::ordered_json tree = {
        {"haruspex_case", format_version},
        {"compiler", c.compiler},
        {"sare", lines_of(sare::print(c.sare))},
        {"schedule", lines_of(schedule::print(c.schedule))},
        {"sizes", sizes},
        {"inputs", inputs},
        {"input_seed", number(c.input_seed)},
        {"strict_float", c.strict_float},
        {"comparison", name(c.comparison)},
        {"target", c.target},
    };
    return tree.dump(indented ? 2 : -1);
}

Result<Case> parse_case(std::string_view text, std::string_view file, const FilesBeside& beside) {
    const auto document = json::Document::parse(text, file);
    if (!document) { return fail(document.error()); }
    Reader reader(*document);
    Case c = read_case(reader, document->root(), beside);
    if (reader.failed()) { return fail(reader.first_error()); }
    return c;
}

std::string compiler_in(std::string_view text) {
    const auto document = json::Document::parse(text, "");
    const auto* members = document ? std::get_if<json::Object>(&document->root().value) : nullptr;
    if (members == nullptr) { return {}; }
    const auto named = std::ranges::find(*members, "compiler", &json::Member::key);
    const auto* name = named == members->end() ? nullptr : std::get_if<std::string>(&named->value.value);
    return name == nullptr ? std::string() : *name;
}

}  // namespace haruspex::cases
