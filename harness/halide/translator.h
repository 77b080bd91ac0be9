#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/halide/prophecy.h"
#include "harness/halide/term.h"
#include "harness/halide/translate.h"

// Translates Halide's expressions, as translate.h says. Private to this folder.
namespace haruspex::halide {

// The lane at which a vector is translated; nullopt for a scalar.
using Lane = std::optional<sched::Expr>;

// The meaning of a Halide name.
struct Binding {
    enum class Kind : std::uint8_t {
        variable,  // the index or condition with the name `name`
        value,     // the value-let with the name `name`
        inlined,   // the let's definition, translated anew at each use
        opaque,    // a handle: never translated
    };
    Kind kind = Kind::opaque;
    std::string name;  // in SCHED
    sched::ExprType type;
    bool has_lanes = false;
    Halide::Expr definition;  // for lets
};
using Bindings = std::map<std::string, Binding>;

struct TranslatedLet {
    Binding binding;
    std::optional<sched::Lanes> lanes;  // for a vector
    sched::Expr value;                  // at the lane of `lanes`; meaningless for handles
};

class ExpressionTranslator {
public:
    explicit ExpressionTranslator(const Interface& interface);

    // Throws NotTranslated.
    Term translate(const Halide::Expr& e, const Lane& lane);
    sched::Expr index(const Halide::Expr& e, const Lane& lane = {}) { return as_index(translate(e, lane)); }
    // Translates an index of an access under a predicate. Throws NotTranslated if the index reads memory where the
    // predicate does not hold.
    sched::Expr predicated_index(const Halide::Expr& e, const Halide::Expr& predicate, const Lane& lane);

    // Finds in the value, or in lets that the value mentions, the prophecy for a store to this array: a function or a
    // component of it, by Halide's name.
    std::optional<sched::Expr> prophecy(const Halide::Expr& value, const std::string& array, const Lane& lane);

    Bindings& scope() { return scope_; }
    const Bindings& scope() const { return scope_; }
    // Returns lanes with a variable that neither the scope nor the specification uses. Call release_lane() when the
    // scope of the lane variable ends.
    sched::Lanes take_lanes(int count);
    void release_lane() { lanes_taken_.pop_back(); }
    // Returns the name with Halide's name of a function replaced by the specification's.
    std::string readable(const std::string& name) const;
    // Returns the name in SCHED of the array that holds a component of a function.
    std::string array_of(const std::string& function, int component) const;
    std::map<std::string, std::string>& arrays() { return arrays_; }  // Halide's name -> name in SCHED, if they differ
    std::set<std::string>& tuples() { return tuples_; }
    bool is_bool_array(const std::string& array) const { return bool_arrays_.contains(array); }
    std::set<std::string>& bool_arrays() { return bool_arrays_; }

    // Returns the meaning of the let's name inside the let, and the translated definition.
    TranslatedLet translate_let(const std::string& name, const Halide::Expr& value);

private:
    Term variable(const Halide::Internal::Variable& v, const Lane& lane);
    Term ramp(const Halide::Internal::Ramp& ramp, const Lane& lane);
    Term load(const Halide::Internal::Load& load, const Lane& lane);
    Term let(const Halide::Internal::Let& let, const Lane& lane);
    Term shuffle(const Halide::Internal::Shuffle& shuffle, const Lane& lane);
    // Returns selects that choose the alternative with the given number, from 0 to count - 1.
    Term choose(const Term& number, std::size_t count, const std::function<Term(std::size_t)>& alternative);
    // The lane divided by a constant. A lane that is put together as x * divisor + y, where y is a lane below the
    // divisor, is taken apart again.
    sched::Expr lane_quotient(const sched::Expr& lane, int divisor) const;
    sched::Expr lane_remainder(const sched::Expr& lane, int divisor) const;
    struct LaneParts {
        sched::Expr quotient, remainder;
    };
    std::optional<LaneParts> lane_parts(const sched::Expr& lane, int divisor) const;
    Term vector_reduce(const Halide::Internal::VectorReduce& reduce, const Lane& lane);
    Term call(const Halide::Internal::Call& call, const Lane& lane);
    Term access(const Halide::Internal::Call& call, const Lane& lane);
    // Returns the value of a field of a halide_buffer_t if the value is the same for all cases.
    std::optional<Term> known_field(const std::string& buffer_name, const std::string& field) const;
    std::optional<Term> buffer_field(const Halide::Internal::Call& call);
    Term intrinsic(const Halide::Internal::Call& call, const Lane& lane);
    Term if_then_else(const Halide::Internal::Call& call, const Lane& lane);
    Term arbitrary(Halide::Type type) const;
    // Translates an expression that is evaluated only under the condition.
    Term only_if(const Term& condition, const std::function<Term()>& translated);
    template <typename Node>
    std::pair<Term, Term> operands(const Node& node, const Lane& lane);
    std::optional<bool> handle_comparison(const Halide::Expr& a, const Halide::Expr& b);
    Term reinterpret(const Halide::Expr& value, Halide::Type to, const Lane& lane);
    std::optional<Term> signed_widen_right(const Halide::Internal::Cast& cast, const Lane& lane);
    struct FoundProphecy {
        Prophecy prophecy;
        int lanes = 1;
        std::vector<Halide::Expr> indices;
        Halide::Expr reduced_by;  // the VectorReduce of the prophesied value; undefined if there is none
    };
    struct Found {
        std::vector<FoundProphecy> prophecies;
        std::vector<Halide::Expr> shuffles;
    };
    Found find_prophecies(const Halide::Expr& value);
    std::optional<FoundProphecy> prophesied(const Halide::Expr& value, const std::string& array);

    const Interface& interface_;
    Bindings scope_;
    std::map<std::string, std::string> arrays_;
    std::set<std::string> tuples_;
    std::set<std::string> bool_arrays_;
    // The condition under which the present expression is evaluated at all (if_then_else); nullopt: always.
    std::optional<Term> reached_;
    std::string lane_ = "lane";
    std::vector<sched::Lanes> lanes_taken_;
};

// Whether a value may read memory where the predicate does not hold. Reads by coordinates have no predicate of their
// own, so any of them counts unless the predicate is constantly true.
bool reads_beyond(const Halide::Expr& value, const Halide::Expr& predicate);

// Throws NotTranslated for an operator that saturates.
value::ReductionOp operator_of(const Halide::Internal::VectorReduce& reduce);

// Applies the operator that an intrinsic stands for to translated arguments; nullopt if the intrinsic is unknown.
std::optional<Term> intrinsic_term(const std::string& name, Halide::Type type, const std::vector<Term>& arguments);

}  // namespace haruspex::halide
