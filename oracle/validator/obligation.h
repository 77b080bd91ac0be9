#pragma once

#include <isl/cpp.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/sched/syntax.h"
#include "oracle/heap/heap.h"
#include "oracle/validator/scope.h"
#include "oracle/validator/term.h"
#include "oracle/verdict/obligation_kind.h"

// What must hold for a program to implement its specification (thesis 5.1, C in Fig. 5.4), and where it comes from.
namespace haruspex::validator {

using Kind = verdict::ObligationKind;
using verdict::is_of_bounds;

// Something that is computed when it is asked for.
template <typename T>
class Deferred {
public:
    Deferred(T object) : compute_([object = std::move(object)] { return object; }) {}
    explicit Deferred(std::function<T()> compute) : compute_(std::move(compute)) {}
    T operator()() const { return compute_(); }

private:
    std::function<T()> compute_;
};

// Two values that must be equal: where the specification's is defined, the implementation's is, and they are the same.
struct Equation {
    heap::Value specification, implementation;
    isl::set environments;
};

// An equation that implies another one, and is shown with less work if it is: the implementation's value as it is
// written (outline.h), lets that have a parameter of their own, and no more about them than is known in one piece.
struct OutlinedEquation {
    heap::Value specification;
    Deferred<std::optional<Term>> implementation;
    isl::set environments;
    std::uint64_t reads = 0;  // of memory, as it is written
};

struct Obligation {
    Kind kind = Kind::value;
    std::string statement;  // its headline; for coverage the output
    std::string rule;       // "S-Assign: reads(e) ⊆ dom(h)"
    // Either where it is violated, a set of parameters that has to be empty, …
    std::optional<Deferred<isl::set>> violations;
    // … or what has to be equal.
    std::optional<Deferred<Equation>> equation;
    // Whether a set depends on what is written, as what is to be equal does; others are of the cells alone that are
    // read and written.
    bool is_of_values = false;
    // The write that an equation of kind `value` is about.
    const sched::Write* write = nullptr;
    std::optional<OutlinedEquation> outline = std::nullopt;
};

// Those of a derivation, in the order of the text. In what is obliged in a scope, what its lets stand for takes their
// place.
class Obligations {
public:
    Obligation& add(Kind kind, const sched::Stmt& stmt, std::string rule, const Deferred<isl::set>& violations,
                    const Scope& scope);
    void add(Kind kind, const sched::Stmt& stmt, std::string rule, const Equation& equation, const Scope& scope);
    // The equation is resolved already.
    Obligation& add(Kind kind, const sched::Stmt& stmt, std::string rule, const Deferred<Equation>& equation);

    std::vector<Obligation> take() { return std::exchange(all_, {}); }

private:
    std::vector<Obligation> all_;
};

}  // namespace haruspex::validator
