#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "generators/affine/parameters.h"
#include "oracle/validator/evaluation/evaluation.h"
#include "tests/oracle/validator/support.h"

// Puts a program through both evaluations; expected results are in isl's notation.
namespace haruspex::validator {

inline const char* const rules_specification = R"(sare rules(N) assuming N >= 0 {
  input A : i32[1]
  input B : i32[2]
  input C : bool[1]
  F(x) = A(x)
  G(x) = A(x) + 1
  H(x, y) = B(x, y)
  output F on { [x] : 0 <= x < N }
})";

inline const char* const rules_arrays =
    "input a for A : i32[N]; input b for B : i32[N, N]; input c for C : bool[N]; output f for F : i32[N]; "
    "output h for H : i32[N, N]; ";

class Rules {
public:
    // `inputs` names arrays that become inputs, whatever the text says.
    explicit Rules(const std::string& body, const std::string& arrays = rules_arrays,
                   const std::vector<std::string>& inputs = {})
        : specified_(rules_specification),
          program_(parsed_program("sched rules(N) { " + arrays + body + " }")),
          evaluation_(specified_.context.ctx(), templates_, specified_.specification.signatures(), garbage_,
                      accumulations_) {
        for (const auto& [name, signature] : specified_.specification.signatures()) {
            names_["$" + name] = templates_.cell(name, 0, signature.types[0], signature.rank);
        }
        names_["$uninit"] = templates_.uninit(value::Type::i32);
        names_["$unknown"] = templates_.unknown(value::Type::i32);
        names_["$embed"] = templates_.embed(value::Type::i32);
        for (sched::Array& array : program_.arrays) {
            if (std::ranges::count(inputs, array.name) > 0) { array.role = sched::Role::input; }
        }
        evaluation_.enter(program_, specified_.specification.assumptions());
        delta_ = heap::whole(specified_.context.ctx(), evaluation_.prophetic(program_.body));
        obligations_ = evaluation_.symbolic(program_.body);
    }

    heap::Templates& templates() { return templates_; }
    const sched::Program& program() const { return program_; }
    const Scope& scope() const { return evaluation_.scope(); }
    heap::Template cell(const std::string& tensor) const { return names_.at("$" + tensor); }
    heap::Template literal(std::int32_t number) {
        return templates_.literal(value::Value::integer(value::Type::i32, number));
    }
    // Lets $name stand for the template from now on.
    void call(const std::string& name, heap::Template t) { names_["$" + name] = t; }

    heap::Heap heap(const std::string& text) const { return heap::Heap(specified_.context.ctx(), with_names(text)); }
    heap::Value value(const std::string& text) const { return heap::Value(specified_.context.ctx(), with_names(text)); }
    isl::set set(const std::string& text) const { return specified_.set(text); }

    // Whether Δh of the program is `expected` wherever Γ holds.
    bool leaves(const std::string& expected) const {
        const isl::set context = scope().context();
        return delta_->intersect_params(context).is_equal(heap(expected).intersect_params(context));
    }
    // Whether obligations of this kind are violated exactly at the sizes `expected`.
    bool breaks(Kind kind, const std::string& expected) const {
        isl::set found = affine::nowhere(specified_.context.ctx());
        for (const Obligation& obligation : obligations_) {
            if (obligation.kind == kind && obligation.violations) { found = found.unite((*obligation.violations)()); }
        }
        for (const std::string& variable : affine::parameters(found)) {
            if (variable != "N") { found = affine::project_out(found, variable); }
        }
        return found.is_equal(set(expected).intersect(scope().context()));
    }
    bool breaks_nothing() const {
        return std::ranges::all_of(obligations_, [](const Obligation& obligation) {
            return !obligation.violations || (*obligation.violations)().is_empty();
        });
    }
    std::vector<Equation> equations(Kind kind) const {
        std::vector<Equation> found;
        for (const Obligation& obligation : obligations_) {
            if (obligation.kind == kind && obligation.equation) { found.push_back((*obligation.equation)()); }
        }
        return found;
    }
    bool is(const Equation& equation, const std::string& specification, const std::string& implementation,
            const std::string& environments) const {
        const isl::set where = equation.environments;
        return where.is_equal(set(environments)) &&
               equation.specification.intersect_params(where).is_equal(value(specification).intersect_params(where)) &&
               equation.implementation.intersect_params(where).is_equal(value(implementation).intersect_params(where));
    }

private:
    std::string with_names(std::string text) const {
        // Longer names first, since one may begin with another.
        for (auto name = names_.rbegin(); name != names_.rend(); ++name) {
            for (std::size_t at = text.find(name->first); at != std::string::npos; at = text.find(name->first, at)) {
                text.replace(at, name->first.size(), heap::Templates::tuple_name(name->second));
            }
        }
        return text;
    }

    Specified specified_;
    sched::Program program_;
    heap::Templates templates_;
    Garbage garbage_;
    Accumulations accumulations_;
    std::map<std::string, heap::Template> names_;
    Evaluation evaluation_;
    std::optional<heap::Heap> delta_;
    std::vector<Obligation> obligations_;
};

}  // namespace haruspex::validator
