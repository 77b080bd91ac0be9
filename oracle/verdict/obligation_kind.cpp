#include "oracle/verdict/obligation_kind.h"

#include "generators/base/ensure.h"
#include "generators/base/enumerators.h"

namespace haruspex::verdict {

std::string_view name(ObligationKind kind) {
    switch (kind) {
        case ObligationKind::bounds_read: return "bounds_read";
        case ObligationKind::bounds_write: return "bounds_write";
        case ObligationKind::freed: return "freed";
        case ObligationKind::input_written: return "input_written";
        case ObligationKind::uninit: return "uninit";
        case ObligationKind::lanes: return "lanes";
        case ObligationKind::race_read_write: return "race_read_write";
        case ObligationKind::race_write_write: return "race_write_write";
        case ObligationKind::value: return "value";
        case ObligationKind::coverage: return "coverage";
        case ObligationKind::assertion: return "assertion";
        case ObligationKind::vacuous: return "vacuous";
    }
    raise_internal_error(__FILE__, __LINE__, "no such kind of obligation");
}

std::optional<ObligationKind> parse_obligation_kind(std::string_view text) {
    return enumerator_named(all_obligation_kinds, text);
}

}  // namespace haruspex::verdict
