#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "generators/case/case.h"
#include "generators/sare/algorithm.h"
#include "generators/sare/build.h"
#include "generators/schedule/halide/directive.h"
#include "harness/compiler/compiler.h"

// Small hand-written algorithms and their compilation by Halide.
namespace haruspex::halide::test {

sare::Expr lit(value::Type type, std::int64_t n);
sare::Expr embed(value::Type type, sare::Index index);
sare::Expr access(const std::string& tensor, std::vector<sare::Index> indices, int component = 0);
sare::Expr apply(value::BinaryOp op, sare::Expr a, sare::Expr b);
sare::Expr apply(value::UnaryOp op, sare::Expr a);
sare::Expr plus(sare::Expr a, sare::Expr b);
sare::Index var(const std::string& name);
sare::Index num(std::int64_t n);
sare::Condition less(sare::Index a, sare::Index b);
sare::Condition at_most(sare::Index a, sare::Index b);
// low <= variable < high
sare::Condition between(std::int64_t low, const std::string& variable, sare::Index high);

sare::Function function(const std::string& name, std::vector<value::Type> types, std::vector<std::string> variables,
                        std::vector<sare::Expr> values);

// An algorithm over parameter N. The output is requested on [min, min + extent) in each dimension.
sare::Algorithm algorithm(std::vector<sare::Input> inputs, std::vector<sare::Function> functions,
                          const std::string& output, std::vector<sare::Span> box);
sare::Span span(std::int64_t min, std::int64_t extent);

// Inputs hold small numbers: 0 … 9 for unsigned types, -9 … 9 for signed ones, halves between -4.5 and 4.5 for floats.
cases::InputDomain small_numbers(value::Type type);
cases::Case case_of(const sare::Algorithm& algorithm, schedule::halide::Schedule schedule = {}, std::int64_t n = 16);

// Runs a case in a fork server with Halide.
compiler::Observation observe(const cases::Case& c);
// The values of the only output, by component. Fails the test unless both runs agree without stray writes.
std::vector<std::vector<value::Value>> results(const cases::Case& c);
// The values of an integer output with one component.
std::vector<std::int64_t> integers(const cases::Case& c);

// The value of the input's cell, as an integer.
std::int64_t input(const cases::Case& c, const std::string& name, std::vector<std::int64_t> at);

}  // namespace haruspex::halide::test
