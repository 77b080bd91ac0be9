#include "generators/tensor/to_sare.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/sare/build.h"
#include "generators/tensor/dataflow.h"
#include "generators/tensor/wellformed.h"

namespace haruspex::tensor {

namespace {

using Indices = std::vector<sare::Index>;

// Hands out names that are not yet taken, nor reserved as "i8" is.
class Names {
public:
    explicit Names(std::set<std::string> taken) : taken_(std::move(taken)) {}

    std::string numbered(const std::string& stem, std::size_t number) {
        std::string name = stem + std::to_string(number);
        for (std::string underscores; !is_name(name) || !taken_.insert(name).second;) {
            underscores += '_';
            name = stem + underscores + std::to_string(number);
        }
        return name;
    }

private:
    std::set<std::string> taken_;
};

// The element of an expression at indices (Figure 12).
class Elements {
public:
    // `tensors`: the tensor or input that holds the content of each variable.
    Elements(const std::map<std::string, std::string>& tensors, const NodeTypes& types, Names names)
        : tensors_(tensors), types_(types), names_(std::move(names)) {}

    sare::Expr eval(const Expr& expr, const Indices& at) {
        return std::visit(
            Overload{[&](const Variable& n) { return sare::Expr{sare::Access{tensors_.at(n.name), at, 0}}; },
                     [&](const Elementwise& n) { return elementwise(n, at); },
                     [&](const Outer& n) { return outer(n, at); },
                     [&](const Contraction& n) { return contraction(n, at); },
                     [&](const Transposition& n) {
                         Indices inner = at;
                         std::swap(inner.at(static_cast<std::size_t>(n.dimensions.first - 1)),
                                   inner.at(static_cast<std::size_t>(n.dimensions.second - 1)));
                         return eval(*n.a, inner);
                     }},
            expr.node);
    }

private:
    sare::Expr elementwise(const Elementwise& n, const Indices& at) {
        const auto indices = [&](const Expr& operand) { return types_.at(&operand).is_scalar() ? Indices{} : at; };
        sare::Expr a = eval(*n.a, indices(*n.a));
        return sare::Expr{sare::Binary{binary_op(n.op), std::move(a), eval(*n.b, indices(*n.b))}};
    }

    sare::Expr outer(const Outer& n, const Indices& at) {
        const auto cut = at.begin() + static_cast<std::ptrdiff_t>(types_.at(&*n.a).extents.size());
        sare::Expr a = eval(*n.a, Indices(at.begin(), cut));
        return sare::Expr{sare::Binary{value::BinaryOp::mul, std::move(a), eval(*n.b, Indices(cut, at.end()))}};
    }

    sare::Expr contraction(const Contraction& n, const Indices& at) {
        const auto [low, high] = std::minmax(n.dimensions.first, n.dimensions.second);
        const sare::Index extent = types_.at(&*n.a).extents.at(static_cast<std::size_t>(n.dimensions.first - 1));
        const std::string name = names_.numbered("k", ++sums_);
        const sare::Index k = sare::variable(name);
        Indices inner = at;
        inner.insert(inner.begin() + (low - 1), k);
        inner.insert(inner.begin() + (high - 1), k);
        sare::Condition domain =
            sare::compare(sare::Relation::le, sare::constant(0), k) && sare::compare(sare::Relation::lt, k, extent);
        return sare::Expr{sare::Reduce{value::ReductionOp::sum, {name}, std::move(domain), eval(*n.a, inner)}};
    }

    const std::map<std::string, std::string>& tensors_;
    const NodeTypes& types_;
    Names names_;
    std::size_t sums_ = 0;
};

class Translator {
public:
    explicit Translator(const Program& program)
        : program_(program),
          context_(context_of(program)),
          extents_(extents_of(program)),
          names_(names_of(program)),
          tensor_names_(names_) {}

    std::expected<Translation, Untranslatable> translate() {
        sare::Sare& sare = translation_.sare;
        sare.name = program_.name;
        sare.parameters = program_.parameters;
        sare.assumptions = program_.assumptions;
        inputs();
        for (const Statement& s : program_.statements) { statement(s); }
        for (const std::string& name : outputs_of(program_)) { output(name); }
        return std::move(translation_);
    }

private:
    // All names of the program; the variables of equations differ from them.
    static std::set<std::string> names_of(const Program& program) {
        std::set<std::string> names(program.parameters.begin(), program.parameters.end());
        for (const Declaration& d : program.declarations) { names.insert(d.name); }
        return names;
    }

    void inputs() {
        for (const InitialRead& read : initial_reads(program_)) { initial_.insert(read.variable); }
        for (const std::string& name : outputs_of(program_)) {
            const auto assigns = [&](const Statement& s) { return s.target == name; };
            if (std::ranges::none_of(program_.statements, assigns)) { initial_.insert(name); }
        }
        for (const Declaration& d : program_.declarations) {
            if (!initial_.contains(d.name)) { continue; }
            translation_.sare.inputs.push_back({d.name, d.element, static_cast<int>(d.extents.size())});
            contents_[d.name] = d.name;
        }
        for (const Statement& s : program_.statements) { ++assignments_left_[s.target]; }
    }

    void statement(const Statement& s) {
        NodeTypes types;
        const auto type = type_of(s.value, context_, extents_, &types);
        ENSURE(type.has_value(), "only well-formed programs are translated");
        const bool last = --assignments_left_[s.target] == 0;
        const std::string name = last && !initial_.contains(s.target)
                                     ? s.target
                                     : tensor_names_.numbered(s.target + "_", ++versions_[s.target]);
        tensor(name, s.value, context_.at(s.target), types);
        contents_[s.target] = name;
    }

    void tensor(const std::string& name, const Expr& value, const TensorType& type, const NodeTypes& types) {
        Names variables(names_);
        sare::Tensor tensor{name, {type.element}, {}, {}};
        Indices at;
        for (std::size_t d = 1; d <= type.extents.size(); ++d) {
            tensor.variables.push_back(variables.numbered("i", d));
            at.push_back(sare::variable(tensor.variables.back()));
        }
        Elements elements(contents_, types, variables);
        tensor.equations.push_back({sare::truth(true), {elements.eval(value, at)}});
        translation_.sare.tensors.push_back(std::move(tensor));
    }

    void output(const std::string& name) {
        const TensorType& type = context_.at(name);
        if (contents_.at(name) == name && initial_.contains(name)) {
            const Expr copy{Variable{name}};
            const std::string tensor_name = tensor_names_.numbered(name + "_", ++versions_[name]);
            tensor(tensor_name, copy, type, {{&copy, type}});
            contents_[name] = tensor_name;
        }
        sare::Output output{contents_.at(name), {}};
        for (const sare::Index& extent : type.extents) { output.box.push_back({sare::constant(0), extent}); }
        translation_.outputs[name] = output.tensor;
        translation_.sare.outputs.push_back(std::move(output));
    }

    const Program& program_;
    Context context_;
    Extents extents_;
    std::set<std::string> names_;
    Names tensor_names_;
    std::set<std::string> initial_;  // the variables that become inputs
    std::map<std::string, std::string> contents_;
    std::map<std::string, std::size_t> assignments_left_, versions_;
    Translation translation_;
};

}  // namespace

std::string to_string(const Untranslatable& what) {
    switch (what.reason) {
        case Untranslatable::Reason::uninitialised_read:
            return fmt::format("statement {} reads \"{}\", which is neither assigned before it nor an input",
                               what.statement + 1, what.variable);
        case Untranslatable::Reason::uninitialised_output:
            return fmt::format("output \"{}\" is neither assigned nor an input", what.variable);
        case Untranslatable::Reason::no_output: return "the program has no output";
    }
    raise_internal_error(__FILE__, __LINE__, "no such reason");
}

std::expected<Translation, Untranslatable> to_sare(const Program& program) {
    using Reason = Untranslatable::Reason;
    const auto refuse = [](Reason reason, std::string variable = {}, std::size_t statement = 0) {
        return std::unexpected(Untranslatable{reason, std::move(variable), statement});
    };
    if (const auto read = uninitialised_reads(program); !read.empty()) {
        return refuse(Reason::uninitialised_read, read.front().variable, read.front().statement);
    }
    const std::vector<std::string> outputs = outputs_of(program);
    if (outputs.empty()) { return refuse(Reason::no_output); }
    const bool qualified = std::ranges::any_of(program.declarations, &Declaration::input);
    for (const Declaration& d : program.declarations) {
        const auto assigns = [&](const Statement& s) { return s.target == d.name; };
        if (std::ranges::find(outputs, d.name) != outputs.end() && qualified && !d.input &&
            std::ranges::none_of(program.statements, assigns)) {
            return refuse(Reason::uninitialised_output, d.name);
        }
    }
    return Translator(program).translate();
}

}  // namespace haruspex::tensor
