#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generators/sare/syntax.h"
#include "harness/compiler/compiler.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/interp/sched_interpreter.h"
#include "oracle/verdict/verdict.h"

// Compares outputs cell by cell, in output order: by output, then by component, dimension 0 fastest.
namespace haruspex::judge {

// The coordinates of the cell with this index.
std::vector<std::int64_t> cell_at(const interp::OutputValues& output, std::size_t index);

// "A(3, 4)", or "A(3, 4)[1]" when the tensor has several components.
std::string cell_name(const sare::Sare& sare, const interp::OutputValues& output,
                      const std::vector<std::int64_t>& cell);
std::string cell_name(const sare::Sare& sare, const verdict::Difference& difference);

// Says why the observed data are not the requested outputs (tensors, components, types, boxes, sizes); nullopt if they
// are.
std::optional<std::string> misshapen(const sare::Sare& sare, const std::vector<interp::OutputValues>& reference,
                                     const std::vector<compiler::TensorData>& data);

// The equality between an implementation's value and the specified one: value::same_number where the compiler may treat
// -0.0 as 0.0 (x + 0 becomes x), that is without strict_float; otherwise value::same_result.
using SameValue = bool (*)(const value::Value&, const value::Value&);
SameValue equality(const cases::Case& c);

// The first cell that differs, and the number of differing cells. The data have the shape of the reference, whose cells
// are all defined. When two runs are compared, the first one's value is `expected`.
std::optional<verdict::Difference> compare_with_reference(const std::vector<interp::OutputValues>& reference,
                                                          const std::vector<compiler::TensorData>& data,
                                                          SameValue same);
std::optional<verdict::Difference> compare_runs(const std::vector<interp::OutputValues>& reference,
                                                const std::vector<compiler::TensorData>& first,
                                                const std::vector<compiler::TensorData>& second, SameValue same);

// Compares the outputs of a lowered program with the reference, in its order; a cell that the program does not have is
// Uninit. Where the reference is Undef, any value but Uninit is right; elsewhere Undef and Uninit are differences, too.
// Returns the first cell that was not written; if there is none, the first with a wrong value; if there is none either,
// the first that overflowed.
std::optional<verdict::Difference> compare_lowered(const std::vector<interp::OutputValues>& reference,
                                                   const std::vector<interp::FinalArray>& outputs, SameValue same);

}  // namespace haruspex::judge
