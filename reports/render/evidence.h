#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generators/case/case.h"
#include "harness/compiler/fork_server.h"
#include "oracle/smt/query.h"
#include "oracle/validator/validator.h"
#include "oracle/verdict/verdict.h"

// The evidence for a finding that a report shows besides the case.
namespace haruspex::render {

// The compiler that was tested, how it is installed, and how a program is linked with it.
struct Installation {
    compiler::Identity compiler;
    std::string package;  // compiler::Compiler::package
    std::string flags;    // compiler::Compiler::build_flags
};

// Where lowering goes wrong, with the compiler's own statements.
struct WrongPass {
    std::string last_right, first_wrong;  // as in verdict::Verdict::pass; the former may be "source"
    std::string before, after;            // the statements after these passes; empty for "source"
};

struct Evidence {
    std::optional<WrongPass> wrong_pass;
    std::string last_pass;  // the last pass that ended before the compiler failed; empty if none did
    std::string statement;  // the statement from which code is generated; empty if the compiler did not get that far
    std::string program;    // the lowered program as SCHED, with prophecies; empty if these are not available
    // The specified value of the verdict's cell, if it is defined and results are compared exactly.
    std::optional<value::Value> reference;
    // The cells of inputs on which the verdict's cell depends, in the order in which the specification reads them.
    std::vector<smt::CellValue> inputs;
    // The obligation by which the validator refutes the program with prophecies at the case's sizes, if it does, and
    // the last query to a solver for that obligation, if there was one.
    std::optional<validator::Judgement> obligation;
    std::string query;
};

// Lowers the case again and gathers everything that can be observed. The verdict must be from the same compiler.
Evidence gather(const cases::Case& c, const verdict::Verdict& verdict, compiler::ForkServer& server);

}  // namespace haruspex::render
