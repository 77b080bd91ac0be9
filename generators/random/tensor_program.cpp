#include "generators/random/tensor_program.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <variant>
#include <vector>

#include "generators/base/ensure.h"
#include "generators/random/domains.h"
#include "generators/sare/build.h"
#include "generators/sare/fold.h"
#include "generators/sare/outline.h"
#include "generators/sare/staging.h"
#include "generators/sare/traverse.h"
#include "generators/tensor/dataflow.h"
#include "generators/tensor/from_sare.h"
#include "generators/tensor/to_sare.h"

namespace haruspex::random {
namespace {

using tensor::ElementOp;
using tensor::Expr;
using value::Type;
using Extents = std::vector<sare::Index>;

sare::Condition at_least_one(const std::vector<std::string>& parameters) {
    sare::Condition all = sare::truth(true);
    for (const std::string& p : parameters) {
        all = all && sare::compare(sare::Relation::ge, sare::variable(p), sare::constant(1));
    }
    return all;
}

class TensorBuilder {
public:
    TensorBuilder(Choices& choices, const TensorPolicy& policy, Type element)
        : choices_(choices), policy_(policy), element_(element) {}

    tensor::Program program() {
        program_.name = "random";
        program_.parameters = {"N", "M"};
        program_.assumptions = at_least_one(program_.parameters);
        qualified_ = choices_.boolean(policy_.qualified_per_mille);
        choices_.sequence(1, policy_.most_statements, policy_.another_statement_per_mille,
                          [&](std::size_t) { statement(); });
        if (!qualified_) { return std::move(program_); }
        const std::string last = program_.statements.back().target;
        for (tensor::Declaration& d : program_.declarations) {
            d.output = d.name == last || (is_tensor(d) && choices_.boolean(policy_.another_output_per_mille));
        }
        return std::move(program_);
    }

private:
    static bool is_tensor(const tensor::Declaration& d) { return d.name.front() == 't'; }
    static bool is_divisor(const tensor::Declaration& d) { return d.name.front() == 'd'; }

    sare::Index extent() {
        switch (choices_.weighted(policy_.extent)) {
            case 0: return sare::constant(2);
            case 1: return sare::constant(3);
            case 2: return sare::variable("N");
            case 3: return sare::variable("M");
            default: return sare::variable("N") + sare::constant(1);
        }
    }

    Extents extents() {
        Extents drawn;
        if (!choices_.boolean(policy_.first_dimension_per_mille)) { return drawn; }
        choices_.sequence(1, policy_.most_rank, policy_.another_dimension_per_mille,
                          [&](std::size_t) { drawn.push_back(extent()); });
        return drawn;
    }

    void statement() {
        // A target that exists already may be read in its own assignment.
        std::vector<std::size_t> known;
        for (std::size_t d = 0; d < program_.declarations.size(); ++d) {
            const tensor::Declaration& declared = program_.declarations[d];
            if (is_divisor(declared)) { continue; }
            if (is_tensor(declared) || choices_.boolean(policy_.input_assigned_per_mille)) { known.push_back(d); }
        }
        if (!known.empty() && choices_.boolean(policy_.assigned_again_per_mille)) {
            const tensor::Declaration target = program_.declarations[choices_.one_of(known)];
            program_.statements.push_back({target.name, whole(target.extents)});
            return;
        }
        const Extents type = extents();
        Expr value = whole(type);
        const std::string name = "t" + std::to_string(tensors_++);
        program_.declarations.push_back({name, element_, type, false, false});
        program_.statements.push_back({name, std::move(value)});
    }

    Expr leaf(const Extents& type) {
        return known_or_new(type, [](const tensor::Declaration&) { return true; }, "x", inputs_);
    }

    template <typename Serves>
    Expr known_or_new(const Extents& type, Serves serves, const std::string& stem, int& number) {
        std::vector<std::string> known;
        for (const tensor::Declaration& d : program_.declarations) {
            if (d.extents == type && serves(d)) { known.push_back(d.name); }
        }
        if (!known.empty() && choices_.boolean(policy_.known_leaf_per_mille)) {
            return Expr{tensor::Variable{choices_.one_of(known)}};
        }
        const std::string name = stem + std::to_string(number++);
        program_.declarations.push_back({name, element_, type, qualified_, false});
        return Expr{tensor::Variable{name}};
    }

    Expr divisor(const Extents& type, int depth) {
        return policy_.divisors_are_inputs ? known_or_new(type, is_divisor, "d", divisors_) : expr(type, depth);
    }

    // The right-hand side of a statement.
    Expr whole(const Extents& type) {
        if (choices_.boolean(policy_.plain_statement_per_mille)) { return expr(type, policy_.depth); }
        Weights<tensor_forms> forms = policy_.form;
        forms[static_cast<std::size_t>(TensorForm::leaf)] = 0;
        if (type.size() + 2 > policy_.most_inner_rank) { forms[static_cast<std::size_t>(TensorForm::contraction)] = 0; }
        if (type.size() < 2) { forms[static_cast<std::size_t>(TensorForm::transposition)] = 0; }
        const bool any = std::ranges::any_of(forms, [](int weight) { return weight > 0; });
        return any ? expr(type, policy_.depth, forms) : expr(type, policy_.depth);
    }

    Expr expr(const Extents& type, int depth) { return expr(type, depth, policy_.form); }
    Expr expr(const Extents& type, int depth, const Weights<tensor_forms>& forms) {
        if (depth <= 0) { return leaf(type); }
        switch (static_cast<TensorForm>(choices_.weighted(forms))) {
            case TensorForm::leaf: return leaf(type);
            case TensorForm::elementwise: return elementwise(type, depth - 1);
            case TensorForm::scaling: return scaling(type, depth - 1);
            case TensorForm::outer: return outer(type, depth - 1);
            case TensorForm::contraction: return contraction(type, depth - 1);
            case TensorForm::transposition: return transposition(type, depth - 1);
        }
        raise_internal_error(__FILE__, __LINE__, "no such form");
    }

    Expr elementwise(const Extents& type, int depth) {
        const auto op = static_cast<ElementOp>(choices_.integer(0, policy_.divides ? 3 : 2));
        Box<Expr> a = expr(type, depth);
        Box<Expr> b = op == ElementOp::div ? divisor(type, depth) : expr(type, depth);
        return Expr{tensor::Elementwise{op, std::move(a), std::move(b)}};
    }

    Expr scaling(const Extents& type, int depth) {
        if (policy_.divides && choices_.boolean(policy_.scalar_divisor_per_mille)) {
            Box<Expr> a = expr(type, depth);
            return Expr{tensor::Elementwise{ElementOp::div, std::move(a), divisor({}, depth)}};
        }
        Box<Expr> a = expr({}, depth);
        return Expr{tensor::Elementwise{ElementOp::mul, std::move(a), expr(type, depth)}};
    }

    Expr outer(const Extents& type, int depth) {
        const auto cut = choices_.integer(0, static_cast<std::int64_t>(type.size()));
        Box<Expr> a = expr(Extents(type.begin(), type.begin() + cut), depth);
        return Expr{tensor::Outer{std::move(a), expr(Extents(type.begin() + cut, type.end()), depth)}};
    }

    Expr contraction(const Extents& type, int depth) {
        if (type.size() + 2 > policy_.most_inner_rank) { return leaf(type); }
        const auto rank = static_cast<std::int64_t>(type.size());
        const std::int64_t low = choices_.integer(0, rank);
        const std::int64_t high = choices_.integer(low + 1, rank + 1);
        Extents inner = type;
        const sare::Index summed = extent();
        inner.insert(inner.begin() + low, summed);
        inner.insert(inner.begin() + high, summed);
        tensor::Pair pair{static_cast<int>(low) + 1, static_cast<int>(high) + 1};
        if (choices_.boolean(policy_.swapped_pair_per_mille)) { std::swap(pair.first, pair.second); }
        return Expr{tensor::Contraction{expr(inner, depth), pair}};
    }

    Expr transposition(const Extents& type, int depth) {
        if (type.size() < 2) { return leaf(type); }
        const auto rank = static_cast<std::int64_t>(type.size());
        const std::int64_t first = choices_.integer(0, rank - 1);
        const std::int64_t second = (first + choices_.integer(1, rank - 1)) % rank;
        Extents inner = type;
        std::swap(inner[static_cast<std::size_t>(first)], inner[static_cast<std::size_t>(second)]);
        const tensor::Pair pair{static_cast<int>(first) + 1, static_cast<int>(second) + 1};
        return Expr{tensor::Transposition{expr(inner, depth), pair}};
    }

    Choices& choices_;
    const TensorPolicy& policy_;
    Type element_;
    tensor::Program program_;
    bool qualified_ = false;
    int inputs_ = 0, tensors_ = 0, divisors_ = 0;
};

// Removes statements, declarations and parameters that no output depends on: they would only be noise.
tensor::Program without_noise(const tensor::Program& drawn) {
    tensor::Program program = tensor::eliminate_dead_code(drawn);
    std::set<std::string> used;
    for (const tensor::Statement& s : program.statements) {
        used.insert(s.target);
        used.merge(tensor::reads(s.value));
    }
    std::erase_if(program.declarations, [&](const tensor::Declaration& d) { return !used.contains(d.name); });
    std::set<std::string> parameters;
    for (const tensor::Declaration& d : program.declarations) {
        for (const sare::Index& extent : d.extents) { parameters.merge(sare::free_variables(extent)); }
    }
    std::erase_if(program.parameters, [&](const std::string& p) { return !parameters.contains(p); });
    program.assumptions = at_least_one(program.parameters);
    return program;
}

// Keeps the outputs that no function reads: an output must not be touched outside its box (program_builder.h), which a
// schedule of a reader may ask for. There are no updates yet, so that no function reads itself.
void drop_outputs_that_are_read(sare::Algorithm& algorithm) {
    std::set<std::string> read;
    for (const sare::Function& function : algorithm.functions) {
        const auto add = [&](const sare::Access& access, const std::vector<const sare::Reduce*>&) {
            read.insert(access.tensor);
        };
        for (const sare::Expr& value : function.values) { sare::for_each_access(value, add); }
    }
    std::erase_if(algorithm.outputs, [&](const sare::Output& output) { return read.contains(output.tensor); });
    ENSURE(!algorithm.outputs.empty(), "no function reads the last one");
}

sare::Algorithm translated(const tensor::Program& program) {
    const auto translation = tensor::to_sare(program);
    ENSURE(translation.has_value(), "a drawn program reads what it assigns and its inputs");
    auto algorithm = sare::unstage(translation->sare);
    ENSURE(algorithm.has_value(), "a translation has no stages");
    drop_outputs_that_are_read(*algorithm);
    return std::move(*algorithm);
}

// The program with its sums as statements of their own; itself if its outlined SARE cannot be read.
tensor::Program with_sums_apart(const tensor::Program& program) {
    sare::Algorithm algorithm = translated(program);
    algorithm.name = tensor::default_name;
    auto apart = tensor::from_sare(sare::stage(sare::outlined(algorithm)));
    return apart ? std::move(*apart) : program;
}

// Whether some tensor is neither an input nor an output that is compiled.
bool has_inner_tensor(const tensor::Program& program) {
    const sare::Algorithm algorithm = translated(program);
    return algorithm.functions.size() > algorithm.outputs.size();
}

// Computes the last tensor in one of its own, which is copied: the output is then never padded, and the tensor may be.
tensor::Program with_copy(tensor::Program program) {
    const std::string last = program.statements.back().target;
    const auto original = std::ranges::find(program.declarations, last, &tensor::Declaration::name);
    tensor::Declaration copy = *original;
    original->output = false;
    copy.name = "y";
    copy.input = false;
    program.declarations.push_back(std::move(copy));
    program.statements.push_back({"y", Expr{tensor::Variable{last}}});
    return program;
}

Type draw_element(Choices& choices, const Policy& policy, std::span<const Type> types) {
    Weights<13> weights = policy.types;
    weights[static_cast<std::size_t>(Type::boolean)] = 0;
    if (std::ranges::all_of(weights, [](int weight) { return weight == 0; })) {
        return *std::ranges::find_if(types, value::is_integer);
    }
    return value::all_types[choices.weighted(weights)];
}

}  // namespace

tensor::Program draw_tensors(Choices& choices, const TensorPolicy& policy, Type element) {
    return TensorBuilder(choices, policy, element).program();
}

std::set<std::string> dividing_inputs(const tensor::Program& program) {
    std::set<std::string> found;
    for (const tensor::Statement& s : program.statements) {
        tensor::for_each_node(s.value, [&](const Expr& node) {
            const auto* quotient = std::get_if<tensor::Elementwise>(&node.node);
            if (quotient == nullptr || quotient->op != ElementOp::div) { return; }
            const auto* divisor = std::get_if<tensor::Variable>(&quotient->b->node);
            if (divisor != nullptr && divisor->name.front() == 'd') { found.insert(divisor->name); }
        });
    }
    return found;
}

Program draw_tensor_program(Choices& choices, const Policy& policy, std::span<const Type> types) {
    Program drawn;
    drawn.strict_float = choices.boolean(policy.strict_float_per_mille);
    const Type element = draw_element(choices, policy, types);
    TensorPolicy own = policy.tensor;
    mix(choices, policy.mix, own.extent);
    mix(choices, policy.mix, own.form);
    // Expressions must be able to end; quotients of floats are rounded.
    own.form[static_cast<std::size_t>(TensorForm::leaf)] =
        policy.tensor.form[static_cast<std::size_t>(TensorForm::leaf)];
    own.divides = own.divides && (drawn.strict_float || !value::is_float(element));
    tensor::Program program = without_noise(draw_tensors(choices, own, element));
    // A program that was read back may divide by what is transposed.
    const std::set<std::string> divisors = dividing_inputs(program);
    if (choices.boolean(own.outlined_per_mille)) { program = with_sums_apart(program); }
    if (!has_inner_tensor(program) && choices.boolean(own.copied_per_mille)) {
        program = with_copy(std::move(program));
    }
    const auto widest = static_cast<std::size_t>(choices.integer(0, domain_choices - 1, 0));
    for (const std::string& p : program.parameters) { drawn.parameters[p] = {1, own.largest_extent}; }

    std::vector<Type> elements{element};
    std::ranges::copy_if(types, std::back_inserter(elements), value::wraps);
    for (const Type type : elements) {
        for (tensor::Declaration& d : program.declarations) { d.element = type; }
        drawn.algorithm = sare::folded(translated(program));
        drawn.algorithm.name = tensor::default_name;
        auto exact = exact_domains(drawn.algorithm, drawn.parameters, drawn.strict_float, widest, divisors);
        if (!exact) { continue; }
        drawn.inputs = std::move(*exact);
        drawn.outlined = sare::outlined(drawn.algorithm);
        return drawn;
    }
    raise_internal_error(__FILE__, __LINE__, "arithmetic that wraps around is exact");
}

}  // namespace haruspex::random
