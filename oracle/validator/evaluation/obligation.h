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
#include "oracle/validator/scope/scope.h"
#include "oracle/validator/terms/term.h"
#include "oracle/verdict/obligation_kind.h"

// Obligations: the conditions under which a program implements its specification (thesis 5.1, C in Fig. 5.4), with the
// statement and the rule that each comes from.
namespace haruspex::validator {

using Kind = verdict::ObligationKind;
using verdict::is_about_bounds;

// An object that is computed anew at each request.
template <typename T>
class Deferred {
public:
    Deferred(T object) : compute_([object = std::move(object)] { return object; }) {}
    explicit Deferred(std::function<T()> compute) : compute_(std::move(compute)) {}
    T operator()() const { return compute_(); }

private:
    std::function<T()> compute_;
};

// The claim that one value refines another: in these environments, where the specification's value is defined, the
// implementation's is defined and the same.
struct Equation {
    heap::Value specification, implementation;
    isl::set environments;
};

// An equation that implies another one and, if it holds, takes less work to show. The implementation's value keeps the
// form in which it is written (outline.h). The parameters that stand for lets are not replaced by the lets'
// definitions; only what Scope::known() says of them is used.
struct OutlinedEquation {
    heap::Value specification;
    Deferred<std::optional<Term>> implementation;
    isl::set environments;
    std::uint64_t reads = 0;  // number of reads of memory in the written value
};

struct Obligation {
    Kind kind = Kind::value;
    std::string statement;  // the statement's headline; for coverage the output
    std::string rule;       // "S-Assign: reads(e) ⊆ dom(h)"
    // Either the environments that violate it, a set of parameters that has to be empty, …
    std::optional<Deferred<isl::set>> violations;
    // … or an equation that has to hold.
    std::optional<Deferred<Equation>> equation;
    // Whether the set depends on the values that are written, as an equation does. Other sets depend only on the cells
    // that are read and written.
    bool depends_on_values = false;
    // The write that an equation of kind `value` is about.
    const sched::Write* write = nullptr;
    std::optional<OutlinedEquation> outline = std::nullopt;
};

// Collects the obligations of a derivation, in the order of the text. An obligation added with a scope has the scope's
// lets replaced by their definitions.
class Obligations {
public:
    Obligation& add(Kind kind, const sched::Stmt& stmt, std::string rule, const Deferred<isl::set>& violations,
                    const Scope& scope);
    void add(Kind kind, const sched::Stmt& stmt, std::string rule, const Equation& equation, const Scope& scope);
    // The lets in the equation are already replaced.
    Obligation& add(Kind kind, const sched::Stmt& stmt, std::string rule, const Deferred<Equation>& equation);

    std::vector<Obligation> take() { return std::exchange(all_, {}); }

private:
    std::vector<Obligation> all_;
};

}  // namespace haruspex::validator
