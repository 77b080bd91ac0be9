#include "reports/render/cpp_algorithm.h"

#include <algorithm>
#include <set>

#include "generators/base/ensure.h"
#include "generators/sare/traverse.h"
#include "harness/halide/reduction_box.h"

namespace haruspex::render {
namespace {

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) { text += (text.empty() ? "" : ", ") + part; }
    return text;
}

bool is_true(const sare::Condition& condition) {
    const auto* truth = std::get_if<sare::Truth>(&condition.node);
    return truth != nullptr && truth->value;
}

// A recurrence variable that occurs nowhere would vanish from the definition, and its iterations with it.
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
    Definition definition{function.name, 0, ""};
    const std::string right = values(function.values, scope, definition, "");
    text_ += definition.helpers + "    Func " + identifier + "(" + string_literal(function.name) + ");\n    " +
             identifier + "(" + joined(arguments) + ") = " + right + ";\n";
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
        const std::string identifier = identifiers_.of("domain " + prefix, prefix, "r");
        std::vector<std::pair<std::string, std::string>> box;
        for (const sare::RecurrenceVariable& k : update.over) {
            box.emplace_back(cpp(k.min, parameters_).text, cpp(k.extent, parameters_).text);
        }
        std::string variables;
        for (std::size_t i = 0; i < update.over.size(); ++i) {
            const std::string& name = update.over[i].name;
            scope[name] = identifiers_.of("rvar " + prefix + " " + name, name, prefix);
            loops[name] = {scope[name], true};
            variables +=
                (i == 0 ? "    RVar " : ", ") + scope[name] + " = " + identifier + "[" + std::to_string(i) + "]";
        }
        text_ += domain(identifier, prefix, box, {}, scope) + variables + ";\n";
        for (const sare::Condition& conjunct : halide::conjuncts(update.where)) {
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
    Definition definition{prefix, 0, ""};
    const std::string right = values(update.values, scope, definition, tie ? scope.at(update.over[0].name) : "");
    text_ += definition.helpers + "    " + functions_.at(function.name) + "(" + joined(target) + ") = " + right + ";\n";
}

std::string AlgorithmWriter::values(const std::vector<sare::Expr>& values, const Scope& scope, Definition& definition,
                                    const std::string& tie) {
    std::vector<std::string> texts;
    for (const sare::Expr& e : values) { texts.push_back(value(e, scope, definition)); }
    if (!tie.empty()) { texts[0] = tied(tie, texts[0]); }
    return texts.size() == 1 ? texts[0] : "Tuple(" + joined(texts) + ")";
}

std::string AlgorithmWriter::value(const sare::Expr& e, const Scope& scope, Definition& definition) {
    const ValueWriter writer(
        [this](const sare::Access& access, const auto& indices) { return read(access, indices); },
        [&](const sare::Reduce& reduce, const Scope& inner) { return reduction(reduce, inner, definition); },
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

std::string AlgorithmWriter::domain(const std::string& identifier, const std::string& name,
                                    const std::vector<std::pair<std::string, std::string>>& box,
                                    const std::vector<sare::Condition>& filter, const Scope& scope) const {
    std::string text = "    RDom " + identifier + "(";
    for (const auto& [min, extent] : box) { text += min + ", " + extent + ", "; }
    text += string_literal(name) + ");\n";
    for (const sare::Condition& part : filter) {
        for (const sare::Condition& conjunct : halide::conjuncts(part)) {
            if (!is_true(conjunct)) { text += "    " + identifier + ".where(" + cpp(conjunct, scope).text + ");\n"; }
        }
    }
    return text;
}

// As Halide's own sum() and its like: helper(free...) = neutral; helper(free...) = helper(free...) op body over an
// RDom.
std::string AlgorithmWriter::reduction(const sare::Reduce& reduce, const Scope& scope, Definition& definition) {
    const std::set<std::string> parameters(algorithm_.parameters.begin(), algorithm_.parameters.end());
    const auto box = halide::reduction_box(reduce, parameters);
    if (!box) {
        fault_ = "a reduction's domain has no bounds over the parameters";
        return "0";
    }
    const std::string name =
        definition.prefix + "_" + std::string(value::spelling(reduce.op)) + std::to_string(definition.reductions++);
    const std::string identifier = identifiers_.of("function " + name, name, "f");
    const std::string domain_identifier = identifiers_.of("domain " + name, name + "_r", "r");

    // Halide's first variable runs fastest, a reduction's last.
    std::vector<std::pair<std::string, std::string>> sides;
    Scope inner = scope;
    for (auto& [variable, text] : inner) {
        if (!parameters.contains(variable)) { text = var(variable); }
    }
    std::set<std::string> used = sare::free_variables(*reduce.body);
    for (const sare::Condition& conjunct : box->remaining) { used.merge(sare::free_variables(conjunct)); }
    bool tie = true;
    for (std::size_t i = reduce.variables.size(); i-- > 0;) {
        const sare::Index extent = sare::Index{sare::IndexBinary{
            sare::IndexOp::add, sare::Index{sare::IndexBinary{sare::IndexOp::sub, box->max[i], box->min[i]}},
            sare::constant(1)}};
        sides.emplace_back(cpp(box->min[i], scope).text, cpp(extent, scope).text);
        inner[reduce.variables[i]] = domain_identifier + "[" + std::to_string(reduce.variables.size() - 1 - i) + "]";
        tie = tie && !used.contains(reduce.variables[i]);
    }
    definition.helpers += domain(domain_identifier, name + "_r", sides, box->remaining, inner);
    std::string body = value(*reduce.body, inner, definition);
    if (tie) { body = tied(domain_identifier + "[0]", body); }

    std::vector<std::string> arguments, actual;
    for (const auto& [variable, text] : scope) {
        const bool bound =
            std::find(reduce.variables.begin(), reduce.variables.end(), variable) != reduce.variables.end();
        if (used.contains(variable) && !parameters.contains(variable) && !bound) {
            arguments.push_back(inner.at(variable));
            actual.push_back(text);
        }
    }
    const value::Type type = sare::type_of(*reduce.body, types_);
    const auto neutral = value::neutral(reduce.op, type);
    ENSURE(neutral.has_value(), "a well-typed reduction has a neutral element");
    const std::string left = identifier + "(" + joined(arguments) + ")";
    std::string step = cpp_binary(value::binary_op(reduce.op), {left}, {body, Binding::logical_or, false}).text;
    if (strict_ && value::is_float(type)) { step = "strict_float(" + step + ")"; }
    definition.helpers += "    Func " + identifier + "(" + string_literal(name) + ");\n    " + left + " = " +
                          cpp_literal(*neutral) + ";\n    " + left + " = " + step + ";\n";
    return identifier + "(" + joined(actual) + ")";
}

}  // namespace haruspex::render
