#pragma once

#include <map>
#include <string>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"
#include "reports/render/evidence.h"

// Turns a finding into an issue for the compiler's maintainers.
namespace haruspex::render {

struct Report {
    std::string title;
    std::string pipeline;  // program and schedule, as a user of the compiler writes them
    // Name -> content: report.md, report.html (report.md for a browser, with links to the other files), case.json, and
    // the program (View::program_file); program.tensor for a program of whole tensors; program.sched and
    // obligation.smt2 if there is evidence for them.
    std::map<std::string, std::string> files;
};

// The versions of the compiler in which the bug lives. Both texts are empty if no other version was tried.
struct Versions {
    std::string bad;    // for the title: "14, 19 and 21"
    std::string words;  // "lives in 14 and 19, mended in 21"
};

// The name of the HTML page in Report::files.
inline constexpr const char* page_file = "report.html";

// Returns the report of a finding; the verdict must be one (ENSURE). An Error if the case is not a program of the
// compiler.
[[nodiscard]] Result<Report> report(const cases::Case& c, const verdict::Verdict& verdict, const Evidence& evidence,
                                    const Installation& installation, const Versions& versions = {});

}  // namespace haruspex::render
