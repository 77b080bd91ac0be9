#pragma once

#include <map>
#include <string>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"
#include "reports/render/evidence.h"

// A finding as an issue for the compiler's maintainers.
namespace haruspex::render {

struct Report {
    std::string title;
    std::string pipeline;  // with its schedule, as a user of the compiler writes it
    // Name -> content: report.md, report.html (the same for a browser, with links to the others), case.json, repro.cpp;
    // program.sched and obligation.smt2 when there is evidence for them.
    std::map<std::string, std::string> files;
};

// The name of the page among the files.
inline constexpr const char* page_file = "report.html";

// Returns the report of a finding (ENSURE). An Error if the case is no program of the compiler.
[[nodiscard]] Result<Report> report(const cases::Case& c, const verdict::Verdict& verdict, const Evidence& evidence,
                                    const Installation& installation);

}  // namespace haruspex::render
