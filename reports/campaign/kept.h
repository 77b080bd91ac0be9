#pragma once

#include <cstdint>
#include <string>

#include "oracle/verdict/verdict.h"

namespace haruspex::campaign {

// A case that a campaign kept: a finding, or a fault of haruspex itself.
struct Kept {
    std::uint64_t index = 0;
    verdict::Class cls = verdict::Class::agrees;
    std::string group;
    std::string folder;  // relative to the campaign's folder; empty if it was not filed
    std::string message;
};

}  // namespace haruspex::campaign
