#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generators/base/choice.h"
#include "generators/sare/names.h"
#include "generators/sare/typing.h"
#include "harness/sched/syntax.h"
#include "harness/sched/typing.h"
#include "tests/support/random_sare.h"

// Random well-typed SCHED expressions for tests, with every kind of node and with names that hide each other.
namespace haruspex::testing {

// Options for random expressions and programs.
struct SchedStyle {
    sched::Rules rules = sched::Rules::extended;
    Numbers numbers = Numbers::tame;
    int depth = 3;          // of expressions
    int nesting = 3;        // of statements
    bool shadowing = true;  // names of outer blocks may be declared again
    bool forks = false;     // also draw forks and semaphores
};

class SchedExprBuilder {
public:
    using Kind = sched::Kind;
    using Expr = sched::Expr;
    struct Array {
        sched::Scope::ArrayShape shape;
        bool written = true;  // may be written
        bool freed = false;   // may be freed
    };
    struct Semaphore {};

    SchedExprBuilder(Choices& choices, SchedStyle style) : choices_(choices), style_(style) {}

    // Adds names to the scope of expressions that are drawn alone.
    void add_variable(std::string name, Kind kind) { variables_.push_back({std::move(name), kind}); }
    void add_value(std::string name, sched::Scope::ValueShape shape) { values_.push_back({std::move(name), shape}); }
    void add_array(std::string name, sched::Scope::ArrayShape shape) {
        arrays_.push_back({std::move(name), {shape, true, false}});
    }
    void enter(sched::Context context) { context_ = context; }

    Expr index(int depth) {
        using namespace sched;
        const auto deeper = [&] { return index(depth - 1); };
        switch (depth <= 0 ? choices_.weighted({1, 3}) : choices_.weighted({2, 4, 9, 1, extended() ? 2 : 0, 1, 1})) {
            case 0: return {Integer{random_integer(choices_, style_.numbers)}};
            case 1: return variable(Kind::index).value_or(Expr{Integer{random_integer(choices_, style_.numbers)}});
            case 2: {
                const auto op = static_cast<IndexOp>(choices_.integer(0, 6));
                const bool divides = op == IndexOp::div || op == IndexOp::mod;
                Expr a = !extended() && op == IndexOp::mul ? Expr{Integer{choices_.integer(-3, 3)}} : deeper();
                return {IndexBinary{op, std::move(a),
                                    !extended() && divides ? Expr{Integer{choices_.integer(1, 5)}} : deeper()}};
            }
            case 3: return select([&] { return deeper(); }, depth);
            case 4: return {IntegerOf{value(integer_type(), depth - 1)}};
            case 5: return let([&] { return deeper(); }, depth);
            default: return let_value([&] { return deeper(); }, depth);
        }
    }

    Expr condition(int depth) {
        using namespace sched;
        const auto deeper = [&] { return condition(depth - 1); };
        switch (depth <= 0 ? choices_.weighted({1, 2, 3})
                           : choices_.weighted({1, 2, 7, 1, 2, 2, 2, 1, extended() ? 2 : 0, 1, 1})) {
            case 0: return {Truth{choices_.boolean(500)}};
            case 1: return variable(Kind::condition).value_or(Expr{Truth{false}});
            case 2: {
                const auto relation = static_cast<Relation>(choices_.integer(0, 5));
                Expr a = index(depth - 1);
                return {Comparison{relation, std::move(a), index(depth - 1)}};
            }
            case 3: {
                Expr a = deeper();
                return {Comparison{choices_.boolean(500) ? Relation::eq : Relation::ne, std::move(a), deeper()}};
            }
            case 4: {
                Expr a = deeper();
                return {And{std::move(a), deeper()}};
            }
            case 5: {
                Expr a = deeper();
                return {Or{std::move(a), deeper()}};
            }
            case 6: return {Not{deeper()}};
            case 7: return select([&] { return deeper(); }, depth);
            case 8: return {IntegerOf{value(value::Type::boolean, depth - 1)}};
            case 9: return let([&] { return deeper(); }, depth);
            default: return let_value([&] { return deeper(); }, depth);
        }
    }

    Expr value(value::Type type, int depth) {
        using namespace sched;
        const auto deeper = [&] { return value(type, depth - 1); };
        switch (depth <= 0 ? choices_.weighted({1, 1, 2, 3}) : choices_.weighted({1, 1, 2, 3, 2, 5, 2, 2, 2, 1, 1})) {
            case 0:
                if (type == value::Type::boolean) { return {Guard{Expr{Truth{choices_.boolean(500)}}}}; }
                return {Literal{random_literal(choices_, type, style_.numbers)}};
            case 1:
                if (type == value::Type::boolean) { return {Guard{condition(depth - 1)}}; }
                return {Embed{type, index(depth - 1)}};
            case 2: return value_variable(type, depth);
            case 3: return read(type, depth);
            case 4: return unary(type, depth);
            case 5: return binary(type, depth);
            case 6: return {Cast{type, value(random_type(choices_), depth - 1)}};
            case 7: return select([&] { return deeper(); }, depth);
            case 8: return lane_reduction(type, depth);
            case 9: return let([&] { return deeper(); }, depth);
            default: return let_value([&] { return deeper(); }, depth);
        }
    }

protected:
    bool extended() const { return style_.rules == sched::Rules::extended; }

    template <typename T>
    struct Named {
        std::string name;
        T what;
    };

    // --- Scopes ---

    // Restores the scope at its end: later declarations are dropped, and hidden names are visible again.
    class Scoped {
    public:
        explicit Scoped(SchedExprBuilder& builder)
            : builder_(builder),
              variables_(builder.variables_),
              values_(builder.values_),
              arrays_(builder.arrays_),
              semaphores_(builder.semaphores_) {}
        ~Scoped() {
            builder_.variables_ = std::move(variables_);
            builder_.values_ = std::move(values_);
            builder_.arrays_ = std::move(arrays_);
            builder_.semaphores_ = std::move(semaphores_);
        }
        Scoped(const Scoped&) = delete;
        Scoped& operator=(const Scoped&) = delete;

    private:
        SchedExprBuilder& builder_;
        std::vector<Named<Kind>> variables_;
        std::vector<Named<sched::Scope::ValueShape>> values_;
        std::vector<Named<Array>> arrays_;
        std::vector<Named<Semaphore>> semaphores_;
    };

    // Returns a name for a declaration, possibly one in scope, which it then hides.
    std::string fresh(const std::string& stem) {
        std::string name;
        std::set<std::string> names;
        for (const auto& v : variables_) { names.insert(v.name); }
        for (const auto& v : values_) { names.insert(v.name); }
        for (const auto& a : arrays_) { names.insert(a.name); }
        for (const auto& s : semaphores_) { names.insert(s.name); }
        for (const std::string& here : block_) { names.erase(here); }
        if (style_.shadowing && in_block_ && !names.empty() && choices_.boolean(100)) {
            name = choices_.one_of(std::vector<std::string>(names.begin(), names.end()));
        } else {
            name = stem + choices_.one_of(std::vector<std::string>{"", "$", ".s0.", ".1$"}) + std::to_string(++count_);
            if (sare::is_reserved(name)) { name += "_"; }  // "w32"
        }
        const auto hidden = [&](const auto& named) { return named.name == name; };
        std::erase_if(variables_, hidden);
        std::erase_if(values_, hidden);
        std::erase_if(arrays_, hidden);
        std::erase_if(semaphores_, hidden);
        return name;
    }

    void declare(const std::string& name) { block_.push_back(name); }

    // --- Parts of expressions ---

    std::optional<Expr> variable(Kind kind) {
        std::vector<std::string> names;
        for (const auto& v : variables_) {
            if (v.what == kind) { names.push_back(v.name); }
        }
        if (names.empty()) { return std::nullopt; }
        return Expr{sched::Variable{choices_.one_of(names)}};
    }

    value::Type integer_type() {
        std::vector<value::Type> types;
        for (const value::Type type : value::all_types) {
            if (value::is_integer(type)) { types.push_back(type); }
        }
        return choices_.one_of(types);
    }

    Expr value_of(value::Type from, value::Type to, Expr expr) const {
        return from == to ? std::move(expr) : Expr{sched::Cast{to, std::move(expr)}};
    }

    // Draws a condition (𝔹), or a bool where the rules allow it.
    Expr truth(int depth) {
        return extended() && choices_.boolean(300) ? value(value::Type::boolean, depth) : condition(depth);
    }

    template <typename Arm>
    Expr select(Arm&& arm, int depth) {
        Expr c = truth(depth - 1);
        Expr a = arm();
        return {sched::Select{std::move(c), std::move(a), arm()}};
    }

    template <typename Body>
    Expr let(Body&& body, int depth) {
        const Kind kind = choices_.boolean(700) ? Kind::index : Kind::condition;
        Expr bound = pure(kind, depth - 1);
        const Scoped scoped(*this);
        const std::string name = fresh("z");
        variables_.push_back({name, kind});
        return {sched::LetIn{name, std::move(bound), body()}};
    }

    Expr pure(Kind kind, int depth) {
        const sched::Context outside = context_;
        if (context_ == sched::Context::code) { context_ = sched::Context::pure; }
        Expr expr = kind == Kind::index ? index(depth) : condition(depth);
        context_ = outside;
        return expr;
    }

    std::optional<sched::Lanes> maybe_lanes() {
        if (!choices_.boolean(400)) { return std::nullopt; }
        sched::Lanes lanes{fresh("l"), choices_.integer(1, 8)};
        variables_.push_back({lanes.variable, Kind::index});
        return lanes;
    }

    template <typename Body>
    Expr let_value(Body&& body, int depth) {
        const value::Type type = random_type(choices_);
        std::optional<sched::Lanes> lanes;
        std::optional<Expr> bound;
        {
            const Scoped family(*this);
            lanes = maybe_lanes();
            bound = value(type, depth - 1);
        }
        const Scoped scoped(*this);
        const std::string name = fresh("w");
        values_.push_back({name, {type, lanes.has_value()}});
        return {sched::LetValueIn{name, std::move(lanes), type, std::move(*bound), body()}};
    }

    Expr value_variable(value::Type type, int depth) {
        if (values_.empty()) { return {sched::Cast{type, Expr{sched::Guard{Expr{sched::Truth{true}}}}}}; }
        const auto v = choices_.one_of(values_);
        sched::ValueVariable variable{v.name, {}};
        if (v.what.has_lanes) { variable.lane = index(depth - 1); }
        return value_of(v.what.type, type, {std::move(variable)});
    }

    std::vector<Expr> indices(std::size_t count, int depth) {
        std::vector<Expr> indices;
        for (std::size_t i = 0; i < count; ++i) { indices.push_back(index(depth)); }
        return indices;
    }

    // Returns the name of a tensor, which may be a word of the language.
    std::string tensor() {
        return choices_.one_of(std::vector<std::string>{"A", "B.0", "blur_y", "free", "let", "T.12"});
    }
    static bool sare_name(const std::string& name) {
        return name.find('$') == std::string::npos && name.find(".s") == std::string::npos;
    }

    Expr read(value::Type type, int depth) {
        if (context_ == sched::Context::prophecy) {
            std::vector<Expr> at = indices(static_cast<std::size_t>(choices_.integer(0, 2)), depth - 1);
            // Each tensor has one type, which may be any; some accesses are therefore cast to the required type.
            Expr access{sched::TensorAccess{tensor(), std::move(at), static_cast<int>(choices_.weighted({5, 1, 1}))}};
            return choices_.boolean(500) ? std::move(access) : Expr{sched::Cast{type, std::move(access)}};
        }
        if (context_ == sched::Context::pure || arrays_.empty()) { return value_variable(type, depth); }
        const auto array = choices_.one_of(arrays_);
        sched::Load load{array.name, indices(array.what.shape.index_count, depth - 1), {}};
        if (choices_.boolean(250)) { load.guard = truth(depth - 1); }
        return value_of(array.what.shape.type, type, {std::move(load)});
    }

    Expr unary(value::Type type, int depth) {
        const value::UnaryOp op = choices_.one_of(value::all_unary_ops);
        for (const value::Type operand : {type, value::is_integer(type) ? value::to_signed(type) : type}) {
            if (value::result_type(op, operand) == type) { return {sched::Unary{op, value(operand, depth - 1)}}; }
        }
        return {sched::Cast{type, value(random_type(choices_), depth - 1)}};
    }

    Expr binary(value::Type type, int depth) {
        const value::BinaryOp op = choices_.one_of(value::all_binary_ops);
        const value::Type operand = type == value::Type::boolean ? random_type(choices_) : type;
        if (value::result_type(op, operand, operand) != type) { return read(type, depth); }
        Expr a = value(operand, depth - 1);
        return {sched::Binary{op, std::move(a), value(operand, depth - 1)}};
    }

    Expr lane_reduction(value::Type type, int depth) {
        const value::ReductionOp op = choices_.one_of(value::all_reduction_ops);
        if (!sare::type_reduce(op, type)) { return read(type, depth); }
        const Scoped scoped(*this);
        const sched::Lanes lanes{fresh("l"), choices_.integer(1, 16)};
        variables_.push_back({lanes.variable, Kind::index});
        return {sched::LaneReduce{op, lanes, value(type, depth - 1)}};
    }

    Choices& choices_;
    SchedStyle style_;
    std::vector<Named<Kind>> variables_;
    std::vector<Named<sched::Scope::ValueShape>> values_;
    std::vector<Named<Array>> arrays_;
    std::vector<Named<Semaphore>> semaphores_;
    std::vector<std::string> block_;  // names declared in the innermost block
    bool in_block_ = false;
    sched::Context context_ = sched::Context::code;
    int count_ = 0;
};

}  // namespace haruspex::testing
