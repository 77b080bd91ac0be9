#include "oracle/verdict/validation.h"

#include "tests/support/catch.h"

namespace haruspex::verdict {

TEST_CASE("what the validator says reads back, and its fate is without particulars") {
    struct Line {
        std::string text;
        Outcome outcome;
        bool is_conditional;
        std::string fate;
    };
    for (const auto& [text, outcome, is_conditional, expected] : {
             Line{"validated for all sizes", Outcome::validated, false, "validated"},
             Line{"validated when 4 <= W and W <= 9", Outcome::validated, true, "validated when"},
             Line{"validated for all sizes, floats being real numbers", Outcome::validated, false, "validated"},
             Line{"validated when W <= 9, floats being real numbers", Outcome::validated, true, "validated when"},
             Line{"validated for all sizes, floats being numbers", Outcome::validated, false, "validated"},
             Line{"refuted: value: f[x] := a[x: 1]", Outcome::refuted, false, "refuted: value"},
             Line{"refuted: when it runs", Outcome::refuted, false, "refuted: when it runs"},
             Line{"undecided: too many steps", Outcome::undecided, false, "undecided: too many steps"},
             Line{"unsupported: linear memory: f[7*x]", Outcome::unsupported, false, "unsupported: linear memory"},
         }) {
        const auto validation = parse_validation(text);
        REQUIRE(validation);
        CHECK(validation->outcome == outcome);
        CHECK(to_string(*validation) == text);
        CHECK(validation->is_conditional() == is_conditional);
        CHECK(fate(*validation) == expected);
        CHECK(comes_to(validation, outcome));
        CHECK(validation->floats == (text.contains("real numbers") ? Floats::real
                                     : text.contains("numbers")    ? Floats::numbers
                                                                   : Floats::ieee));
    }
    CHECK(parse_validation("validated for all sizes, floats being real numbers")->reason == "for all sizes");
    CHECK(parse_validation("validated for all sizes, floats being numbers")->reason == "for all sizes");
    CHECK(parse_validation("undecided: x, floats being real numbers")->floats == Floats::ieee);
}

TEST_CASE("what is no statement of the validator does not read") {
    for (const char* text : {"", "validated", "validated: for all sizes", "refuted value", "proved: for all sizes"}) {
        CHECK_FALSE(parse_validation(text));
    }
    CHECK_FALSE(comes_to(std::nullopt, Outcome::undecided));
}

}  // namespace haruspex::verdict
