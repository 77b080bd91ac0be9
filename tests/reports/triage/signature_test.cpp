#include "reports/triage/signature.h"

#include <string>
#include <vector>

#include "generators/schedule/halide/text.h"
#include "generators/schedule/language.h"
#include "tests/support/catch.h"

namespace haruspex::triage {
namespace {

struct Row {
    std::string message, expected;
};

const std::vector<Row>& rows() {
    static const std::vector<Row> table{
        {"", ""},
        {"Output buffer f2 is accessed at 7, which is beyond the max (6) in dimension 0",
         "Output buffer <name> is accessed at <n>, which is beyond the max (<n>) in dimension <n>"},
        {"Input buffer in0 is accessed at -1, which is before the min (0) in dimension 1",
         "Input buffer <name> is accessed at <n>, which is before the min (<n>) in dimension <n>"},
        {"Constraint violated: f.extent.0 (5) == 8 (8)", "Constraint violated: <name> (<n>) == <n> (<n>)"},
        {"Error: Func \"f1\" was called with 3 arguments, but was defined with 2",
         "Error: Func <name> was called with <n> arguments, but was defined with <n>"},
        {"In schedule for f1.update(0), could not find dimension r$x to mark as vectorized in vars for function",
         "In schedule for <name>(<n>), could not find dimension <name> to mark as vectorized in vars for function"},
        {"Can't vectorize across f0.s1.r4$x", "Can't vectorize across <name>"},
        {"can't and Func's 'f$1' won't", "can't and Func's <name> won't"},
        {"Internal Error at Simplify_Let.cpp:123 triggered by user code: Condition failed: foo.defined()",
         "Internal Error at Simplify_Let.cpp:<n> triggered by user code: Condition failed: <name>()"},
        {"SIGSEGV: at 0x7f00dead in 0x…, then 0xZ", "SIGSEGV: at <address> in <address>, then <n>xZ"},
        {"f0(3, -4) is 7i32, expected 5i32; 3 of 2025 cells differ",
         "<name>(<n>) is <n>, expected <n>; <n> of <n> cells differ"},
        {"f0(1) is -0.5f32, expected inf_f32; 1 of 2 cells differ",
         "<name>(<n>) is <n>, expected <n>; <n> of <n> cells differ"},
        {"f0(1) is -inf_f64, expected nan_f64; 1 of 2 cells differ",
         "<name>(<n>) is <n>, expected <n>; <n> of <n> cells differ"},
        {"1e-05f32 and 1.5e+20 and 12u8", "<n> and <n> and <n>"},
        {"x-1 and (y)-2 and x - -3", "x-<n> and (y)-<n> and x - <n>"},
        {"cannot convert float32x8 to int16x4, uint8 or bool",
         "cannot convert float32x<n> to int16x<n>, uint8 or bool"},
        {"  several\n\tlines  \r\n of text ", "several lines of text"},
        {"an \"open quotation", "an \"open quotation"},
        {"1, 2, 3 and \"a\", \"b\"", "<n> and <name>"},
        {"Name not in Scope: f0.s0.x { f1.s0.x f1.s0.y f2$1 }", "Name not in Scope: <name> { <name> }"},
        {"The end of a sentence. f3. Another one.", "The end of a sentence. <name>. Another one."},
        {"CPU limit of 20000 ms", "CPU limit of <n> ms"},
        {"ünïcode 3 stays", "ünïcode <n> stays"},
    };
    return table;
}

TEST_CASE("what varies between alike messages is replaced") {
    for (const Row& row : rows()) {
        CAPTURE(row.message);
        CHECK(normalise_message(row.message) == row.expected);
    }
}

TEST_CASE("normalising twice changes nothing") {
    for (const Row& row : rows()) { CHECK(normalise_message(row.expected) == row.expected); }
    std::string text;
    for (int i = 0; i < 200; ++i) { text += "wörd" + std::to_string(i) + " and 'quoted' then, "; }
    CHECK(normalise_message(normalise_message(text)) == normalise_message(text));
}

TEST_CASE("long messages are cut between words, and not within a character") {
    const std::string text = normalise_message("Condition failed: " + std::string(300, 'a'));
    CHECK(text == "Condition failed: …");
    std::string words;
    for (int i = 0; i < 100; ++i) { words += "größe "; }
    const std::string cut = normalise_message(words);
    CHECK(cut.size() <= 240);
    CHECK(cut.ends_with("größe …"));
}

cases::Case a_case(const std::string& tensor, const std::string& variable) {
    cases::Case c;
    c.compiler = "halide";
    c.sare.name = "case";
    c.sare.parameters = {"W"};
    c.sare.inputs = {{"in", value::Type::i32, 1}};
    c.sare.tensors = {{tensor, {value::Type::i32}, {variable}, {}}};
    const std::string text = tensor + ".split(" + variable + ", outer, inner, 8, GuardWithIf)\n" + tensor +
                             ".vectorize(inner)\n" + tensor + ".split(outer, far, near, 2)\n";
    auto schedule = schedule::language("halide").parse(text, "test");
    if (!schedule) { FAIL(to_string(schedule.error())); }
    c.schedule = *schedule;
    return c;
}

verdict::Verdict a_verdict(verdict::Class cls, const std::string& message) {
    verdict::Verdict v;
    v.cls = cls;
    v.message = message;
    return v;
}

TEST_CASE("a signature leaves out names and sizes, and lists each kind of directive once, sorted") {
    const auto reject = [](const std::string& text) { return a_verdict(verdict::Class::over_rejection, text); };
    const Signature one =
        signature(a_case("blur", "x"), reject("The loop over x of blur runs in inner steps of 8, in W"));
    const Signature two =
        signature(a_case("sharpen", "row"), reject("The loop over row of sharpen runs in near steps of 16, in W"));
    CHECK(one.cls == verdict::Class::over_rejection);
    // "in" is both an input of the case and a word of the message.
    CHECK(one.message == "The loop over <name> of <name> runs in <name> steps of <n>, in <name>");
    CHECK(one.directives == "split, vectorize");
    CHECK(one == two);
    CHECK(group_name(one) == group_name(two));
}

TEST_CASE("values that differ are left out, whatever their type") {
    verdict::Verdict flags =
        a_verdict(verdict::Class::wrong_result, "A(3) is true, expected false; 1 of 9 cells differ");
    flags.difference = verdict::Difference{};
    verdict::Verdict numbers =
        a_verdict(verdict::Class::wrong_result, "B(3, 4)[1] is 7u8, expected 9u8; 12 of 90 cells differ");
    numbers.difference = verdict::Difference{};
    CHECK(signature(a_case("A", "x"), flags).message == "<name>(<n>) is <n>, expected <n>; <n> of <n> cells differ");
    CHECK(signature(a_case("B", "x"), numbers).message ==
          "<name>(<n>)[<n>] is <n>, expected <n>; <n> of <n> cells differ");
}

using verdict::Class;

TEST_CASE("groups differ with the class, the message and the directives") {
    const Signature base{Class::wrong_result, "message", "split, tile"};
    const std::vector<Signature> others{{Class::stray_write, "message", "split, tile"},
                                        {Class::wrong_result, "massage", "split, tile"},
                                        {Class::wrong_result, "message", "split"},
                                        {Class::wrong_result, "messages", "plit, tile"}};
    for (const Signature& other : others) { CHECK(group_name(other) != group_name(base)); }
}

TEST_CASE("the name of a group is the class and eight digits of a fixed hash") {
    // FNV-1a of the class and two NUL bytes, computed by hand from the published constants.
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const unsigned char byte : std::string("agrees") + '\0' + '\0') { hash = (hash ^ byte) * 0x100000001b3; }
    std::string digits;
    for (int i = 0; i < 8; ++i) {
        digits.insert(digits.begin(), "0123456789abcdef"[hash & 0xf]);
        hash >>= 4;
    }
    CHECK(group_name({Class::agrees, "", ""}) == "agrees-" + digits);
    CHECK(group_name({Class::wrong_result, "m", "d"}).starts_with("wrong_result-"));
    CHECK(group_name({Class::wrong_result, "m", "d"}).size() == std::string("wrong_result-").size() + 8);
}

}  // namespace
}  // namespace haruspex::triage
