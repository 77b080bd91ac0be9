#include "generators/tensor/dataflow.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"

namespace haruspex::tensor {

std::set<std::string> reads(const Expr& expr) {
    std::set<std::string> names;
    for_each_node(expr, [&](const Expr& node) {
        if (const auto* variable = std::get_if<Variable>(&node.node)) { names.insert(variable->name); }
    });
    return names;
}

std::vector<std::string> inputs_of(const Program& program) {
    const bool qualified = std::ranges::any_of(program.declarations, &Declaration::input);
    std::set<std::string> read;
    for (const InitialRead& one : initial_reads(program)) { read.insert(one.variable); }
    std::vector<std::string> inputs;
    for (const Declaration& d : program.declarations) {
        if (qualified ? d.input : read.contains(d.name)) { inputs.push_back(d.name); }
    }
    return inputs;
}

std::vector<std::string> outputs_of(const Program& program) {
    const bool qualified = std::ranges::any_of(program.declarations, &Declaration::output);
    std::vector<std::string> outputs;
    for (const Declaration& d : program.declarations) {
        const auto assigns = [&](const Statement& s) { return s.target == d.name; };
        if (qualified ? d.output : std::ranges::any_of(program.statements, assigns)) { outputs.push_back(d.name); }
    }
    return outputs;
}

std::vector<InitialRead> initial_reads(const Program& program) {
    std::vector<InitialRead> found;
    std::set<std::string> assigned;
    for (std::size_t s = 0; s < program.statements.size(); ++s) {
        for (const std::string& name : reads(program.statements[s].value)) {
            if (!assigned.contains(name)) { found.push_back({s, name}); }
        }
        assigned.insert(program.statements[s].target);
    }
    return found;
}

std::vector<InitialRead> uninitialised_reads(const Program& program) {
    if (std::ranges::none_of(program.declarations, &Declaration::input)) { return {}; }
    std::set<std::string> inputs;
    for (const Declaration& d : program.declarations) {
        if (d.input) { inputs.insert(d.name); }
    }
    std::vector<InitialRead> found = initial_reads(program);
    std::erase_if(found, [&](const InitialRead& read) { return inputs.contains(read.variable); });
    return found;
}

namespace {

// Numbers expressions over the initial contents of variables: equal ones have the same number.
class Numbering {
public:
    // The numbers of the program's outputs after it, by their names.
    std::map<std::string, std::size_t> outputs(const Program& program) {
        contents_.clear();
        for (const Statement& s : program.statements) { contents_[s.target] = number(s.value); }
        std::map<std::string, std::size_t> numbers;
        for (const std::string& name : outputs_of(program)) { numbers[name] = content(name); }
        return numbers;
    }

private:
    enum class Kind : std::uint8_t { initial, add, sub, mul, div, outer, contraction, transposition };
    // Kind, operands or dimensions, and the variable of initial content.
    using Key = std::tuple<Kind, std::vector<std::size_t>, std::string>;

    std::size_t intern(Kind kind, std::vector<std::size_t> parts, std::string name = {}) {
        return numbers_.try_emplace(Key{kind, std::move(parts), std::move(name)}, numbers_.size()).first->second;
    }

    std::size_t content(const std::string& name) {
        const auto assigned = contents_.find(name);
        return assigned != contents_.end() ? assigned->second : intern(Kind::initial, {}, name);
    }

    static Kind kind_of(ElementOp op) {
        switch (op) {
            case ElementOp::add: return Kind::add;
            case ElementOp::sub: return Kind::sub;
            case ElementOp::mul: return Kind::mul;
            case ElementOp::div: return Kind::div;
        }
        raise_internal_error(__FILE__, __LINE__, "no such element-wise operator");
    }

    std::size_t with_pair(Kind kind, const Expr& operand, Pair pair) {
        const auto [low, high] = std::minmax(pair.first, pair.second);
        return intern(kind, {number(operand), static_cast<std::size_t>(low), static_cast<std::size_t>(high)});
    }

    std::size_t number(const Expr& expr) {
        return std::visit(
            Overload{[&](const Variable& n) { return content(n.name); },
                     [&](const Elementwise& n) {
                         const std::size_t a = number(*n.a);
                         return intern(kind_of(n.op), {a, number(*n.b)});
                     },
                     [&](const Outer& n) {
                         const std::size_t a = number(*n.a);
                         return intern(Kind::outer, {a, number(*n.b)});
                     },
                     [&](const Contraction& n) { return with_pair(Kind::contraction, *n.a, n.dimensions); },
                     [&](const Transposition& n) { return with_pair(Kind::transposition, *n.a, n.dimensions); }},
            expr.node);
    }

    std::map<Key, std::size_t> numbers_;
    std::map<std::string, std::size_t> contents_;  // of the variables assigned so far
};

}  // namespace

bool have_same_outputs(const Program& a, const Program& b) {
    Numbering numbering;
    const auto before = numbering.outputs(a);
    return before == numbering.outputs(b);
}

Program eliminate_dead_code(const Program& program) {
    const std::vector<std::string> outputs = outputs_of(program);
    std::set<std::string> live(outputs.begin(), outputs.end());
    Program result = program;
    result.statements.clear();
    for (auto s = program.statements.rbegin(); s != program.statements.rend(); ++s) {
        if (live.erase(s->target) == 0) { continue; }
        live.merge(reads(s->value));
        result.statements.push_back(*s);
    }
    std::ranges::reverse(result.statements);
    ENSURE(have_same_outputs(program, result), "dead code elimination keeps all outputs");
    return result;
}

}  // namespace haruspex::tensor
