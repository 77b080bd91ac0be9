#include "oracle/validator/flow/real_numbers.h"

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <variant>

#include "generators/base/overload.h"
#include "generators/sare/floats.h"
#include "generators/value/operators.h"
#include "harness/sched/traverse.h"
#include "oracle/validator/flow/float_flow.h"

namespace haruspex::validator {
namespace {

using value::BinaryOp;

// Facts about a value, over-approximated.
struct Kind {
    bool is_float = false;
    bool may_be_infinite = false;

    Kind joined(const Kind& other) const {
        return {is_float || other.is_float, may_be_infinite || other.may_be_infinite};
    }
    bool operator==(const Kind&) const = default;
};

bool is_number(const value::Value& v) {
    return value::is_float(v.type()) && v.is_defined() && std::isfinite(v.as_double());
}

bool is_of_order(BinaryOp op) {
    switch (op) {
        case BinaryOp::eq:
        case BinaryOp::ne:
        case BinaryOp::lt:
        case BinaryOp::le:
        case BinaryOp::gt:
        case BinaryOp::ge: return true;
        default: return false;
    }
}

// Computes the kinds of results, and records whether an operator had an operand that it must not have.
class Arithmetic {
public:
    bool has_numbers_only() const { return has_numbers_only_; }
    bool adds() const { return adds_; }

    Kind literal(const value::Value& v) {
        if (!value::is_float(v.type())) { return {}; }
        if (v.is_defined() && std::isnan(v.as_double())) { has_numbers_only_ = false; }
        return {true, !is_number(v)};
    }

    Kind computed(const Kind& a) {
        if (a.may_be_infinite) { has_numbers_only_ = false; }
        return {a.is_float, false};
    }

    // `divisor`: the second operand, if it is a literal.
    Kind binary(BinaryOp op, const Kind& a, const Kind& b, const value::Value* divisor) {
        if (op == BinaryOp::min || op == BinaryOp::max) { return a.joined(b); }
        if (is_of_order(op)) { return {}; }
        const bool divides = op == BinaryOp::div || op == BinaryOp::mod;
        const Kind both = a.joined(b);
        adds_ |= both.is_float && (op == BinaryOp::add || op == BinaryOp::sub);
        if (divides && both.is_float) {
            const bool is_by_number = divisor != nullptr && is_number(*divisor) && divisor->as_double() != 0;
            has_numbers_only_ = has_numbers_only_ && is_by_number;
        }
        return computed(both);
    }

    Kind cast(value::Type to, const Kind& a) {
        if (value::is_float(to)) { return {true, a.may_be_infinite}; }
        computed(a);
        return {};
    }

    // The least of no values is infinite.
    Kind reduced(value::ReductionOp op, const Kind& body, bool may_be_empty) {
        const bool is_extreme = op == value::ReductionOp::min || op == value::ReductionOp::max;
        adds_ |= body.is_float && op == value::ReductionOp::sum;
        if (!is_extreme) { return computed(body); }
        return {body.is_float, body.may_be_infinite || (may_be_empty && body.is_float)};
    }

private:
    bool has_numbers_only_ = true, adds_ = false;
};

// By tensor and component.
using Kinds = std::map<std::pair<std::string, int>, Kind>;

class OfSpecification {
public:
    explicit OfSpecification(const sare::Sare& sare) {
        for (const sare::Input& input : sare.inputs) { kinds_[{input.name, 0}].is_float = value::is_float(input.type); }
        Kinds before;
        do {
            before = kinds_;
            for (const sare::Tensor& tensor : sare.tensors) { look_at(tensor); }
        } while (before != kinds_);
    }

    const Kinds& kinds() const { return kinds_; }
    bool has_numbers_only() const { return arithmetic_.has_numbers_only(); }
    bool adds() const { return arithmetic_.adds(); }

private:
    void look_at(const sare::Tensor& tensor) {
        for (std::size_t k = 0; k < tensor.types.size(); ++k) {
            Kind kind{value::is_float(tensor.types[k]), false};
            for (const sare::Equation& equation : tensor.equations) { kind = kind.joined(of(equation.values[k])); }
            kinds_[{tensor.name, static_cast<int>(k)}] = kind;
        }
    }

    Kind of(const sare::Expr& expr) {
        return std::visit(Overload{[&](const sare::Literal& n) { return arithmetic_.literal(n.value); },
                                   [](const sare::Embed& n) { return Kind{value::is_float(n.type), false}; },
                                   [](const sare::Guard&) { return Kind{}; },
                                   [&](const sare::Access& n) { return kinds_[{n.tensor, n.component}]; },
                                   [&](const sare::Unary& n) { return arithmetic_.computed(of(*n.a)); },
                                   [&](const sare::Binary& n) {
                                       const auto* divisor = std::get_if<sare::Literal>(&n.b->node);
                                       return arithmetic_.binary(n.op, of(*n.a), of(*n.b),
                                                                 divisor == nullptr ? nullptr : &divisor->value);
                                   },
                                   [&](const sare::Select& n) {
                                       of(*n.condition);
                                       return of(*n.if_true).joined(of(*n.if_false));
                                   },
                                   [&](const sare::Cast& n) { return arithmetic_.cast(n.type, of(*n.a)); },
                                   [&](const sare::Reduce& n) { return arithmetic_.reduced(n.op, of(*n.body), true); }},
                          expr.node);
    }

    Kinds kinds_;
    Arithmetic arithmetic_;
};

// Arrays and value-lets by name; those of one name count as one.
class OfProgram {
public:
    OfProgram(const sched::Program& program, const Kinds& tensors) : tensors_(tensors) {
        for (const sched::Array& array : program.arrays) { declare(array.name, array.type); }
        std::map<std::string, Kind> before;
        do {
            before = memory_;
            sched::for_each_statement(program.body, [&](const sched::Stmt& statement) { look_at(statement); });
        } while (before != memory_);
    }

    bool has_numbers_only() const { return arithmetic_.has_numbers_only(); }
    bool adds() const { return arithmetic_.adds(); }

private:
    void declare(const std::string& name, value::Type type) {
        memory_[name] = memory_[name].joined({value::is_float(type), false});
    }
    void hold(const std::string& name, const Kind& kind) { memory_[name] = memory_[name].joined(kind); }

    void look_at(const sched::Stmt& statement) {
        sched::for_each_part(statement, [&](const sched::Expr& part) { of(part); });
        if (const auto* array = std::get_if<sched::Allocate>(&statement.node)) { declare(array->array, array->type); }
        if (const auto* let = std::get_if<sched::LetValue>(&statement.node)) {
            declare(let->name, let->type);
            hold(let->name, of(let->value));
        }
        const auto* assign = std::get_if<sched::Assign>(&statement.node);
        if (assign == nullptr) { return; }
        for (const sched::Write& write : assign->writes) {
            Kind kind = of(write.value);
            if (write.accumulation) {
                kind =
                    arithmetic_.binary(value::binary_op(write.accumulation->op), memory_[write.array], kind, nullptr);
            }
            hold(write.array, write.prophecy ? kind.joined(of(*write.prophecy)) : kind);
        }
    }

    Kind of(const sched::Expr& expr) {
        using namespace sched;
        return std::visit(Overload{[&](const Literal& n) { return arithmetic_.literal(n.value); },
                                   [&](const Embed& n) {
                                       of(*n.index);
                                       return Kind{value::is_float(n.type), false};
                                   },
                                   [&](const ValueVariable& n) { return memory_[n.name]; },
                                   [&](const Load& n) {
                                       for_each_part(expr, [&](const Expr& part) { of(part); });
                                       return memory_[n.array];
                                   },
                                   [&](const TensorAccess& n) {
                                       const auto known = tensors_.find({n.tensor, n.component});
                                       return known == tensors_.end() ? Kind{true, true} : known->second;
                                   },
                                   [&](const Unary& n) { return arithmetic_.computed(of(*n.a)); },
                                   [&](const Binary& n) {
                                       const auto* divisor = std::get_if<Literal>(&n.b->node);
                                       return arithmetic_.binary(n.op, of(*n.a), of(*n.b),
                                                                 divisor == nullptr ? nullptr : &divisor->value);
                                   },
                                   [&](const Cast& n) { return arithmetic_.cast(n.type, of(*n.a)); },
                                   [&](const Select& n) {
                                       of(*n.condition);
                                       return of(*n.if_true).joined(of(*n.if_false));
                                   },
                                   [&](const LaneReduce& n) { return arithmetic_.reduced(n.op, of(*n.body), false); },
                                   [&](const LetIn& n) {
                                       of(*n.value);
                                       return of(*n.body);
                                   },
                                   [&](const LetValueIn& n) {
                                       declare(n.name, n.type);
                                       hold(n.name, of(*n.value));
                                       return of(*n.body);
                                   },
                                   // Indices and conditions.
                                   [&](const auto&) {
                                       for_each_part(expr, [&](const Expr& part) { of(part); });
                                       return Kind{};
                                   }},
                          expr.node);
    }

    const Kinds& tensors_;
    std::map<std::string, Kind> memory_;
    Arithmetic arithmetic_;
};

}  // namespace

bool may_regroup_sums(const sare::Sare& sare, const sched::Program& program) {
    return are_independent_of_floats(program, sare::outputs_without_floats(sare)) &&
           use_floats_as_prophesied(program, sare::components_of_floats(sare));
}

bool add_floats(const sare::Sare& sare, const sched::Program& program) {
    const OfSpecification meant(sare);
    return meant.adds() || OfProgram(program, meant.kinds()).adds();
}

bool are_real_numbers(const sare::Sare& sare, const sched::Program& program) {
    if (!may_regroup_sums(sare, program)) { return false; }
    const OfSpecification meant(sare);
    return meant.has_numbers_only() && OfProgram(program, meant.kinds()).has_numbers_only();
}

}  // namespace haruspex::validator
