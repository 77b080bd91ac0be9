#include "reports/minimize/size.h"

#include <algorithm>

#include "generators/random/random_case.h"
#include "generators/schedule/halide/language.h"
#include "tests/support/catch.h"

namespace haruspex::minimize {

TEST_CASE("sizes are a total order on cases") {
    std::vector<cases::Case> all;
    std::vector<Size> sizes;
    for (std::uint64_t index = 0; index < 30; ++index) {
        all.push_back(random::campaign_case(31, index, {}, schedule::halide::language(14)));
        // The copy differs only in its text.
        all.push_back(all.back());
        all.back().sare.name += "_";
    }
    for (const cases::Case& c : all) { sizes.push_back(size_of(c)); }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        for (std::size_t j = 0; j < sizes.size(); ++j) {
            CHECK((sizes[i] == sizes[j]) == (all[i] == all[j]));
            CHECK((sizes[i] < sizes[j]) == (sizes[j] > sizes[i]));
            if (i != j) { CHECK(sizes[i] != sizes[j]); }
        }
    }
    std::ranges::sort(sizes);
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i) { CHECK(sizes[i] < sizes[i + 1]); }
}

TEST_CASE("tensors count before directives and updates, these before expressions, whole numbers last") {
    Size a, b;
    const auto smaller = [&](Size::Part small, Size::Part large) {
        a = b = {};
        b.parts[small] = 1;
        a.parts[large] = 1000;
        return a < b;
    };
    CHECK(smaller(Size::tensors, Size::steps));
    CHECK(smaller(Size::steps, Size::updates));
    CHECK(smaller(Size::updates, Size::expressions));
    CHECK(smaller(Size::expressions, Size::constants));
    a = b = {};
    a.text = "longer";
    b.text = "short";
    CHECK(b < a);
}

}  // namespace haruspex::minimize
