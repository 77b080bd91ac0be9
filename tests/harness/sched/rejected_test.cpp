#include "tests/support/rejected.h"

#include "harness/sched/text.h"

using namespace haruspex;

TEST_CASE("every malformed program of the corpus is refused with its message") {
    test::check_rejected(".program", 40, [](const std::string& text, const std::string& file) {
        return sched::parse_program(text, file);
    });
}
