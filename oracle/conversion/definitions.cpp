#include "oracle/conversion/definitions.h"

#include "harness/sched/traverse.h"

namespace haruspex::conversion {

void define(sched::NormalForms& forms, const std::string& name, const sched::Expr& value) {
    if (sched::arrays_read(value).empty()) {
        forms.define(name, value);
    } else {
        forms.represent(name, name);
    }
}

void define(sched::NormalForms& forms, const std::string& name, const std::optional<sched::Lanes>& lanes,
            const sched::Expr& value) {
    if (sched::arrays_read(value).empty()) {
        forms.define(name, lanes, value);
    } else {
        forms.represent(name, name);
    }
}

}  // namespace haruspex::conversion
