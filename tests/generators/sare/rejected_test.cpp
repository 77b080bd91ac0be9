#include "tests/support/rejected.h"

#include "generators/sare/text.h"

using namespace haruspex;

TEST_CASE("every malformed SARE of the corpus is refused with its message") {
    test::check_rejected(".sare", 25,
                         [](const std::string& text, const std::string& file) { return sare::parse_sare(text, file); });
}
