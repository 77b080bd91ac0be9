#include "tests/support/rejected.h"

#include "generators/schedule/halide/text.h"

using namespace haruspex;

TEST_CASE("every malformed schedule of the corpus is refused with its message") {
    test::check_rejected(".sched", 15, [](const std::string& text, const std::string& file) {
        return schedule::halide::parse_schedule(text, file);
    });
}
