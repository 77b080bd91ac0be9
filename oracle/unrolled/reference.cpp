#include "oracle/unrolled/reference.h"

#include "generators/base/ensure.h"
#include "generators/base/mix.h"
#include "generators/base/overload.h"

namespace haruspex::unrolled {
namespace {

using validator::Outcome;

template <typename T>
T known(std::optional<T> result) {
    if (!result) {
        throw GivenUp(verdict::obstructed(Outcome::undecided, verdict::Cause::feature,
                                          {"an index of the specification beyond 64 bits", {}}));
    }
    return *result;
}

}  // namespace

std::size_t Reference::Hash::operator()(const Key& key) const {
    std::uint64_t h = mix(reinterpret_cast<std::uintptr_t>(key.tensor) + static_cast<std::uint64_t>(key.component));
    for (const std::int64_t i : key.coordinates) { h = mix(h ^ static_cast<std::uint64_t>(i)); }
    return h;
}

Reference::Reference(const sare::Sare& sare, const Sizes& sizes, Values& values, std::uint64_t most_cells)
    : values_(values), cells_left_(most_cells) {
    for (const std::string& parameter : sare.parameters) { sizes_[parameter] = sizes.at(parameter); }
    for (const sare::Input& input : sare.inputs) { inputs_[input.name] = &input; }
    for (const sare::Tensor& tensor : sare.tensors) { tensors_[tensor.name] = &tensor; }
}

std::optional<std::size_t> Reference::rank(const std::string& tensor) const {
    if (const auto input = inputs_.find(tensor); input != inputs_.end()) {
        return static_cast<std::size_t>(input->second->rank);
    }
    const auto found = tensors_.find(tensor);
    return found == tensors_.end() ? std::nullopt : std::optional(found->second->variables.size());
}

std::size_t Reference::components(const std::string& tensor) const {
    const auto found = tensors_.find(tensor);
    ENSURE(found != tensors_.end(), "the specification has no tensor " + tensor);
    return found->second->types.size();
}

std::optional<Term> Reference::cell(const std::string& tensor, int component,
                                    const std::vector<std::int64_t>& coordinates) {
    if (rank(tensor) != coordinates.size() || component < 0) { return std::nullopt; }
    if (const auto input = inputs_.find(tensor); input != inputs_.end()) {
        if (component != 0) { return std::nullopt; }
        return values_.input({tensor, component, coordinates}, input->second->type);
    }
    const sare::Tensor* found = tensors_.at(tensor);
    if (static_cast<std::size_t>(component) >= found->types.size()) { return std::nullopt; }
    return demand({found, component, coordinates});
}

// Uses an explicit stack: recurrences may be deeper than the call stack.
Term Reference::demand(const Key& key) {
    std::vector<Key> asked{key};
    while (!asked.empty()) {
        const Key next = asked.back();
        if (!known_.contains(next)) {
            if (cells_left_ == 0) { out_of_budget("cells of the specification", false); }
            --cells_left_;
            missing_.clear();
            const auto v = value(next);
            if (!v) {
                asked.insert(asked.end(), missing_.begin(), missing_.end());
                continue;
            }
            known_.emplace(next, *v);
        }
        asked.pop_back();
    }
    return known_.at(key);
}

std::optional<Term> Reference::value(const Key& key) {
    sare::Environment here = sizes_;
    const sare::Tensor& tensor = *key.tensor;
    for (std::size_t d = 0; d < key.coordinates.size(); ++d) { here[tensor.variables[d]] = key.coordinates[d]; }
    const auto component = static_cast<std::size_t>(key.component);
    for (const sare::Equation& equation : tensor.equations) {
        if (known(sare::try_evaluate(equation.domain, here))) { return value(equation.values[component], here); }
    }
    return values_.literal(value::Value::undef(tensor.types[component]));
}

std::optional<Term> Reference::value(const sare::Expr& expr, const sare::Environment& here) {
    return std::visit(
        Overload{[&](const sare::Literal& n) -> std::optional<Term> { return values_.literal(n.value); },
                 [&](const sare::Embed& n) -> std::optional<Term> {
                     const std::int64_t index = known(sare::try_evaluate(n.index, here));
                     return values_.cast(n.type, values_.literal(value::Value::integer(value::Type::i64, index)));
                 },
                 [&](const sare::Guard& n) -> std::optional<Term> {
                     return values_.literal(value::Value::boolean(known(sare::try_evaluate(n.condition, here))));
                 },
                 [&](const sare::Access& n) { return access(n, here); },
                 [&](const sare::Unary& n) -> std::optional<Term> {
                     const auto a = value(*n.a, here);
                     return a ? std::optional(values_.apply(n.op, *a)) : std::nullopt;
                 },
                 [&](const sare::Binary& n) -> std::optional<Term> {
                     const auto a = value(*n.a, here), b = value(*n.b, here);
                     return a && b ? std::optional(values_.apply(n.op, *a, *b)) : std::nullopt;
                 },
                 [&](const sare::Select& n) -> std::optional<Term> {
                     const auto c = value(*n.condition, here), a = value(*n.if_true, here),
                                b = value(*n.if_false, here);
                     return c && a && b ? std::optional(values_.select(*c, *a, *b)) : std::nullopt;
                 },
                 [&](const sare::Cast& n) -> std::optional<Term> {
                     const auto a = value(*n.a, here);
                     return a ? std::optional(values_.cast(n.type, *a)) : std::nullopt;
                 },
                 [](const sare::Reduce&) -> std::optional<Term> { unsupported("reduction in the specification"); }},
        expr.node);
}

std::optional<Term> Reference::access(const sare::Access& access, const sare::Environment& here) {
    std::vector<std::int64_t> coordinates;
    for (const sare::Index& index : access.indices) { coordinates.push_back(known(sare::try_evaluate(index, here))); }
    if (const auto input = inputs_.find(access.tensor); input != inputs_.end()) {
        return values_.input({access.tensor, access.component, std::move(coordinates)}, input->second->type);
    }
    Key key{tensors_.at(access.tensor), access.component, std::move(coordinates)};
    if (const auto found = known_.find(key); found != known_.end()) { return found->second; }
    missing_.push_back(std::move(key));
    return std::nullopt;
}

}  // namespace haruspex::unrolled
