#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "generators/tensor/syntax.h"

// Which assignment each use of a variable sees, and what follows from it (Rink, section 5). Without control flow, the
// last assignment before the use reaches it.
namespace haruspex::tensor {

// The variables that the expression reads.
std::set<std::string> reads(const Expr& expr);

// The variables that are defined when the program starts, in the order of their declarations: those qualified as
// `input`; or, if none is, those that are read before they are assigned.
std::vector<std::string> inputs_of(const Program& program);
// The variables whose content after the program is a result, in the order of their declarations: those qualified as
// `output`; or, if none is, those that are assigned.
std::vector<std::string> outputs_of(const Program& program);

// A use of a variable that no statement before it assigns.
struct InitialRead {
    std::size_t statement = 0;  // from 0
    std::string variable;
    bool operator==(const InitialRead&) const = default;
};
// In the order of the statements, at most one for each statement and variable.
std::vector<InitialRead> initial_reads(const Program& program);
// Those of variables that nothing initialises: the program has a variable qualified as `input`, and this is none.
std::vector<InitialRead> uninitialised_reads(const Program& program);

// Whether both programs, well-formed and with the same declarations, compute each output by the same expression over the
// initial contents of variables. It compares expressions only: a + b and b + a differ.
bool have_same_outputs(const Program& a, const Program& b);

// Returns the program without the statements that no output depends on (dead code elimination). Declarations stay: they
// are the interface of the program. The result has the same outputs, which is checked (ENSURE).
Program eliminate_dead_code(const Program& program);

}  // namespace haruspex::tensor
