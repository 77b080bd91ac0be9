#pragma once

#include <expected>
#include <span>
#include <string>
#include <vector>

#include "harness/sched/environment.h"
#include "harness/sched/syntax.h"

// The typing rules. Each derives an expression's type from the types of its parts. The checker (typing.h) applies the
// rules to trees; the parser applies them while it reads.
namespace haruspex::sched {

using Typed = std::expected<Types, std::string>;  // an error describes the fault

struct Setting {
    Rules rules = Rules::extended;
    Context context = Context::code;
};
// Returns the setting for the expression of an affine let.
Setting inside_let(Setting setting);

// Returns the types that an expression may have. `premises` are the types of its parts in the order of for_each_part.
// Names that the expression itself binds need not be in the environment.
Typed conclude(const Expr& expr, std::span<const Types> premises, const Environment& environment, Setting setting);

// Check that the types of an expression fit the place where it stands.
Sound want_index(Types found);
Sound want_condition(Types found, Setting setting);  // 𝔹, or a bool by the extended rules
Sound want_index_or_condition(Types found);          // for an affine let
Sound want_value(Types found, value::Type type);

Sound check_lanes(const Lanes& lanes);
// Returns the shape by which an array is accessed. Fails if only some of the dimensions have strides.
std::expected<Scope::ArrayShape, std::string> shape_of(value::Type type, const std::vector<Dimension>& dimensions);
// Look up names, and check the uses and declarations of arrays.
std::expected<ArrayBinding, std::string> find_array(const std::string& name, const Environment& environment);
Sound find_semaphore(const std::string& name, const Environment& environment);
Sound check_index_count(const std::string& array, Scope::ArrayShape shape, std::size_t count);
Sound check_written(const std::string& array, const ArrayBinding& binding);
Sound check_freed(const std::string& array, const ArrayBinding& binding);
Sound check_accumulation(value::ReductionOp op, value::Type type);
Sound check_array(const Array& array);

}  // namespace haruspex::sched
