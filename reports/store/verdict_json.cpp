#include "reports/store/verdict_json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <vector>

#include "generators/base/numbers.h"
#include "reports/store/failed_check_json.h"
#include "reports/store/json_parts.h"
#include "reports/store/older_verdict.h"

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

nlohmann::ordered_json lowered_tree(const verdict::LoweredOutcome& lowered) {
    nlohmann::ordered_json tree{{"state", verdict::name(lowered.state)}};
    if (lowered.not_run) { tree["not_run"] = verdict::name(*lowered.not_run); }
    if (lowered.trouble) { tree["trouble"] = verdict::name(*lowered.trouble); }
    if (!lowered.error.empty()) { tree["error"] = lowered.error; }
    if (!lowered.detail.empty()) { tree["detail"] = lowered.detail; }
    if (!lowered.statement.empty()) { tree["statement"] = lowered.statement; }
    for (const auto& [variable, value] : lowered.position) {
        tree["position"].push_back({{"variable", variable}, {"value", value}});
    }
    return tree;
}

// Reads the enumerator with the name in this field; reports an error if there is none.
template <typename Parse>
auto read_enumerator(Reader& reader, const Node& node, const char* what, Parse parse) {
    const std::string text = reader.text(node);
    const auto value = parse(text);
    if (!value && !reader.failed()) { reader.error(node.offset, "unknown " + std::string(what) + " \"" + text + "\""); }
    using Value = typename decltype(parse(text))::value_type;
    return value.value_or(Value{});
}

verdict::LoweredOutcome read_lowered(Reader& reader, const Node& node) {
    verdict::LoweredOutcome lowered;
    if (const auto* line = std::get_if<std::string>(&node.value)) { return parse_older_lowered(*line); }
    Fields fields(reader, node, "what the lowered program shows", {"state"},
                  {"not_run", "trouble", "error", "detail", "statement", "position"});
    if (reader.failed()) { return lowered; }
    lowered.state = read_enumerator(reader, fields.at("state"), "state", verdict::parse_lowered_state);
    if (const Node* at = fields.find("not_run")) {
        lowered.not_run = read_enumerator(reader, *at, "reason", verdict::parse_not_run);
    }
    if (const Node* at = fields.find("trouble")) {
        lowered.trouble = read_enumerator(reader, *at, "kind of trouble", verdict::parse_trouble_kind);
    }
    if (fields.find("error") != nullptr) { lowered.error = fields.text("error"); }
    if (fields.find("detail") != nullptr) { lowered.detail = fields.text("detail"); }
    if (fields.find("statement") != nullptr) { lowered.statement = fields.text("statement"); }
    if (const Node* at = fields.find("position")) {
        for (const Node& element : reader.array(*at)) {
            Fields place(reader, element, "a loop's variable", {"variable", "value"});
            if (reader.failed()) { return lowered; }
            const std::string variable = place.text("variable");
            lowered.position.emplace_back(variable,
                                          static_cast<std::int64_t>(place.integer("value", smallest_i64, largest_i64)));
        }
    }
    return lowered;
}

nlohmann::ordered_json validation_tree(const verdict::Validation& validation) {
    nlohmann::ordered_json tree{{"outcome", verdict::name(validation.outcome)}};
    if (validation.outcome == verdict::Outcome::validated) {
        tree["sizes"] = validation.is_for_all_sizes ? "all" : "given";
        tree["floats"] = verdict::name(validation.floats);
        if (validation.premise) { tree["premise"] = *validation.premise; }
        if (validation.needs_proper_boxes) { tree["proper_boxes"] = true; }
        if (validation.needs_fitting_sums) { tree["fitting_sums"] = true; }
        return tree;
    }
    tree["cause"] = verdict::name(validation.cause);
    if (validation.obligation) { tree["obligation"] = verdict::name(*validation.obligation); }
    if (!validation.what.kind.empty()) { tree["kind"] = validation.what.kind; }
    if (!validation.what.detail.empty()) { tree["detail"] = validation.what.detail; }
    if (validation.refuted_at) { tree["refuted_at"] = *validation.refuted_at; }
    return tree;
}

std::optional<bool> parse_sizes(std::string_view text) {
    if (text == "all" || text == "given") { return text == "all"; }
    return std::nullopt;
}

Sizes read_sizes(Reader& reader, const Node& node) {
    Sizes sizes;
    for (const auto& [name, offset, size] : reader.object(node)) {
        sizes[name] = static_cast<std::int64_t>(reader.integer(size, smallest_i64, largest_i64));
    }
    return sizes;
}

std::optional<verdict::Validation> read_validation(Reader& reader, const Node* node) {
    if (node == nullptr) { return std::nullopt; }
    if (const auto* line = std::get_if<std::string>(&node->value)) {
        auto validation = parse_older_validation(*line);
        if (!validation) {
            reader.error(node->offset, "unknown answer of the validator \"" + *line +
                                           "\"; expected a line such as \"validated for all sizes\"");
        }
        return validation;
    }
    Fields fields(reader, *node, "what the validator says", {"outcome"},
                  {"sizes", "floats", "premise", "proper_boxes", "fitting_sums", "cause", "obligation", "kind",
                   "detail", "refuted_at"});
    verdict::Validation validation;
    if (reader.failed()) { return validation; }
    validation.outcome = read_enumerator(reader, fields.at("outcome"), "outcome", verdict::parse_outcome);
    if (const Node* at = fields.find("sizes")) {
        validation.is_for_all_sizes = read_enumerator(reader, *at, "sizes", parse_sizes);
    }
    if (const Node* at = fields.find("floats")) {
        validation.floats = read_enumerator(reader, *at, "floats", verdict::parse_floats);
    }
    if (fields.find("premise") != nullptr) { validation.premise = fields.text("premise"); }
    if (fields.find("proper_boxes") != nullptr) { validation.needs_proper_boxes = fields.boolean("proper_boxes"); }
    if (fields.find("fitting_sums") != nullptr) { validation.needs_fitting_sums = fields.boolean("fitting_sums"); }
    if (const Node* at = fields.find("cause")) {
        validation.cause = read_enumerator(reader, *at, "cause", verdict::parse_cause);
    }
    if (const Node* at = fields.find("obligation")) {
        validation.obligation = read_enumerator(reader, *at, "obligation", verdict::parse_obligation_kind);
    }
    if (fields.find("kind") != nullptr) { validation.what.kind = fields.text("kind"); }
    if (fields.find("detail") != nullptr) { validation.what.detail = fields.text("detail"); }
    if (const Node* at = fields.find("refuted_at")) { validation.refuted_at = read_sizes(reader, *at); }
    return validation;
}

nlohmann::ordered_json indices_tree(const verdict::IndexFit& fit) {
    nlohmann::ordered_json tree{{"sizes", fit.is_for_all_sizes ? "all" : "given"}, {"fit", fit.is_known}};
    if (fit.most_size) { tree["most_size"] = *fit.most_size; }
    return tree;
}

std::optional<verdict::IndexFit> read_indices(Reader& reader, const Node& node) {
    if (const auto* line = std::get_if<std::string>(&node.value)) {
        auto fit = parse_older_indices(*line);
        if (!fit) {
            reader.error(node.offset,
                         "unknown statement about indices \"" + *line + "\"; expected a line such as \"fit 32 bits\"");
        }
        return fit;
    }
    Fields fields(reader, node, "whether indices fit", {"sizes", "fit"}, {"most_size"});
    verdict::IndexFit fit;
    if (reader.failed()) { return fit; }
    fit.is_for_all_sizes = read_enumerator(reader, fields.at("sizes"), "sizes", parse_sizes);
    fit.is_known = fields.boolean("fit");
    if (fields.find("most_size") != nullptr) {
        fit.most_size = static_cast<std::int64_t>(fields.integer("most_size", 0, largest_i64));
    }
    return fit;
}

std::optional<verdict::PassInterval> read_pass(Reader& reader, const Node& node) {
    const std::string text = reader.text(node);
    auto pass = verdict::parse_pass_interval(text);
    if (!pass && !reader.failed()) {
        reader.error(node.offset,
                     "malformed interval of passes \"" + text + "\"; expected one such as \"(source, simplify.4]\"");
    }
    return pass;
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

// Whether a verdict has parts that older versions did not write, or wrote as lines.
bool has_newer_parts(const Fields& fields) {
    const auto is_object = [&](const char* key) {
        const Node* part = fields.find(key);
        return part != nullptr && std::holds_alternative<cases::json::Object>(part->value);
    };
    constexpr std::array objects{"lowered", "own_sizes", "all_sizes", "indices"};
    return fields.find("deadlock") != nullptr || fields.find("heap_write") != nullptr ||
           fields.find("failed_check") != nullptr || std::ranges::any_of(objects, is_object);
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
    if (verdict.hang == verdict::Hang::deadlock) { tree["deadlock"] = true; }
    if (verdict.failed_check) { tree["failed_check"] = failed_check_tree(*verdict.failed_check); }
    if (verdict.is_heap_write) { tree["heap_write"] = true; }
    if (verdict.lowered) { tree["lowered"] = lowered_tree(*verdict.lowered); }
    if (verdict.own_sizes) { tree["own_sizes"] = validation_tree(*verdict.own_sizes); }
    if (verdict.all_sizes) { tree["all_sizes"] = validation_tree(*verdict.all_sizes); }
    if (verdict.indices) { tree["indices"] = indices_tree(*verdict.indices); }
    if (verdict.pass) { tree["pass"] = to_string(*verdict.pass); }
    for (const verdict::Warning& warning : verdict.warnings) {
        tree["warnings"].push_back(
            {{"directive", warning.directive}, {"call", warning.call}, {"rule", warning.rule}, {"asks", warning.asks}});
    }
    return tree;
}

verdict::Verdict read_verdict(Reader& reader, const Node& node) {
    verdict::Verdict verdict;
    Fields fields(
        reader, node, "a verdict", {"class", "message", "phase", "signal", "difference"},
        {"failed_check", "deadlock", "heap_write", "lowered", "own_sizes", "all_sizes", "indices", "pass", "warnings",
         // The older name of own_sizes.
         "validator"});
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
    if (!has_newer_parts(fields)) { read_older_message(verdict); }
    if (const Node* check = fields.find("failed_check")) { verdict.failed_check = read_failed_check(reader, *check); }
    if (fields.find("deadlock") != nullptr && fields.boolean("deadlock")) { verdict.hang = verdict::Hang::deadlock; }
    if (fields.find("heap_write") != nullptr) { verdict.is_heap_write = fields.boolean("heap_write"); }
    if (const Node* lowered = fields.find("lowered")) { verdict.lowered = read_lowered(reader, *lowered); }
    const Node* own_sizes = fields.find("own_sizes");
    verdict.own_sizes = read_validation(reader, own_sizes != nullptr ? own_sizes : fields.find("validator"));
    verdict.all_sizes = read_validation(reader, fields.find("all_sizes"));
    if (const Node* indices = fields.find("indices")) { verdict.indices = read_indices(reader, *indices); }
    if (const Node* pass = fields.find("pass")) { verdict.pass = read_pass(reader, *pass); }
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
