#include "oracle/smt/cvc5.h"

#include <string>

#include "harness/process/process.h"

namespace haruspex::smt {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

Result<SecondOpinion> understood(const process::Command& command, const process::Ended& ended) {
    const std::string& program = command.words.front();
    if (ended.signal) { return fail(program + " " + how(ended, command.limits)); }
    const std::string line = first_line(ended.output);
    if (line == "sat") { return SecondOpinion{Satisfiability::sat, {}}; }
    if (line == "unsat") { return SecondOpinion{Satisfiability::unsat, {}}; }
    // When its budget is spent the program ends with "unknown", or reports an interruption.
    if (line == "unknown" || line.find("interrupted") != std::string::npos) {
        return SecondOpinion{Satisfiability::unknown, ended.output.substr(0, ended.output.find_last_not_of('\n') + 1)};
    }
    return fail(program + " does not answer but says: " + (line.empty() ? "nothing" : ended.output));
}

}  // namespace

Result<SecondOpinion> check_with_cvc5(const std::string& text, const Cvc5& cvc5) {
    const process::Command command{.words = {cvc5.program, "--lang=smt2", "--rlimit=" + std::to_string(cvc5.rlimit)},
                                   .limits = {.cpu_seconds = cvc5.seconds, .memory = cvc5.memory},
                                   .errors = process::Errors::with_output};
    const auto ended = process::run(command, text);
    return ended ? understood(command, *ended) : fail(ended.error());
}

}  // namespace haruspex::smt
