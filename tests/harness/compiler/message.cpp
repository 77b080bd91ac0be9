#include "harness/compiler/message.h"

#include "tests/support/catch.h"

namespace haruspex::compiler {

TEST_CASE("what varies between machines is taken out of a compiler's words") {
    CHECK(normalise("Internal Error at /build/halide-1/src/Bounds.cpp:12 triggered") ==
          "Internal Error at Bounds.cpp:12 triggered");
    CHECK(normalise("Error: (at /home/me/x.cpp:7) Func f is bad\n") == "Error: Func f is bad");
    CHECK(normalise("fault at 0x7ffE01 and 0x0") == "fault at 0x… and 0x…");
    CHECK(normalise("see '/tmp/a/b.txt'") == "see 'b.txt'");
}

TEST_CASE("expressions in a compiler's words are left alone") {
    const std::string words = "min(a, b)/4 + W / 2 in f.s0.x (x/y)";
    CHECK(normalise(words) == words);
}

TEST_CASE("control bytes and endless words are tamed") {
    CHECK(normalise(std::string("a\0b\x1b[1m", 7)) == "a?b?[1m");
    CHECK(normalise(std::string(5000000, 'x')).size() <= 4000);
    CHECK(normalise(" \n\t ").empty());
}

}  // namespace haruspex::compiler
