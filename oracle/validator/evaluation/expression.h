#pragma once

#include <string>
#include <vector>

#include "oracle/validator/scope/scope.h"
#include "oracle/validator/specification/signature.h"

// Value expressions in a symbolic heap (thesis Fig. 5.1 and 5.2), including SCHED's extensions of the thesis.
namespace haruspex::validator {

// A read of memory, in the environments in which it happens.
struct Read {
    std::string array;  // its name in the program
    heap::Location location;
    isl::set environments;
};

struct Reads {
    std::vector<Read> of_memory;  // one for each access, for all its lanes, in the order of the text
    isl::set beyond_lanes;        // the environments in which a value-let is read at a lane that it does not have
};

class Expressions {
public:
    Expressions(heap::Templates& templates, const TensorSignatures& tensors)
        : templates_(templates), tensors_(tensors) {}

    const TensorSignatures& tensors() const { return tensors_; }

    // ⟦e⟧_h: the value of an expression in a heap. A cell that is in no relation of the heap is Uninit.
    heap::Value evaluate(const sched::Expr& expr, const Scope& scope, const heap::Memory& memory) const;
    // decompose(t): the value of a prophecy, an expression over tensors that reads no memory.
    heap::Value prophecy(const sched::Expr& expr, const Scope& scope) const;
    // A value-let in the scope and the heap in which it stands. Its value is a family: one value that has the lane as a
    // parameter, if there are lanes. Evaluated on demand.
    ValueInScope family(const std::string& name, const std::optional<sched::Lanes>& lanes, value::Type type,
                        const sched::Expr& value, const Scope& scope, const heap::Memory& memory) const;
    // The number of reads of memory in an expression and in the value-lets that it reads; counts up to a thousand.
    std::uint64_t reads_written_out(const sched::Expr& expr, const Scope& scope) const;
    // reads(e), including reads in its indices and conditions, whether or not their values are used.
    Reads reads(const sched::Expr& expr, const Scope& scope) const;

private:
    heap::Value literal(const value::Value& value, const Scope& scope) const;
    heap::Value truth(const isl::set& condition, const Scope& scope) const;
    heap::Value load(const sched::Load& load, const Scope& scope, const heap::Memory& memory) const;
    heap::Value variable(const sched::ValueVariable& variable, const Scope& scope) const;
    heap::Value condition(const sched::Expr& expr, const Scope& scope, const heap::Memory& memory) const;
    void collect(const sched::Expr& expr, const Scope& scope, Reads& reads) const;

    heap::Templates& templates_;
    const TensorSignatures& tensors_;
};

// The scope in which the lane's variable is this number.
Scope with_lane(const Scope& scope, const std::string& variable, std::int64_t lane);
// The value of a family (above) at the lane `index`; `lane` is the isl parameter that stands for the lane.
heap::Value at_lane(const heap::Value& family, const std::string& lane, const isl::pw_aff& index);

}  // namespace haruspex::validator
