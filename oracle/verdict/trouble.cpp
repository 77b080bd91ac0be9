#include "oracle/verdict/trouble.h"

#include "generators/base/ensure.h"
#include "generators/base/enumerators.h"

namespace haruspex::verdict {

std::string_view name(TroubleKind kind) {
    switch (kind) {
        case TroubleKind::out_of_bounds_read: return "out_of_bounds_read";
        case TroubleKind::out_of_bounds_write: return "out_of_bounds_write";
        case TroubleKind::read_after_free: return "read_after_free";
        case TroubleKind::write_after_free: return "write_after_free";
        case TroubleKind::free_after_free: return "free_after_free";
        case TroubleKind::write_to_input: return "write_to_input";
        case TroubleKind::read_write_race: return "read_write_race";
        case TroubleKind::write_write_race: return "write_write_race";
        case TroubleKind::lane_conflict: return "lane_conflict";
        case TroubleKind::depends_on_uninit: return "depends_on_uninit";
        case TroubleKind::depends_on_undef: return "depends_on_undef";
        case TroubleKind::assertion_failed: return "assertion_failed";
        case TroubleKind::index_overflow: return "index_overflow";
        case TroubleKind::negative_extent: return "negative_extent";
        case TroubleKind::negative_units: return "negative_units";
        case TroubleKind::deadlock: return "deadlock";
        case TroubleKind::order_matters: return "order_matters";
    }
    raise_internal_error(__FILE__, __LINE__, "no such kind of trouble");
}

std::optional<TroubleKind> parse_trouble_kind(std::string_view text) {
    return enumerator_named(all_trouble_kinds, text);
}

}  // namespace haruspex::verdict
