#include "generators/random/names.h"

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "generators/sare/build.h"
#include "generators/sare/names.h"
#include "generators/sare/traverse.h"

namespace haruspex::random {
namespace {

class Renaming {
public:
    Renaming(Choices& choices, const Policy& policy, Program& program)
        : choices_(choices), policy_(policy), program_(program) {}

    void run() {
        sare::Algorithm& algorithm = program_.algorithm;
        for (std::string& name : algorithm.parameters) { name = variable(name); }
        for (sare::Input& input : algorithm.inputs) { input.name = tensor(input.name); }
        for (sare::Function& f : algorithm.functions) { tensor(f.name); }
        for (const sare::Function& f : algorithm.functions) {
            for (const std::string& name : f.variables) { variable(name); }
            for (const sare::UpdateDefinition& update : f.updates) {
                for (const auto& r : update.over) { variable(r.name); }
            }
        }
        algorithm.assumptions = sare::substitute(algorithm.assumptions, variables_);
        for (sare::Function& f : algorithm.functions) { rename(f); }
        for (sare::Output& output : algorithm.outputs) {
            output.tensor = tensor(output.tensor);
            for (sare::Span& span : output.box) {
                span.min = index(span.min);
                span.extent = index(span.extent);
            }
        }
        Intervals parameters;
        for (const auto& [name, values] : program_.parameters) { parameters.emplace(variable(name), values); }
        program_.parameters = std::move(parameters);
        std::map<std::string, cases::InputDomain> inputs;
        for (const auto& [name, domain] : program_.inputs) { inputs.emplace(tensor(name), domain); }
        program_.inputs = std::move(inputs);
    }

private:
    std::string draw() {
        constexpr std::array words{"i",   "j",      "n",      "row", "col",  "acc",
                                   "tmp", "result", "kernel", "buf", "host", "loop"};
        constexpr std::array bases{"f", "x", "y", "t", "in", "out"};
        constexpr std::array suffixes{
            "_s0",           "_s1", "_im", "_min", "_max",  "_extent", "_stride", "_buffer", "_extent_realized",
            "_min_required", "_o",  "_i",  "_u0",  "_intm", "_1"};
        constexpr std::array letters{"t", "v", "r", "s", "p", "m", "b", "x"};
        std::string name;
        switch (choices_.weighted(policy_.name)) {
            case 0: name = choices_.one_of(words); break;
            case 1: {
                name = choices_.one_of(bases);
                name += choices_.one_of(suffixes);
                break;
            }
            default: {
                name = choices_.one_of(letters);
                name += std::to_string(choices_.integer(0, 99, 0));
            }
        }
        // A choice source that has run out draws the same name again.
        std::string fresh = name;
        for (int number = 2; !sare::is_name(fresh) || !taken_.insert(fresh).second; ++number) {
            fresh = name + "_" + std::to_string(number);
        }
        return fresh;
    }

    std::string variable(const std::string& name) {
        const auto known = variables_.find(name);
        if (known != variables_.end()) { return std::get<sare::IndexVariable>(known->second.node).name; }
        std::string fresh = draw();
        variables_.emplace(name, sare::variable(fresh));
        return fresh;
    }
    std::string tensor(const std::string& name) {
        const auto known = tensors_.find(name);
        return known != tensors_.end() ? known->second : tensors_.emplace(name, draw()).first->second;
    }

    sare::Index index(const sare::Index& i) const { return sare::substitute(i, variables_); }
    sare::Expr expr(const sare::Expr& e) const {
        return sare::map_accesses(sare::substitute(e, variables_), [&](sare::Access access) {
            access.tensor = tensors_.at(access.tensor);
            return access;
        });
    }

    void rename(sare::Function& f) {
        f.name = tensor(f.name);
        for (std::string& name : f.variables) { name = variable(name); }
        for (sare::Expr& value : f.values) { value = expr(value); }
        for (sare::UpdateDefinition& update : f.updates) {
            for (auto& r : update.over) { r = {variable(r.name), index(r.min), index(r.extent)}; }
            for (sare::Index& i : update.target) { i = index(i); }
            for (sare::Expr& value : update.values) { value = expr(value); }
            update.where = sare::substitute(update.where, variables_);
        }
    }

    Choices& choices_;
    const Policy& policy_;
    Program& program_;
    sare::Substitution variables_;  // with parameters
    std::map<std::string, std::string> tensors_;
    std::set<std::string> taken_;
};

}  // namespace

void draw_names(Choices& choices, const Policy& policy, Program& program) {
    if (!program.outlined) { Renaming(choices, policy, program).run(); }
}

}  // namespace haruspex::random
