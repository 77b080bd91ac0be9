#include "reports/store/version.h"

namespace haruspex::store {

std::string haruspex_version() { return HARUSPEX_VERSION; }

}  // namespace haruspex::store
