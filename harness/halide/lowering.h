#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/compiler/compiler.h"
#include "harness/halide/passes.h"
#include "harness/halide/program_builder.h"
#include "harness/halide/translate.h"

// Observes the lowering of a program at the boundaries of the passes.
namespace haruspex::halide {

// Watches the lowering of one program during its lifetime, and reports the requested programs, with or without
// prophecies: the final statement, and the statement after each hooked pass from allocation_bounds_inference on
// (earlier statements have free bounds).
class Lowering : private PassObserver {
public:
    // Borrows everything. `inputs` are the inputs that are read. Adds to the observation's translation time. If nothing
    // is to be run, answers the bounds query from the final statement (bounds_query.h): either reports the regions or
    // records in the observation why there are none.
    Lowering(Program& program, const std::vector<Input*>& inputs, const cases::Case& c,
             const compiler::Request& request, const compiler::Progress& progress, compiler::Observation& observation);

private:
    Halide::Internal::Stmt before(const std::string& pass, const Halide::Internal::Stmt& statement) override;
    Halide::Internal::Stmt after(const std::string& pass, const Halide::Internal::Stmt& result,
                                 const std::map<std::string, Halide::Internal::Function>* environment) override;
    void final_statement(const Halide::Internal::Stmt& statement) override;
    void report(const std::string& pass, const Halide::Internal::Stmt& statement);
    void answer_bounds_query(const Halide::Internal::Stmt& statement);

    const cases::Case& case_;
    Interface interface_;
    compiler::Request request_;
    const compiler::Progress& progress_;
    compiler::Observation& observation_;
    Dialect dialect_ = Dialect::coordinates;
    bool bounds_known_ = false;
    std::map<std::string, int> calls_;
    bool done_ = false;
    ScopedPassObserver observing_;
};

// Lowers the program as for a run, but generates no code.
void lower(Program& program, const std::vector<Halide::Argument>& arguments, const cases::Case& c);

}  // namespace haruspex::halide
