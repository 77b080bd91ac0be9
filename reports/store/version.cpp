#include "reports/store/version.h"

#include <charconv>

namespace haruspex::store {

std::string haruspex_version() { return HARUSPEX_VERSION; }

int major_of(const std::string& version) {
    int major = 0;
    std::from_chars(version.data(), version.data() + version.size(), major);
    return major;
}

}  // namespace haruspex::store
