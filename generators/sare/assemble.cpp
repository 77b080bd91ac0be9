#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "generators/base/ensure.h"
#include "generators/sare/build.h"
#include "generators/sare/items.h"
#include "generators/sare/names.h"
#include "generators/sare/staging.h"

namespace haruspex::sare {

namespace {

class Assembler {
public:
    Assembler(RawSystem& system, Tokens& tokens) : system_(system), tokens_(tokens) {}

    void run() {
        for (const Input& input : system_.sare.inputs) {
            signatures_[input.name] = {{input.type}, static_cast<std::size_t>(std::max(input.rank, 0))};
        }
        for (const RawTensor& tensor : system_.tensors) {
            if (taken(tensor.name)) { tokens_.report(place(tensor), already_used(tensor.name)); }
            sign(tensor);
        }
        // From top to bottom, so that each first equation reads tensors with known types.
        for (const RawTensor& tensor : system_.tensors) {
            if (tokens_.failed()) { return; }
            if (signatures_.at(tensor.name).types.empty()) { infer(tensor); }
        }
        for (const RawTensor& tensor : system_.tensors) {
            if (tokens_.failed()) { return; }
            build(tensor);
        }
    }

private:
    // Whether a parameter or an input has the name.
    bool taken(const std::string& name) const {
        const Sare& sare = system_.sare;
        return std::find(sare.parameters.begin(), sare.parameters.end(), name) != sare.parameters.end() ||
               std::any_of(sare.inputs.begin(), sare.inputs.end(),
                           [&](const Input& input) { return input.name == name; });
    }

    static std::size_t place(const RawTensor& tensor) {
        if (!tensor.equations.empty()) { return tensor.equations.front().offset; }
        return tensor.declaration ? tensor.declaration->offset : tensor.updates.front().offset;
    }

    // Enters the facts about a tensor that do not depend on values: rank, and types if they are written.
    void sign(const RawTensor& tensor) {
        if (tensor.equations.empty()) {
            tokens_.report(place(tensor), fmt::format("\"{}\" has no equation; expected at least one", tensor.name));
            return;
        }
        const RawEquation& first = tensor.equations.front();
        Signature signature{{}, first.variables.size()};
        if (tensor.declaration) {
            signature.types = tensor.declaration->types;
            if (static_cast<std::size_t>(tensor.declaration->rank) != first.variables.size()) {
                tokens_.report(first.offset, wrong_rank(tensor.name, static_cast<std::size_t>(tensor.declaration->rank),
                                                        "variable", "variables", first.variables.size()));
            }
        }
        for (const RawEquation& equation : tensor.equations) {
            if (equation.variables != first.variables) {
                tokens_.report(equation.offset,
                               fmt::format("expected the variables of the first equation of \"{}\": {}", tensor.name,
                                           list(first.variables)));
            }
            if (!equation.types) { continue; }
            if (!signature.types.empty() && signature.types != *equation.types) {
                tokens_.report(equation.offset, fmt::format("expected the types that \"{}\" already has", tensor.name));
            }
            signature.types = *equation.types;
        }
        for (const RawUpdate& update : tensor.updates) { sign(tensor, update); }
        if (!tensor.updates.empty()) {
            signatures_[stage_name(tensor.name, 0)] = signature;
            for (std::size_t s = 1; s <= tensor.updates.size(); ++s) {
                signatures_[stage_name(tensor.name, s)] = {signature.types,
                                                           signature.rank + tensor.updates[s - 1].over.size()};
            }
        }
        signatures_[tensor.name] = signature;
    }

    void sign(const RawTensor& tensor, const RawUpdate& update) {
        const RawEquation& first = tensor.equations.front();
        if (!is_name(tensor.name)) {
            tokens_.report(update.offset,
                           fmt::format("\"{}\" is a stage of another tensor; expected one that is not", tensor.name));
        }
        if (tensor.equations.size() > 1 || first.domain != truth(true)) {
            tokens_.report(
                update.offset,
                fmt::format("\"{}\" has updates; expected one pure definition before them, which is a single "
                            "equation without \"if\"",
                            tensor.name));
        }
        if (update.target.size() != first.variables.size()) {
            tokens_.report(update.offset,
                           wrong_rank(tensor.name, first.variables.size(), "index", "indices", update.target.size()));
        }
    }

    void infer(const RawTensor& tensor) {
        std::vector<value::Type> types;
        for (const RawExpr& value : tensor.equations.front().values) {
            types.push_back(elaborate(value, std::nullopt, signatures_, tokens_).type);
        }
        signatures_[tensor.name].types = types;
        for (std::size_t s = 0; !tensor.updates.empty() && s <= tensor.updates.size(); ++s) {
            signatures_[stage_name(tensor.name, s)].types = types;
        }
    }

    std::vector<Expr> values(const std::string& name, const std::vector<RawExpr>& raw, std::size_t offset) {
        const std::vector<value::Type>& types = signatures_.at(name).types;
        std::vector<Expr> values;
        if (raw.size() != types.size()) {
            tokens_.report(offset, fmt::format("expected {} {} of \"{}\", found {}", types.size(),
                                               types.size() == 1 ? "value" : "values", name, raw.size()));
            return values;
        }
        for (std::size_t i = 0; i < raw.size(); ++i) {
            values.push_back(elaborate(raw[i], types[i], signatures_, tokens_).expr);
        }
        return values;
    }

    void build(const RawTensor& raw) {
        const std::vector<value::Type>& types = signatures_.at(raw.name).types;
        const std::vector<std::string>& variables = raw.equations.front().variables;
        Tensor tensor{raw.name, types, variables, {}};
        for (std::size_t i = 0; i < raw.equations.size(); ++i) {
            const RawEquation& equation = raw.equations[i];
            system_.places[Subject{Subject::Kind::equation, raw.name, i}] = equation.offset;
            tensor.equations.push_back({equation.domain, values(raw.name, equation.values, equation.offset)});
        }
        if (raw.updates.empty()) {
            system_.sare.tensors.push_back(std::move(tensor));
            return;
        }
        Function function{raw.name, types, variables, std::move(tensor.equations.front().values), {}};
        for (const RawUpdate& update : raw.updates) {
            function.updates.push_back(
                {update.over, update.target, values(raw.name, update.values, update.offset), update.where});
            system_.places.emplace(Subject{Subject::Kind::update, raw.name, function.updates.size()}, update.offset);
        }
        for (std::size_t s = 0; s <= raw.updates.size(); ++s) {
            system_.places.emplace(Subject{Subject::Kind::equation, stage_name(raw.name, s), 0},
                                   raw.equations.front().offset);
        }
        if (tokens_.failed()) { return; }
        StagedFunction staged = stage(function);
        std::move(staged.tensors.begin(), staged.tensors.end(), std::back_inserter(system_.sare.tensors));
        system_.sare.stagings.push_back(std::move(*staged.staging));
    }

    RawSystem& system_;
    Tokens& tokens_;
    Signatures signatures_;
};

}  // namespace

RawTensor& RawSystem::tensor(const std::string& name) {
    const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const RawTensor& t) { return t.name == name; });
    if (found != tensors.end()) { return *found; }
    tensors.push_back({name, {}, {}, {}});
    return tensors.back();
}

void assemble(RawSystem& system, Tokens& tokens) { Assembler(system, tokens).run(); }

}  // namespace haruspex::sare
