#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"

// How the users of a compiler see a case: their program, and a stand-alone reproducer.
//
// To add a compiler, implement View in a folder below this one that has the compiler's name, and list it in the
// registry (reports/registry). A reproducer must need nothing but the compiler, and its exit code must be as effect.h
// says. Equal arguments must give equal bytes: no text depends on time, environment or random numbers.
namespace haruspex::render {

// The pipeline as a user of the compiler writes it: statements, one per line, not indented.
struct PipelineText {
    std::string declarations;  // parameters, inputs, variables
    std::string algorithm;
    std::string schedule;
};

// A stand-alone reproducer.
struct Program {
    std::string text;
    std::string command;  // builds and runs the file, in its folder
};

class View {
public:
    virtual ~View() = default;

    virtual std::string_view title() const = 0;         // the compiler's name for a reader
    virtual std::string_view language() const = 0;      // the name of its programs' language in Markdown: "cpp"
    virtual std::string_view program_file() const = 0;  // the file name of a reproducer: "repro.cpp"

    [[nodiscard]] virtual Result<PipelineText> pipeline(const cases::Case& c) const = 0;
    // Returns the complete program: it builds the pipeline, applies the schedule, fills the inputs, runs, and prints
    // the expected and the actual result. It exits with 1 while the verdict's finding shows and with 0 otherwise, as
    // far as a run can show it. Without a verdict it prints a checksum of the outputs. `flags` are
    // compiler::Compiler::build_flags. `statement` is the statement to which the compiler lowers the case, in the
    // compiler's own words, or empty. With it, the program can show a finding that no run shows.
    [[nodiscard]] virtual Result<Program> program(const cases::Case& c, const std::optional<verdict::Verdict>& verdict,
                                                  const std::string& flags,
                                                  const std::string& statement = {}) const = 0;

    // Returns a schedule with comments, for the program that `haruspex init` writes. Users begin with it.
    virtual std::string_view example_schedule() const = 0;

    // Returns the first line of a message of the compiler, without phrases that occur in every error.
    virtual std::string first_line(const std::string& message) const = 0;
    // Returns a statement without the checks with which the compiler begins every statement, for comparison by a
    // reader.
    virtual std::string without_checks(const std::string& statement) const = 0;
    // Returns the GitHub repository for the compiler's issues: "owner/name".
    virtual std::string_view tracker() const = 0;
    // Whether the pass only cleans up after others, so that it is seldom at fault.
    virtual bool is_cleanup(std::string_view pass) const = 0;
};

struct Registered {
    std::string_view compiler;
    const View& (*view)();
};
// Returns the list of this executable (reports/registry).
std::span<const Registered> registered();

// Returns the view of a compiler in this list (ENSURE).
const View& view(std::string_view compiler);

}  // namespace haruspex::render
