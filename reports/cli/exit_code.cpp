#include "reports/cli/exit_code.h"

namespace haruspex::cli {

ExitCode exit_code_of(verdict::Class cls) {
    // A case written by hand may well be bad.
    if (cls == verdict::Class::bad_case) { return bad_input; }
    if (verdict::is_own_fault(cls)) { return own_fault; }
    return verdict::is_finding(cls) ? findings : nothing_found;
}

}  // namespace haruspex::cli
