#include "reports/store/verdict_json.h"

#include <charconv>
#include <limits>
#include <optional>
#include <vector>

#include "generators/base/numbers.h"
#include "reports/store/json_parts.h"

namespace haruspex::store {
namespace {

using cases::json::Fields;
using cases::json::Node;
using cases::json::Reader;
using cases::json::Wide;

constexpr Wide largest_i64 = std::numeric_limits<std::int64_t>::max();
constexpr Wide smallest_i64 = std::numeric_limits<std::int64_t>::min();
constexpr Wide largest_u64 = std::numeric_limits<std::uint64_t>::max();

std::string bits_text(const value::Value& v) {
    if (v.is_undef()) { return "undef"; }
    if (v.is_uninit()) { return "uninit"; }
    char digits[16];
    const auto end = std::to_chars(digits, digits + sizeof digits, v.bit_pattern(), 16).ptr;
    return "0x" + std::string(digits, end);
}

value::Value read_value(Reader& reader, const Node& node, value::Type type) {
    const std::string text = reader.text(node);
    if (text == "undef") { return value::Value::undef(type); }
    if (text == "uninit") { return value::Value::uninit(type); }
    const auto bits = text.starts_with("0x") ? parse_number<std::uint64_t>(text.substr(2), 16) : std::nullopt;
    if (!bits || (value::bits(type) < 64 && *bits >> value::bits(type) != 0)) {
        reader.error(node.offset, "expected bits such as \"0x2a\", \"undef\" or \"uninit\", found \"" + text + "\"");
        return value::Value::undef(type);
    }
    return value::Value::from_bits(type, *bits);
}

nlohmann::ordered_json difference_tree(const std::optional<verdict::Difference>& difference) {
    if (!difference) { return nullptr; }
    return {{"tensor", difference->tensor},
            {"component", difference->component},
            {"cell", difference->cell},
            {"type", value::name(difference->expected.type())},
            {"expected", value::to_string(difference->expected)},
            {"actual", value::to_string(difference->actual)},
            {"expected_bits", bits_text(difference->expected)},
            {"actual_bits", bits_text(difference->actual)},
            {"differing_cells", difference->differing_cells},
            {"compared_cells", difference->compared_cells}};
}

std::optional<verdict::Difference> read_difference(Reader& reader, const Node& node) {
    if (std::holds_alternative<std::nullptr_t>(node.value)) { return std::nullopt; }
    Fields fields(reader, node, "a difference",
                  {"tensor", "component", "cell", "type", "expected", "actual", "expected_bits", "actual_bits",
                   "differing_cells", "compared_cells"});
    if (reader.failed()) { return std::nullopt; }
    verdict::Difference difference;
    difference.tensor = fields.text("tensor");
    difference.component = static_cast<int>(fields.integer("component", 0, 1000));
    for (const Node& coordinate : reader.array(fields.at("cell"))) {
        difference.cell.push_back(static_cast<std::int64_t>(reader.integer(coordinate, smallest_i64, largest_i64)));
    }
    const std::string type_name = fields.text("type");
    const auto type = value::parse_type(type_name);
    if (!type) {
        reader.error(fields.at("type").offset, "unknown type \"" + type_name + "\"; expected one such as \"i32\"");
    }
    if (reader.failed()) { return std::nullopt; }
    difference.expected = read_value(reader, fields.at("expected_bits"), *type);
    difference.actual = read_value(reader, fields.at("actual_bits"), *type);
    difference.differing_cells = static_cast<std::uint64_t>(fields.integer("differing_cells", 0, largest_u64));
    difference.compared_cells = static_cast<std::uint64_t>(fields.integer("compared_cells", 0, largest_u64));
    return difference;
}

std::optional<verdict::Validation> read_validation(Reader& reader, Fields& fields, const char* name) {
    const Node* node = fields.find(name);
    if (node == nullptr) { return std::nullopt; }
    const std::string line = fields.text(name);
    auto validation = verdict::parse_validation(line);
    if (!validation) {
        reader.error(node->offset, "the validator does not say \"" + line +
                                       "\"; expected a line such as \"validated for all sizes\"");
    }
    return validation;
}

std::vector<verdict::Warning> read_warnings(Reader& reader, const Node& node) {
    std::vector<verdict::Warning> warnings;
    for (const Node& element : reader.array(node)) {
        Fields fields(reader, element, "a warning", {"directive", "call", "rule", "asks"});
        if (reader.failed()) { return {}; }
        verdict::Warning& warning = warnings.emplace_back();
        warning.directive = static_cast<std::size_t>(fields.integer("directive", 0, largest_i64));
        warning.call = fields.text("call");
        warning.rule = fields.text("rule");
        warning.asks = fields.text("asks");
    }
    return warnings;
}

}  // namespace

std::string dump(const nlohmann::ordered_json& tree, bool indented) {
    return tree.dump(indented ? 2 : -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

nlohmann::ordered_json verdict_tree(const verdict::Verdict& verdict) {
    nlohmann::ordered_json tree{{"class", verdict::name(verdict.cls)},
                                {"message", verdict.message},
                                {"phase", verdict.phase},
                                {"signal", verdict.signal},
                                {"difference", difference_tree(verdict.difference)}};
    if (!verdict.lowered.empty()) { tree["lowered"] = verdict.lowered; }
    if (verdict.validator) { tree["validator"] = to_string(*verdict.validator); }
    if (verdict.all_sizes) { tree["all_sizes"] = to_string(*verdict.all_sizes); }
    if (!verdict.indices.empty()) { tree["indices"] = verdict.indices; }
    if (!verdict.pass.empty()) { tree["pass"] = verdict.pass; }
    for (const verdict::Warning& warning : verdict.warnings) {
        tree["warnings"].push_back(
            {{"directive", warning.directive}, {"call", warning.call}, {"rule", warning.rule}, {"asks", warning.asks}});
    }
    return tree;
}

verdict::Verdict read_verdict(Reader& reader, const Node& node) {
    verdict::Verdict verdict;
    Fields fields(reader, node, "a verdict", {"class", "message", "phase", "signal", "difference"},
                  {"lowered", "validator", "all_sizes", "indices", "pass", "warnings"});
    if (reader.failed()) { return verdict; }
    const std::string class_name = fields.text("class");
    if (const auto cls = verdict::parse_class(class_name)) {
        verdict.cls = *cls;
    } else {
        reader.error(fields.at("class").offset,
                     "unknown class \"" + class_name + "\"; expected one such as \"wrong_result\"");
    }
    verdict.message = fields.text("message");
    verdict.phase = fields.text("phase");
    verdict.signal = static_cast<int>(fields.integer("signal", 0, 128));
    verdict.difference = read_difference(reader, fields.at("difference"));
    if (fields.find("lowered") != nullptr) { verdict.lowered = fields.text("lowered"); }
    verdict.validator = read_validation(reader, fields, "validator");
    verdict.all_sizes = read_validation(reader, fields, "all_sizes");
    if (fields.find("indices") != nullptr) { verdict.indices = fields.text("indices"); }
    if (fields.find("pass") != nullptr) { verdict.pass = fields.text("pass"); }
    if (const Node* warnings = fields.find("warnings")) { verdict.warnings = read_warnings(reader, *warnings); }
    return verdict;
}

std::string to_json(const verdict::Verdict& verdict, bool indented) { return dump(verdict_tree(verdict), indented); }

Result<verdict::Verdict> parse_verdict(std::string_view json, std::string_view file) {
    const auto document = cases::json::Document::parse(json, file);
    if (!document) { return fail(document.error()); }
    Reader reader(*document);
    verdict::Verdict verdict = read_verdict(reader, document->root());
    if (reader.failed()) { return fail(reader.first_error()); }
    return verdict;
}

}  // namespace haruspex::store
