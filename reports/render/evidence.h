#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generators/case/case.h"
#include "harness/compiler/fork_server.h"
#include "oracle/smt/query.h"
#include "oracle/validator/validator.h"
#include "oracle/verdict/verdict.h"

// The evidence for a finding that a report shows beside the case.
namespace haruspex::render {

// The compiler that was tested, and how to get it.
struct Installation {
    compiler::Identity compiler;
    std::string package;  // compiler::Compiler::package
    std::string flags;    // compiler::Compiler::build_flags
};

// Where lowering goes wrong, with the compiler's own statements.
struct WrongPass {
    std::string last_right, first_wrong;  // as in verdict::Verdict::pass; "source" if none is known to be right
    std::string before, after;            // the statements after these passes; empty for "source"
};

struct Evidence {
    std::optional<WrongPass> wrong_pass;
    std::string last_pass;  // if the compiler failed: the last pass that ended; empty if none did
    std::string statement;  // from which code is generated, if the compiler came so far
    std::string program;    // the same as SCHED, with prophecies; empty if these are not available
    // The specification's value for the verdict's cell, if it gives one.
    std::optional<value::Value> reference;
    // The cells of inputs on which the verdict's cell depends, in the order in which the specification reads them.
    std::vector<smt::CellValue> inputs;
    // The obligation by which the validator for programs with prophecies refuted the program, if it did; and its query
    // to a solver, if there was one.
    std::optional<validator::Judgement> obligation;
    std::string query;
};

// Lowers the case again and gathers everything that can be observed. The verdict must be from the same compiler.
Evidence gather(const cases::Case& c, const verdict::Verdict& verdict, compiler::ForkServer& server);

}  // namespace haruspex::render
