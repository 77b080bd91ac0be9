#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generators/case/case.h"
#include "harness/compiler/fork_server.h"
#include "oracle/smt/query.h"
#include "oracle/validator/validator.h"
#include "oracle/verdict/verdict.h"

// What a report tells of a finding beside its case.
namespace haruspex::render {

// How to get the compiler that was tested.
struct Installation {
    compiler::Identity compiler;
    std::string package;  // "libhalide14-0 14.0.0-3 (Debian package)"
    std::string flags;    // with which g++ finds it
};

// Where lowering goes wrong, with the compiler's own statements.
struct WrongPass {
    std::string last_right, first_wrong;  // as in verdict::Verdict::pass; "source" when none is known to be right
    std::string before, after;            // the statements after the two; of "source" there is none
};

struct Evidence {
    std::optional<WrongPass> wrong_pass;
    std::string last_pass;  // the last that ended, of a compiler that failed; empty when none did
    std::string statement;  // from which code is generated, if it came so far
    std::string program;    // the same as SCHED, with prophecies; empty when they cannot be had
    // What the specification says of the verdict's cell, if it says anything.
    std::optional<value::Value> reference;
    // The cells of inputs on which the verdict's cell depends, in the order in which the specification reads them.
    std::vector<smt::CellValue> inputs;
    // What the validator for programs with prophecies could not show, if it refuted the program; the question that it
    // put to a solver, if it had to.
    std::optional<validator::Judgement> obligation;
    std::string query;
};

// Lowers the case again with everything that can be seen of it. The verdict is of the same compiler.
Evidence gather(const cases::Case& c, const verdict::Verdict& verdict, compiler::ForkServer& server);

}  // namespace haruspex::render
