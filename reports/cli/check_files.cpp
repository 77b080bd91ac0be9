#include "reports/cli/check_files.h"

#include "reports/store/files.h"

namespace haruspex::cli {

void add_check_files(CLI::App& command, CheckFiles& files) {
    command.add_option("--junit", files.junit, "Also write the results to this file as JUnit's XML, for CI servers")
        ->type_name("FILE");
    command.add_option("--sarif", files.sarif, "Also write the results to this file as SARIF, for code scanning")
        ->type_name("FILE");
}

Result<void> can_be_written(const CheckFiles& files) {
    for (const std::filesystem::path& file : {files.junit, files.sarif}) {
        if (file.empty()) { continue; }
        if (auto writable = store::can_be_written(file); !writable) { return writable; }
    }
    return {};
}

Result<void> write(const CheckFiles& files, const bugs::Checks& checks) {
    if (!files.junit.empty()) {
        if (auto written = store::write_atomically(files.junit, bugs::to_junit(checks)); !written) { return written; }
    }
    return files.sarif.empty() ? Result<void>{} : store::write_atomically(files.sarif, bugs::to_sarif(checks));
}

}  // namespace haruspex::cli
