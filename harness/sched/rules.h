#pragma once

#include <span>

#include "harness/sched/environment.h"

// The typing rules themselves, each from the types of an expression's parts to its own. The checker (typing.h) applies
// them to trees, the parser while it reads.
namespace haruspex::sched {

using Typed = std::expected<Types, std::string>;  // or what is wrong

struct Setting {
    Rules rules = Rules::extended;
    Context context = Context::code;
};
// Where the expression of an affine let stands.
Setting inside_let(Setting setting);

// The type of an expression, its premises those of its parts in their order (for_each_part), what it binds excepted.
Typed conclude(const Expr& expr, std::span<const Types> premises, const Environment& environment, Setting setting);

// What a place asks of the expression that stands there.
Sound want_index(Types found);
Sound want_condition(Types found, Setting setting);  // 𝔹, or a bool by the extended rules
Sound want_index_or_condition(Types found);          // of an affine let
Sound want_value(Types found, value::Type type);

Sound check_lanes(const Lanes& lanes);
// The shape by which an array is accessed; its extents, minima and strides are indices.
std::expected<Scope::ArrayShape, std::string> shape_of(value::Type type, const std::vector<Dimension>& dimensions);
// What a write, an accumulation or a free asks of the array with this name.
std::expected<ArrayBinding, std::string> find_array(const std::string& name, const Environment& environment);
Sound find_semaphore(const std::string& name, const Environment& environment);
Sound check_index_count(const std::string& array, Scope::ArrayShape shape, std::size_t count);
Sound check_written(const std::string& array, const ArrayBinding& binding);
Sound check_freed(const std::string& array, const ArrayBinding& binding);
Sound check_accumulation(value::ReductionOp op, value::Type type);
Sound check_array(const Array& array);

}  // namespace haruspex::sched
