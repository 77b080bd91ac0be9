#include "reports/render/halide/cpp_algorithm.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "generators/base/ensure.h"
#include "generators/sare/outline.h"
#include "generators/sare/reduction_box.h"
#include "generators/sare/traverse.h"
#include "reports/render/words.h"

namespace haruspex::render::halide {
namespace {

bool is_true(const sare::Condition& condition) {
    const auto* truth = std::get_if<sare::Truth>(&condition.node);
    return truth != nullptr && truth->value;
}

// Returns how a variable of an RDom is accessed: ".x".
std::string member(std::size_t number) {
    static constexpr const char* names[] = {".x", ".y", ".z", ".w"};
    return number < 4 ? names[number] : "[" + std::to_string(number) + "]";
}

// Returns an int literal that can be the whole value of a definition: Halide makes an Expr of an int, not of a bool.
std::optional<std::string> bare_literal(const sare::Expr& e) {
    const auto* literal = std::get_if<sare::Literal>(&e.node);
    if (literal == nullptr) { return std::nullopt; }
    const value::Value& v = literal->value;
    const bool is_int = v.type() == value::Type::i32 && v.as_signed() > std::numeric_limits<std::int32_t>::min();
    return is_int ? std::optional(plain_value(v)) : std::nullopt;
}

// Ties a value to a recurrence variable: one that occurs nowhere would vanish from the definition, with its iterations.
std::string tied(const std::string& variable, const std::string& value) {
    return "select(" + variable + " == " + variable + ", " + value + ", " + value + ")";
}

}  // namespace

AlgorithmWriter::AlgorithmWriter(Identifiers& identifiers, const sare::Algorithm& algorithm, bool strict)
    : identifiers_(identifiers), algorithm_(algorithm), strict_(strict) {
    for (const sare::Input& input : algorithm.inputs) { types_[input.name] = {input.type}; }
    for (const sare::Function& function : algorithm.functions) { types_[function.name] = function.types; }
}

Result<void> AlgorithmWriter::write() {
    for (const std::string& name : algorithm_.parameters) {
        parameters_[name] = identifiers_.of("parameter " + name, name, "p");
    }
    for (const sare::Input& input : algorithm_.inputs) {
        inputs_[input.name] = identifiers_.of("input " + input.name, input.name, "in");
    }
    for (const sare::Function& function : algorithm_.functions) {
        functions_[function.name] = identifiers_.of("function " + function.name, function.name, "f");
    }
    for (const sare::Function& function : algorithm_.functions) {
        define(function);
        for (std::size_t n = 0; n < function.updates.size(); ++n) { update(function, static_cast<int>(n)); }
    }
    if (!fault_.empty()) { return fail("not expressible in Halide: " + fault_); }
    return {};
}

std::string AlgorithmWriter::var(const std::string& name) {
    const std::string identifier = identifiers_.of("var " + name, name, "v");
    vars_[identifier] = name;
    return identifier;
}

void AlgorithmWriter::define(const sare::Function& function) {
    const std::string& identifier = functions_.at(function.name);
    Scope scope = parameters_;
    LoopNames& loops = loops_[{function.name, 0}];
    std::vector<std::string> arguments;
    for (const std::string& name : function.variables) {
        arguments.push_back(var(name));
        scope[name] = arguments.back();
        loops[name] = {arguments.back(), false};
    }
    const std::string right = values(function.values, scope, "");
    text_ += "    Func " + identifier + "(" + string_literal(function.name) + ");\n    " + identifier + "(" +
             joined(arguments) + ") = " + right + ";\n";
}

void AlgorithmWriter::update(const sare::Function& function, int number) {
    const sare::UpdateDefinition& update = function.updates[static_cast<std::size_t>(number)];
    const std::string prefix = function.name + "_u" + std::to_string(number);
    Scope scope = parameters_;
    LoopNames& loops = loops_[{function.name, number + 1}];
    for (const std::string& name : function.variables) {
        scope[name] = var(name);
        loops[name] = {scope[name], false};
    }
    if (!update.over.empty()) {
        // A user of Halide writes r and r.x: an RDom of one variable is that variable.
        const bool is_single = update.over.size() == 1;
        const std::string domain = is_single ? update.over[0].name : "r";
        const std::string identifier = identifiers_.of("domain " + prefix, domain, prefix);
        std::string box;
        for (std::size_t i = 0; i < update.over.size(); ++i) {
            const sare::RecurrenceVariable& k = update.over[i];
            box += cpp(k.min, parameters_).text + ", " + cpp(k.extent, parameters_).text + ", ";
            scope[k.name] = is_single ? identifier : identifier + member(i);
            loops[k.name] = {scope[k.name], true};
        }
        text_ += "    RDom " + identifier + "(" + box + string_literal(prefix) + ");\n";
        for (const sare::Condition& conjunct : sare::conjuncts(update.where)) {
            if (!is_true(conjunct)) { text_ += "    " + identifier + ".where(" + cpp(conjunct, scope).text + ");\n"; }
        }
    } else if (!is_true(update.where)) {
        fault_ = prefix + " has a filter and no recurrence variable";
    }
    std::set<std::string> used;
    std::vector<std::string> target;
    for (const sare::Index& index : update.target) {
        target.push_back(cpp(index, scope).text);
        used.merge(sare::free_variables(index));
    }
    for (const sare::Expr& e : update.values) { used.merge(sare::free_variables(e)); }
    const bool tie = !update.over.empty() && std::none_of(update.over.begin(), update.over.end(),
                                                          [&](const auto& k) { return used.contains(k.name); });
    const std::string right = values(update.values, scope, tie ? scope.at(update.over[0].name) : "");
    text_ += "    " + functions_.at(function.name) + "(" + joined(target) + ") = " + right + ";\n";
}

std::string AlgorithmWriter::values(const std::vector<sare::Expr>& values, const Scope& scope, const std::string& tie) {
    std::vector<std::string> texts;
    for (const sare::Expr& e : values) { texts.push_back(value(e, scope)); }
    if (values.size() == 1 && tie.empty()) { return bare_literal(values[0]).value_or(texts[0]); }
    if (!tie.empty()) { texts[0] = tied(tie, texts[0]); }
    return texts.size() == 1 ? texts[0] : "Tuple(" + joined(texts) + ")";
}

std::string AlgorithmWriter::value(const sare::Expr& e, const Scope& scope) {
    bool is_outlined = true;
    sare::for_each_reduction(e, [&](const auto&, const auto&) { is_outlined = false; });
    if (!is_outlined) {
        fault_ = sare::why_inline;
        return "0";
    }
    const ValueWriter writer([this](const sare::Access& access, const auto& indices) { return read(access, indices); },
                             [this](const sare::Expr& part) { return sare::type_of(part, types_); });
    const std::string text = writer.write(e, scope).text;
    return strict_ && writer.mentions_float(e) ? "strict_float(" + text + ")" : text;
}

std::string AlgorithmWriter::read(const sare::Access& access, const std::vector<std::string>& indices) const {
    const auto input = inputs_.find(access.tensor);
    if (input != inputs_.end()) { return input->second + "(" + joined(indices) + ")"; }
    const std::string call = functions_.at(access.tensor) + "(" + joined(indices) + ")";
    return types_.at(access.tensor).size() == 1 ? call : call + "[" + std::to_string(access.component) + "]";
}

}  // namespace haruspex::render::halide
