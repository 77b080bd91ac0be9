#include "oracle/verdict/verdict.h"

#include <set>
#include <string>

#include "tests/support/catch.h"

namespace haruspex::verdict {
namespace {

constexpr int classes = static_cast<int>(Class::harness_failure) + 1;

TEST_CASE("every class has a name of its own, which reads back") {
    std::set<std::string> names;
    for (int i = 0; i < classes; ++i) {
        const auto cls = static_cast<Class>(i);
        names.emplace(name(cls));
        CHECK(parse_class(name(cls)) == cls);
    }
    CHECK(names.size() == classes);
    CHECK_FALSE(parse_class("wrong"));
    CHECK_FALSE(parse_class(""));
}

TEST_CASE("findings are what a compiler engineer wants to see") {
    std::set<std::string> findings;
    for (int i = 0; i < classes; ++i) {
        const auto cls = static_cast<Class>(i);
        if (is_finding(cls)) { findings.emplace(name(cls)); }
    }
    CHECK(findings == std::set<std::string>{"wrong_result", "wrong_lowering", "wrong_code", "latent_bug",
                                            "refuted_lowering", "introduced_overflow", "over_rejection",
                                            "compiler_crash", "compiler_internal_error", "compiler_hang",
                                            "compiler_out_of_memory", "program_crash", "program_hang",
                                            "program_out_of_memory", "stray_write", "nondeterminism"});
}

}  // namespace
}  // namespace haruspex::verdict
