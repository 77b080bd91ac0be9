#include "harness/halide/bounds_query.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>

#include "generators/base/sizes.h"

namespace haruspex::halide {
namespace {

using namespace Halide::Internal;
using Halide::Expr;
using Number = std::int64_t;

// Reports a required expression that has no value.
class NoValue : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Returns the quotient for which the remainder is not negative; 0 by 0.
Number quotient(Number a, Number b) {
    if (b == 0) { return 0; }
    const Number q = a / b;
    return a % b >= 0 ? q : b > 0 ? q - 1 : q + 1;
}

// Returns the buffer whose halide_buffer_t a call is about; empty if there is none.
std::string buffer_of(const Call& c) {
    const auto* handle = c.args.empty() ? nullptr : c.args[0].as<Variable>();
    const std::string ending = ".buffer";
    if (handle == nullptr || !handle->name.ends_with(ending)) { return {}; }
    return handle->name.substr(0, handle->name.size() - ending.size());
}

// Evaluates signed 32-bit scalars, and truths, which are 0 and 1. Names are unique in a final statement, so that no
// binding has to be undone.
class Evaluator {
public:
    Evaluator(const std::map<std::string, Number>& parameters, const std::map<std::string, Region>& buffers,
              const std::set<std::string>& queried)
        : buffers_(buffers), queried_(queried) {
        for (const auto& [name, value] : parameters) { values_[name] = value; }
    }

    Number operator()(const Expr& e) {
        // 64-bit arithmetic on 32-bit operands does not overflow.
        const Number n = evaluate(e);
        if (n < std::numeric_limits<std::int32_t>::min() || n > std::numeric_limits<std::int32_t>::max()) {
            throw NoValue("an overflow of 32 bits");
        }
        return n;
    }

    // Binds a name for the rest of the statement. A name without a value may remain unused.
    void bind(const std::string& name, const Expr& value) { values_[name] = try_evaluate(value); }

    // Returns the inputs that were tested for a bounds query.
    const std::set<std::string>& asked() const { return asked_; }

private:
    static bool is_number(Halide::Type type) { return type == Halide::Int(32) || type == Halide::Bool(); }

    std::optional<Number> try_evaluate(const Expr& e) {
        if (!is_number(e.type())) { return std::nullopt; }
        try {
            return (*this)(e);
        } catch (const NoValue&) { return std::nullopt; }
    }

    template <typename Node>
    Number binary(const Expr& e, Number (*operation)(Number, Number)) {
        const auto* node = e.as<Node>();
        const Number a = (*this)(node->a);
        return operation(a, (*this)(node->b));
    }

    Number evaluate(const Expr& e) {
        if (!is_number(e.type())) { throw NoValue("an expression of another type than int32 and bool"); }
        switch (e.node_type()) {
            case IRNodeType::IntImm: return e.as<IntImm>()->value;
            case IRNodeType::UIntImm: return static_cast<Number>(e.as<UIntImm>()->value);
            case IRNodeType::Variable: return variable(e.as<Variable>()->name);
            case IRNodeType::Cast:
                if (e.type().is_bool()) { break; }
                return (*this)(e.as<Cast>()->value);
            case IRNodeType::Add: return binary<Add>(e, [](Number a, Number b) { return a + b; });
            case IRNodeType::Sub: return binary<Sub>(e, [](Number a, Number b) { return a - b; });
            case IRNodeType::Mul: return binary<Mul>(e, [](Number a, Number b) { return a * b; });
            case IRNodeType::Div: return binary<Div>(e, quotient);
            case IRNodeType::Mod:
                return binary<Mod>(e, [](Number a, Number b) { return b == 0 ? 0 : a - quotient(a, b) * b; });
            case IRNodeType::Min: return binary<Min>(e, [](Number a, Number b) { return std::min(a, b); });
            case IRNodeType::Max: return binary<Max>(e, [](Number a, Number b) { return std::max(a, b); });
            case IRNodeType::EQ: return binary<EQ>(e, [](Number a, Number b) { return Number{a == b}; });
            case IRNodeType::NE: return binary<NE>(e, [](Number a, Number b) { return Number{a != b}; });
            case IRNodeType::LT: return binary<LT>(e, [](Number a, Number b) { return Number{a < b}; });
            case IRNodeType::LE: return binary<LE>(e, [](Number a, Number b) { return Number{a <= b}; });
            case IRNodeType::GT: return binary<GT>(e, [](Number a, Number b) { return Number{a > b}; });
            case IRNodeType::GE: return binary<GE>(e, [](Number a, Number b) { return Number{a >= b}; });
            case IRNodeType::And: return (*this)(e.as<And>()->a) != 0 && (*this)(e.as<And>()->b) != 0;
            case IRNodeType::Or: return (*this)(e.as<Or>()->a) != 0 || (*this)(e.as<Or>()->b) != 0;
            case IRNodeType::Not: return (*this)(e.as<Not>()->a) == 0;
            case IRNodeType::Select: {
                const auto* s = e.as<Select>();
                return (*this)((*this)(s->condition) != 0 ? s->true_value : s->false_value);
            }
            case IRNodeType::Let: bind(e.as<Let>()->name, e.as<Let>()->value); return (*this)(e.as<Let>()->body);
            case IRNodeType::Call: return call(*e.as<Call>());
            default: break;
        }
        throw NoValue("an expression of another kind");
    }

    Number variable(const std::string& name) const {
        const auto found = values_.find(name);
        if (found == values_.end() || !found->second) { throw NoValue(name + " has no value"); }
        return *found->second;
    }

    Number call(const Call& c) {
        if (c.is_intrinsic(Call::likely) || c.is_intrinsic(Call::likely_if_innermost)) { return (*this)(c.args[0]); }
        const std::string name = buffer_of(c);
        if (c.name == Call::buffer_is_bounds_query) {
            if (!queried_.contains(name)) { return 0; }
            asked_.insert(name);
            return 1;
        }
        const auto buffer = buffers_.find(name);
        const auto* d = c.args.size() == 2 ? c.args[1].as<IntImm>() : nullptr;
        if (buffer == buffers_.end() || d == nullptr) { throw NoValue("a call of " + c.name); }
        const Number min = buffer->second.min.at(static_cast<std::size_t>(d->value));
        const Number extent = buffer->second.extent.at(static_cast<std::size_t>(d->value));
        if (c.name == Call::buffer_get_min) { return min; }
        if (c.name == Call::buffer_get_extent) { return extent; }
        if (c.name == Call::buffer_get_max) { return min + extent - 1; }
        throw NoValue("a call of " + c.name);
    }

    const std::map<std::string, Region>& buffers_;
    const std::set<std::string>& queried_;
    std::set<std::string> asked_;
    std::map<std::string, std::optional<Number>> values_;
};

// One round of the query: runs the statement up to the answers to its own questions.
class Query {
public:
    Query(Evaluator& evaluate, std::map<std::string, Region>& answers) : evaluate_(evaluate), answers_(answers) {}

    // An input that the statement tests must get its answer there.
    void run(const Stmt& statement) {
        execute(statement);
        for (const std::string& input : evaluate_.asked()) {
            if (!answered_.contains(input)) { throw NoValue("nothing is said of " + input); }
        }
    }

private:
    void execute(const Stmt& statement) {
        Stmt s = statement;
        while (s.defined()) {
            if (const auto* let = s.as<LetStmt>()) {
                evaluate_.bind(let->name, let->value);
                s = let->body;
            } else if (const auto* block = s.as<Block>()) {
                execute(block->first);
                s = block->rest;
            } else if (const auto* branch = s.as<IfThenElse>()) {
                s = evaluate_(branch->condition) != 0 ? branch->then_case : branch->else_case;
            } else if (const auto* expression = s.as<Evaluate>()) {
                return answer(expression->value);
            } else {
                // Asserts hold for a query. Any other statement is the program itself, which runs if nothing tests for
                // a query: it uses no input.
                return;
            }
        }
    }

    void answer(Expr e) {
        while (const auto* let = e.as<Let>()) {
            evaluate_.bind(let->name, let->value);
            e = let->body;
        }
        const auto* call = e.as<Call>();
        if (call != nullptr && call->name == Call::buffer_init) { take(*call); }
    }

    void take(const Call& call) {
        const auto answer = answers_.find(buffer_of(call));
        if (answer == answers_.end()) { return; }
        answered_.insert(answer->first);
        // Minimum, extent, stride and flags of each dimension.
        const auto is_shape = [](const Expr& e) {
            const auto* c = e.as<Call>();
            return c != nullptr && c->is_intrinsic(Call::make_struct);
        };
        const auto shape = std::ranges::find_if(call.args, is_shape);
        Region& region = answer->second;
        for (std::size_t d = 0; d < region.min.size(); ++d) {
            if (shape == call.args.end()) { throw NoValue("the shape of " + answer->first + " is of another form"); }
            const std::vector<Expr>& fields = shape->as<Call>()->args;
            region.min[d] = evaluate_(fields.at(4 * d));
            region.extent[d] = evaluate_(fields.at(4 * d + 1));
        }
    }

    Evaluator& evaluate_;
    std::map<std::string, Region>& answers_;
    std::set<std::string> answered_;
};

}  // namespace

std::expected<std::vector<compiler::InputRegion>, NoRegions> query_bounds(
    const Stmt& final_statement, const Interface& interface, const Sizes& parameters,
    const std::map<std::string, Region>& outputs) {
    // As many as Halide's own infer_input_bounds allows.
    constexpr int most_rounds = 16;
    std::map<std::string, Region> inputs;
    std::set<std::string> names;
    for (const BufferArgument& b : interface.buffers) {
        if (b.role != sched::Role::input) { continue; }
        const auto rank = static_cast<std::size_t>(b.rank);
        inputs[b.compiler_name] = {std::vector<Number>(rank), std::vector<Number>(rank)};
        names.insert(b.compiler_name);
    }
    try {
        for (int round = 0; round < most_rounds; ++round) {
            std::map<std::string, Region> buffers = outputs;
            buffers.insert(inputs.begin(), inputs.end());
            Evaluator evaluate(parameters, buffers, names);
            const std::map<std::string, Region> before = inputs;
            Query(evaluate, inputs).run(final_statement);
            if (inputs != before) { continue; }
            std::vector<compiler::InputRegion> regions;
            for (const BufferArgument& b : interface.buffers) {
                if (b.role != sched::Role::input) { continue; }
                const Region& region = inputs.at(b.compiler_name);
                regions.push_back({b.tensor, region.min, region.extent});
            }
            return regions;
        }
    } catch (const NoValue& e) {
        return std::unexpected(
            NoRegions{compiler::RegionsUnknown::no_answer, std::string("the bounds query has no answer: ") + e.what()});
    }
    return std::unexpected(NoRegions{compiler::RegionsUnknown::divergent, "the bounds query does not converge"});
}

}  // namespace haruspex::halide
