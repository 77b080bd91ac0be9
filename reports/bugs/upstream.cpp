#include "reports/bugs/upstream.h"

#include "generators/base/ensure.h"

namespace haruspex::bugs {
namespace {

constexpr std::string_view none_found = "none found";
constexpr std::string_view scheme = "https://";

}  // namespace

std::optional<Upstream> parse_upstream(std::string_view text) {
    if (text == none_found) { return Upstream{LookUp::none_found, {}}; }
    const bool is_address =
        text.starts_with(scheme) && text.size() > scheme.size() && text.find_first_of(" \t\n") == text.npos;
    return is_address ? std::optional(Upstream{LookUp::found, std::string(text)}) : std::nullopt;
}

std::string to_string(const Upstream& upstream) {
    switch (upstream.look_up) {
        case LookUp::not_done: return {};
        case LookUp::none_found: return std::string(none_found);
        case LookUp::found: return upstream.address;
    }
    raise_internal_error(__FILE__, __LINE__, "no such look-up");
}

}  // namespace haruspex::bugs
