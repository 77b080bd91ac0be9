#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "harness/sched/syntax.h"

// A brute-force evaluator of SCHED expressions: the names in scope, and a walk over the tree (naive_sched.h).
namespace haruspex::testing {

using NaiveCell = std::vector<std::int64_t>;

class NaiveSchedExpressions {
public:
    // An error in the program, in words.
    struct Wrong {
        std::string why;
    };

protected:
    NaiveSchedExpressions() = default;
    ~NaiveSchedExpressions() = default;

    using Value = value::Value;
    using State = value::State;
    // An index, or a condition as 0 or 1.
    struct Number {
        value::Int128 n = 0;
        State state = State::defined;
        bool operator==(const Number&) const = default;
    };
    using Item = std::variant<Number, Value>;
    struct Place {
        int array = 0;
        NaiveCell cell;
        auto operator<=>(const Place&) const = default;
    };
    using Bound = std::variant<Number, Value, std::vector<Value>, Place>;

    virtual Value load(const sched::Load& n) = 0;

    [[noreturn]] static void wrong(std::string why) { throw Wrong{std::move(why)}; }

    void bind(const std::string& name, Bound bound) { bindings_.emplace_back(name, std::move(bound)); }
    const Bound& find(const std::string& name) const {
        const auto found = std::find_if(bindings_.rbegin(), bindings_.rend(),
                                        [&](const auto& binding) { return binding.first == name; });
        ENSURE(found != bindings_.rend(), "no name " + name);
        return found->second;
    }
    template <typename Body>
    void scoped(Body&& body) {
        const std::size_t outside = bindings_.size();
        body();
        while (bindings_.size() > outside) { bindings_.pop_back(); }
    }

    // Combines the states of two operands; Undef dominates Uninit.
    static State worse(State a, State b) {
        if (a == State::undef || b == State::undef) { return State::undef; }
        return a == State::uninit || b == State::uninit ? State::uninit : State::defined;
    }

    template <typename Operation>
    Number combine(const sched::Expr& a, const sched::Expr& b, Operation&& operation) {
        const Number x = number(a);
        const Number y = number(b);
        const State state = worse(x.state, y.state);
        return state == State::defined ? Number{operation(x.n, y.n)} : Number{0, state};
    }

    static value::Int128 quotient(value::Int128 a, value::Int128 b) { return b == 0 ? 0 : (a - remainder(a, b)) / b; }
    static value::Int128 remainder(value::Int128 a, value::Int128 b) {
        if (b == 0) { return 0; }
        const value::Int128 r = a % b;
        return r >= 0 ? r : r + (b > 0 ? b : -b);
    }

    static Number denoted(const Value& v) {
        if (!v.is_defined()) { return {0, v.state()}; }
        if (value::is_signed_integer(v.type())) { return {v.as_signed()}; }
        return {static_cast<value::Int128>(v.bit_pattern())};
    }

    Number number(const sched::Expr& e) {
        const Item item = evaluate(e);
        if (const auto* v = std::get_if<Value>(&item)) { return denoted(*v); }
        return std::get<Number>(item);
    }
    Value value(const sched::Expr& e) { return std::get<Value>(evaluate(e)); }

    // Evaluates an index that must be defined.
    std::int64_t certain(const sched::Expr& e, const char* what) {
        const Number n = number(e);
        if (n.state != State::defined) { wrong(std::string(what) + " has no value"); }
        return narrow(n.n);
    }
    static std::int64_t narrow(value::Int128 n) {
        const auto small = static_cast<std::int64_t>(n);
        if (small != n) { wrong("an index leaves 64 bits"); }
        return small;
    }

    static Value at_type(value::Type type, Number n) {
        switch (n.state) {
            case State::undef: return Value::undef(type);
            case State::uninit: return Value::uninit(type);
            case State::defined: break;
        }
        return value::cast(type, Value::integer(value::Type::i64, narrow(n.n)));
    }

    Item select(const sched::Select& n) {
        const Number condition = number(*n.condition);
        const Item if_true = evaluate(*n.if_true);
        const Item if_false = evaluate(*n.if_false);
        if (const auto* v = std::get_if<Value>(&if_true)) {
            return value::select(at_type(value::Type::boolean, condition), *v, std::get<Value>(if_false));
        }
        const Number a = std::get<Number>(if_true);
        const Number b = std::get<Number>(if_false);
        if (worse(worse(a.state, b.state), condition.state) == State::undef) { return Number{0, State::undef}; }
        if (condition.state == State::uninit) { return a == b ? a : Number{0, State::uninit}; }
        return condition.n != 0 ? a : b;
    }

    std::vector<Value> family(const std::optional<sched::Lanes>& lanes, const sched::Expr& body) {
        std::vector<Value> values;
        for (std::int64_t l = 0; l < (lanes ? lanes->count : 1); ++l) {
            scoped([&] {
                if (lanes) { bind(lanes->variable, Number{l}); }
                values.push_back(value(body));
            });
        }
        return values;
    }
    static Bound bound_value(const std::optional<sched::Lanes>& lanes, std::vector<Value> values) {
        if (lanes) { return values; }
        return values.front();
    }

    Item evaluate(const sched::Expr& e) {
        using namespace sched;
        using value::Int128;
        return std::visit(
            Overload{[&](const Integer& n) -> Item { return Number{n.value}; },
                     [&](const Truth& n) -> Item { return Number{n.value ? 1 : 0}; },
                     [&](const Variable& n) -> Item { return std::get<Number>(find(n.name)); },
                     [&](const IndexBinary& n) -> Item {
                         return combine(*n.a, *n.b, [&](Int128 a, Int128 b) -> Int128 {
                             switch (n.op) {
                                 case IndexOp::add: return a + b;
                                 case IndexOp::sub: return a - b;
                                 case IndexOp::mul: return a * b;
                                 case IndexOp::div: return quotient(a, b);
                                 case IndexOp::mod: return remainder(a, b);
                                 case IndexOp::min: return std::min(a, b);
                                 case IndexOp::max: return std::max(a, b);
                             }
                             return 0;
                         });
                     },
                     [&](const Comparison& n) -> Item {
                         return combine(*n.a, *n.b, [&](Int128 a, Int128 b) -> Int128 {
                             switch (n.relation) {
                                 case Relation::lt: return a < b;
                                 case Relation::le: return a <= b;
                                 case Relation::eq: return a == b;
                                 case Relation::ne: return a != b;
                                 case Relation::gt: return a > b;
                                 case Relation::ge: return a >= b;
                             }
                             return 0;
                         });
                     },
                     [&](const And& n) -> Item {
                         return combine(*n.a, *n.b, [](Int128 a, Int128 b) -> Int128 { return a != 0 && b != 0; });
                     },
                     [&](const Or& n) -> Item {
                         return combine(*n.a, *n.b, [](Int128 a, Int128 b) -> Int128 { return a != 0 || b != 0; });
                     },
                     [&](const Not& n) -> Item {
                         const Number a = number(*n.a);
                         return a.state == State::defined ? Number{a.n == 0 ? 1 : 0} : a;
                     },
                     [&](const IntegerOf& n) -> Item { return denoted(value(*n.a)); },
                     [&](const Literal& n) -> Item { return n.value; },
                     [&](const Embed& n) -> Item { return at_type(n.type, number(*n.index)); },
                     [&](const Guard& n) -> Item { return at_type(value::Type::boolean, number(*n.condition)); },
                     [&](const ValueVariable& n) -> Item {
                         if (!n.lane) { return std::get<Value>(find(n.name)); }
                         const std::int64_t lane = certain(**n.lane, "a lane");
                         const auto& lanes = std::get<std::vector<Value>>(find(n.name));
                         if (lane < 0 || lane >= std::ssize(lanes)) { wrong("there is no such lane of " + n.name); }
                         return lanes[static_cast<std::size_t>(lane)];
                     },
                     [&](const Load& n) -> Item { return load(n); },
                     [&](const TensorAccess&) -> Item { wrong("a tensor in code"); },
                     [&](const Unary& n) -> Item { return value::apply(n.op, value(*n.a)); },
                     [&](const Binary& n) -> Item {
                         const Value a = value(*n.a);
                         return value::apply(n.op, a, value(*n.b));
                     },
                     [&](const Cast& n) -> Item { return value::cast(n.type, value(*n.a)); },
                     [&](const Select& n) -> Item { return select(n); },
                     [&](const LaneReduce& n) -> Item {
                         const std::vector<Value> values = family(n.lanes, *n.body);
                         Value result = values.front();
                         for (std::size_t l = 1; l < values.size(); ++l) {
                             result = value::apply(value::binary_op(n.op), result, values[l]);
                         }
                         return result;
                     },
                     [&](const LetIn& n) -> Item {
                         std::optional<Item> result;
                         scoped([&] {
                             bind(n.name, number(*n.value));
                             result = evaluate(*n.body);
                         });
                         return *result;
                     },
                     [&](const LetValueIn& n) -> Item {
                         std::optional<Item> result;
                         scoped([&] {
                             bind(n.name, bound_value(n.lanes, family(n.lanes, *n.value)));
                             result = evaluate(*n.body);
                         });
                         return *result;
                     }},
            e.node);
    }

    // The innermost binding is last.
    std::vector<std::pair<std::string, Bound>> bindings_;
};

}  // namespace haruspex::testing
