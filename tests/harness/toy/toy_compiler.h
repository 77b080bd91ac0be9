#pragma once

#include <memory>

#include "harness/compiler/compiler.h"

// Toy: a small compiler that stands behind the seam in tests. It lowers a program to naive loops, chunks loops, runs the
// passes of the schedule in their order, and executes the result with a brute-force interpreter. It takes programs
// whose indices are affine. Its bugs:
//
//   lowering      chunks of 3 leave out the last iterations where the extent is no multiple
//   tidy          drops the guard of chunks of 4
//   narrow        swaps the operands of differences of u8
//   settle        fails when it runs twice
//   widen         keeps sums of w32 within the type instead of letting them wrap
//   execution     computes products of i16 as sums
namespace haruspex::toy {

std::unique_ptr<compiler::Compiler> make_toy();

// The stand-alone command of the compiler, for reproducers: reads a case and what a cell of it must be, compiles it,
// and runs it. Exit code 0 when the cell has that value, 1 when it has not or the compiler fails, 2 for a malformed
// file.
int run_file(const char* path);

}  // namespace haruspex::toy
