#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "oracle/interp/sched_code.h"

// Compiles SCHED expressions with the names in scope.
namespace haruspex::interp::loops {

// The meaning of the names in scope; variables, value-lets, arrays and semaphores have separate namespaces.
class Names {
public:
    // A position in the sequence of bindings.
    using Mark = std::size_t;
    Mark mark() const { return bound_.size(); }
    // Ends the scope of everything bound since.
    void unwind(Mark mark);

    void bind(const std::string& name, NumberId variable);
    void bind(const std::string& name, ValueBinding value);
    void bind(const std::string& name, ArrayId array);
    void bind(const std::string& name, SemaphoreId semaphore);

    // The name must be bound (ENSURE).
    NumberId variable(const std::string& name) const;
    const ValueBinding& value(const std::string& name) const;
    ArrayId array(const std::string& name) const;
    SemaphoreId semaphore(const std::string& name) const;

private:
    enum class Kind : std::uint8_t { variable, value, array, semaphore };
    template <typename T>
    using Stacks = std::unordered_map<std::string_view, std::vector<T>>;

    Stacks<NumberId> variables_;
    Stacks<ValueBinding> values_;
    Stacks<ArrayId> arrays_;
    Stacks<SemaphoreId> semaphores_;
    std::vector<std::pair<Kind, std::string_view>> bound_;
};

class ExprCompiler {
public:
    explicit ExprCompiler(Code& code) : code_(code) {}

    Names& names() { return names_; }
    // Compiles an index or a condition.
    NumberId number(const sched::Expr& expr);
    // Compiles a condition or a bool.
    NumberId truth(const sched::Expr& expr);
    ValueId value(const sched::Expr& expr);
    // Compiles an access; returns its position in Code::accesses.
    std::uint32_t access(ArrayId array, const std::vector<sched::Expr>& indices, const sched::Expr* guard);

    NumberId constant(std::int64_t v);
    // Returns a new variable and its slot.
    std::pair<NumberId, Slot> variable();
    LaneRange lane_range(const sched::Lanes& lanes);  // binds the lane
    ValueBinding value_binding(const sched::LetValueIn& let);
    ValueBinding value_binding(const sched::LetValue& let);
    // Whether lanes need more slots than allowed.
    bool is_too_large() const { return too_large_; }

private:
    NumberId add(NumberNode node);
    ValueId add(ValueNode node);
    ValueId constant(value::Value v);
    NumberId arithmetic(Arithmetic op, const Box<sched::Expr>& a, const Box<sched::Expr>& b);
    // A sum, difference or product as a linear form; nullopt unless it is linear with small coefficients.
    std::optional<NumberId> linear(Arithmetic op, NumberId a, NumberId b);
    ValueId select(const sched::Select& select);
    ValueBinding value_binding(const std::optional<sched::Lanes>& lanes, const sched::Expr& value);
    // The constant value of a node, or null.
    const std::int64_t* known(NumberId id) const;
    const value::Value* known(ValueId id) const;

    Code& code_;
    Names names_;
    bool too_large_ = false;
};

}  // namespace haruspex::interp::loops
