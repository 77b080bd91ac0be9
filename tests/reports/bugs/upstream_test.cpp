#include "reports/bugs/upstream.h"

#include <optional>

#include "tests/support/catch.h"

namespace haruspex::bugs {

TEST_CASE("upstream is an address, none found, or not looked up") {
    CHECK(parse_upstream("https://example.org/1") == Upstream{LookUp::found, "https://example.org/1"});
    CHECK(parse_upstream("none found") == Upstream{LookUp::none_found, {}});
    for (const char* text :
         {"", "none", "None found", "#1", "example.org/1", "https://", "https://example.org/1 or 2"}) {
        INFO(text);
        CHECK(parse_upstream(text) == std::nullopt);
    }
    for (const char* text : {"https://example.org/1", "none found"}) {
        CHECK(to_string(*parse_upstream(text)) == text);
    }
    CHECK(to_string(Upstream{}).empty());
}

}  // namespace haruspex::bugs
