#include "reports/minimize/candidates.h"

#include <map>
#include <set>
#include <tuple>

#include "generators/case/json.h"
#include "generators/random/random_case.h"
#include "generators/sare/build.h"
#include "generators/sare/staging.h"
#include "generators/sare/structure.h"
#include "generators/sare/text.h"
#include "generators/sare/wellformed.h"
#include "generators/schedule/halide/admission.h"
#include "generators/schedule/halide/language.h"
#include "generators/schedule/halide/text.h"
#include "reports/minimize/reducer.h"
#include "reports/minimize/requirements.h"
#include "reports/minimize/size.h"
#include "tests/support/catch.h"

namespace haruspex::minimize {
namespace {

const schedule::Language& language = schedule::halide::language(14);

cases::Case parse(const std::string& sare, const std::vector<std::string>& schedule, const std::string& rest) {
    std::string json = R"({"haruspex_case": 1, "sare": [)";
    const auto lines = [&](const std::vector<std::string>& texts) {
        std::string joined;
        for (const std::string& text : texts) { joined += (joined.empty() ? "\"" : ", \"") + text + "\""; }
        return joined;
    };
    json += lines({sare}) + R"(], "schedule": [)" + lines(schedule) + "], " + rest +
            R"(, "input_seed": 0, "strict_float": false, "comparison": "exact", "target": "host"})";
    auto c = cases::parse_case(json, "test");
    INFO((c ? std::string() : to_string(c.error())));
    REQUIRE(c.has_value());
    return std::move(*c);
}

// A case of one definition, such as "f(x) = 1i32".
cases::Case of_one(const std::string& definition) {
    return parse("sare s(W) { " + definition + " output f on { [x] : 0 <= x < W } }", {},
                 R"("sizes": {"W": 4}, "inputs": {})");
}

const Pass& pass(std::string_view name) {
    for (const Pass& p : reducer("halide").passes()) {
        if (p.name == name) { return p; }
    }
    FAIL("there is no pass " << name);
    return reducer("halide").passes().front();
}

// The schedules of a pass's candidates for a case.
std::set<std::string> schedules(const cases::Case& c, std::string_view name,
                                const schedule::Language& version = language) {
    std::set<std::string> found;
    for (const Candidate& candidate : candidates(c, pass(name), version)) {
        found.insert(schedule::print(candidate.c.schedule));
    }
    return found;
}

// The first function's values in a pass's candidates.
std::set<std::string> values_of_first(const cases::Case& c, std::string_view name) {
    std::set<std::string> found;
    for (const Candidate& candidate : candidates(c, pass(name), language)) {
        found.insert(sare::print(candidate.c.sare.tensors.front().equations.front().values.front()));
    }
    return found;
}

cases::Case specialized() {
    return parse("sare s(W) { f(x) = i32<x> output f on { [x] : 0 <= x < W } }",
                 {"f.specialize(W >= 8)", "f.specialize[0].split(x, xo, xi, 8)", "f.specialize[0].vectorize(xi)"},
                 R"("sizes": {"W": 16}, "inputs": {})");
}

cases::Case factored() {
    return parse(
        "sare s(W) { f(x) = 1i32 update f(x) = f(x) + i32<x + 2*k> over k in [0, 4) "
        "output f on { [x] : 0 <= x < W } }",
        {"f.update(0).rfactor(k, u, f_intm)", "f_intm.compute_at(f.update(0), x)", "f_intm.update(0).unroll(u, 4)"},
        R"("sizes": {"W": 16}, "inputs": {})");
}

cases::Case scalar() {
    return parse("sare s(W) { input in : f32[1] f() = select(in(3) < 2.0f32, 1i32, 2i32) output f on { [] : true } }",
                 {},
                 R"("sizes": {"W": 4}, "inputs": {"in": {"min": 0, "max": 9, "scale": 0, "special_values": false}})");
}

// Two inputs of one type and rank.
cases::Case two_inputs() {
    return parse("sare s(W) { input a : i32[1] input b : i32[1] f(x) = a(x) + b(x) output f on { [x] : 0 <= x < W } }",
                 {},
                 R"("sizes": {"W": 4}, "inputs": {"a": {"min": 0, "max": 9, "scale": 0, "special_values": false}, )"
                 R"("b": {"min": 0, "max": 9, "scale": 0, "special_values": false}})");
}

}  // namespace

TEST_CASE("every pass's cases are smaller, well-formed, admitted, and can be read back") {
    std::map<std::string_view, std::size_t> seen;
    std::vector<cases::Case> all{specialized(), factored(), scalar(), two_inputs()};
    for (std::uint64_t index = 0; index < 25; ++index) {
        all.push_back(random::campaign_case(21, index, {}, language));
    }
    for (const cases::Case& c : all) {
        const Size limit = size_of(c);
        for (const Pass& p : reducer("halide").passes()) {
            const auto list = candidates(c, p, language);
            seen[p.name] += list.size();
            for (std::size_t i = 0; i < list.size(); ++i) {
                const cases::Case& smaller = list[i].c;
                CAPTURE(p.name, cases::to_json(smaller));
                if (i > 0) { REQUIRE(list[i].number > list[i - 1].number); }
                REQUIRE(size_of(smaller) < limit);
                const auto algorithm = sare::unstage(smaller.sare);
                REQUIRE(algorithm.has_value());
                REQUIRE(sare::check_structure(*algorithm));
                REQUIRE(schedule::halide::admits(*algorithm, schedule::halide::typed(smaller.schedule), {14}));
                // Filed cases must be readable. Only a sample is checked, since checking a whole case calls isl.
                if (i % 10 == 0 && sare::check(*algorithm)) {
                    REQUIRE(cases::parse_case(cases::to_json(smaller), "candidate") == smaller);
                }
            }
        }
    }
    for (const Pass& p : reducer("halide").passes()) {
        CAPTURE(p.name);
        CHECK(seen[p.name] > 0);
    }
}

TEST_CASE("a candidate breaks no rule that its case does not break") {
    // Two of these rules are judged by Halide, and one is already broken by the case.
    const cases::Case c = parse(
        "sare s(W) { f(x) = i32<x> g(x) = f(x/2) + 1i32 s(x) = 1i32 update s(x) = s(x) + g(x + k) over k in [0, 4) "
        "output s on { [x] : 0 <= x < W } }",
        {"s.update(0).parallel(k)", "g.compute_root()", "g.split(x, xo, xi, 8)", "f.compute_at(g, xo)", "f.unroll(x)"},
        R"("sizes": {"W": 16}, "inputs": {})");
    const auto rules_of = [](const cases::Case& one) {
        const auto broken = language.broken_rules(*sare::unstage(one.sare), one.schedule);
        REQUIRE(broken.has_value());
        return schedule::rules_in(*broken);
    };
    const auto allowed = rules_of(c);
    REQUIRE(allowed == schedule::RuleNames{"constant_extent", "dependent_iterations"});
    std::size_t breaking = 0;
    for (const Pass& p : reducer("halide").passes()) {
        for (const Candidate& candidate : candidates(c, p, language)) {
            CAPTURE(p.name, cases::to_json(candidate.c));
            const auto rules = rules_of(candidate.c);
            REQUIRE(std::ranges::includes(allowed, rules));
            breaking += rules.empty() ? 0 : 1;
        }
    }
    CHECK(breaking > 0);
}

TEST_CASE("generated cases meet their own requirements, and most candidates do") {
    std::size_t met = 0, all = 0;
    for (std::uint64_t index = 0; index < 12; ++index) {
        const cases::Case c = random::campaign_case(22, index, {}, language);
        const Requirements requirements = requirements_of(c, language);
        CAPTURE(index);
        CHECK(requirements.is_defined);
        CHECK(requirements.is_exact);
        CHECK(requirements.is_documented);
        CHECK(requirements.is_inside);
        CHECK(meets(c, requirements));
        for (const Pass& p : reducer("halide").passes()) {
            const auto list = candidates(c, p, language);
            for (std::size_t i = 0; i < list.size(); i += 7) {
                met += meets(list[i].c, requirements) ? 1 : 0;
                ++all;
            }
        }
    }
    CHECK(met > all / 2);
    CHECK(met < all);
}

TEST_CASE("a candidate that rounds, or has nothing to compute, is not worth a run") {
    const cases::Case exact = parse(
        "sare s(W) assuming W >= 3 { input in : f32[1] f(x) = min(in(x), 8.0f32) * 0.5f32 "
        "output f on { [x] : 0 <= x < W } }",
        {}, R"("sizes": {"W": 4}, "inputs": {"in": {"min": 0, "max": 9, "scale": 0, "special_values": false}})");
    const Requirements requirements = requirements_of(exact, language);
    REQUIRE(requirements.is_exact);
    cases::Case rounds = exact;
    auto& product = std::get<sare::Binary>(rounds.sare.tensors.front().equations.front().values.front().node);
    product.b = sare::Expr{sare::Literal{value::Value::f32(0.1F)}};
    CHECK_FALSE(meets(rounds, requirements));
    CHECK(meets(rounds, Requirements{}));
    cases::Case empty = exact;
    empty.sare.outputs.front().box.front().extent = sare::Index{sare::IndexConstant{0}};
    CHECK_FALSE(meets(empty, requirements));
    CHECK(meets(empty, Requirements{}));
    for (const Candidate& candidate : candidates(exact, pass("shrink sizes"), language)) {
        CHECK(candidate.c.sizes.at("W") == 3);
        CHECK(meets(candidate.c, requirements));
    }
}

TEST_CASE("a candidate at sizes for which its schedule is not documented to work is not worth a run") {
    const auto of_width = [](int width) {
        return parse("sare s(W) { f(x) = 1i32 update f(x) = 2i32 output f on { [x] : 0 <= x < W } }",
                     {"f.update(0).split(x, xo, xi, 2, RoundUp)"},
                     R"("sizes": {"W": )" + std::to_string(width) + R"(}, "inputs": {})");
    };
    const Requirements documented = requirements_of(of_width(4), language);
    CHECK(meets(of_width(2), documented));
    CHECK_FALSE(meets(of_width(3), documented));
    // A hand-written case may keep sizes at which its schedule is not documented to work.
    CHECK(meets(of_width(1), requirements_of(of_width(3), language)));
}

TEST_CASE("a candidate that writes outside its output is not worth a run") {
    const auto at = [](const std::string& index) {
        return parse("sare s(W) { f(x) = 1i32 update f(" + index + ") = 2i32 output f on { [x] : 0 <= x < W } }", {},
                     R"("sizes": {"W": 4}, "inputs": {})");
    };
    const Requirements inside = requirements_of(at("3"), language);
    CHECK(meets(at("0"), inside));
    CHECK_FALSE(meets(at("-1"), inside));
    CHECK_FALSE(meets(at("4"), inside));
    CHECK(meets(at("5"), requirements_of(at("4"), language)));
}

TEST_CASE("a candidate for a program of whole tensors is one, too") {
    const auto of = [](const std::string& value) {
        return parse(
            "sare s(N) assuming N >= 1 { input in : i32[1] f(x) = " + value + " output f on { [x] : 0 <= x < N } }", {},
            R"("sizes": {"N": 4}, "inputs": {"in": {"min": 0, "max": 9, "scale": 0, "special_values": false}})");
    };
    const Requirements requirements = requirements_of(of("in(x) + in(x)"), language);
    REQUIRE(requirements.has_whole_tensors);
    CHECK(meets(of("in(x)"), requirements));
    CHECK_FALSE(meets(of("in(x) + 1"), requirements));
    CHECK_FALSE(requirements_of(of("in(x) + 1"), language).has_whole_tensors);
    CHECK(meets(of("in(x) + 1"), requirements_of(of("in(x) + 2"), language)));
}

TEST_CASE("operators become the plain ones of their types") {
    const auto operators_of = [](const std::string& definition) {
        std::set<std::string> found;
        for (const Candidate& candidate : candidates(of_one(definition), pass("simplify operators"), language)) {
            const auto& values = candidate.c.sare.tensors.front().equations.front().values;
            found.insert(std::string(value::spelling(std::get<sare::Binary>(values.front().node).op)));
        }
        return found;
    };
    using Spellings = std::set<std::string>;
    CHECK(operators_of("f(x) = i32<x> * 3i32") == Spellings{"+"});
    CHECK(operators_of("f(x) = i32<x> >> 3i32") == Spellings{"+"});
    CHECK(operators_of("f(x) = [x > 1] || [x > 2]") == Spellings{"&&"});
    CHECK(operators_of("f(x) = i32<x> < 3i32") == Spellings{"=="});
    CHECK(operators_of("f(x) = i32<x> + 3i32").empty());
    CHECK(operators_of("f(x) = i32<x> == 3i32").empty());
}

TEST_CASE("types become plainer ones, the plainest first") {
    const auto types_of = [](const std::string& definition) {
        std::vector<std::string> found;
        for (const Candidate& candidate : candidates(of_one(definition), pass("simplify types"), language)) {
            found.emplace_back(value::name(candidate.c.sare.tensors.front().types.front()));
        }
        return found;
    };
    using Names = std::vector<std::string>;
    CHECK(types_of("f(x) = 1u64") == Names{"i32", "u8", "u16", "u32"});
    CHECK(types_of("f(x) = 1i8") == Names{"i32", "u8", "u16", "u32", "u64"});
    CHECK(types_of("f(x) = 1.0f64").size() == 9);
    CHECK(types_of("f(x) = 1i32").empty());
    CHECK(types_of("f(x) = true").empty());
    // Each type of the case is tried; candidates with the same types count as equally plain.
    CHECK(types_of("f(x) = u16(1u8 + u8<x>)") == Names{"u16", "i32", "u8"});
}

TEST_CASE("a split goes, and what is left of it is named after the loop that was split") {
    const cases::Case c =
        parse("sare s(W) { f(x) = i32<x> output f on { [x] : 0 <= x < W } }",
              {"f.split(x, xo, xi, 8)", "f.unroll(xi)", "f.parallel(xo)"}, R"("sizes": {"W": 16}, "inputs": {})");
    const auto joined = schedules(c, "join loops");
    CHECK(joined.contains("f.unroll(x, 8)\nf.parallel(x)\n"));
    CHECK(joined.contains("f.parallel(x, 8)\nf.unroll(x)\n") == false);  // the extent of x is not constant
    CHECK(joined.contains("f.parallel(x)\n"));
    const auto dropped = schedules(c, "drop directives");
    CHECK(dropped.contains(""));
    CHECK(dropped.contains("f.split(x, xo, xi, 8)\nf.parallel(xo)\n"));
}

TEST_CASE("directives are simplified to those that say less") {
    const cases::Case c =
        parse("sare s(W, H) { f(x, y) = i32<x> output f on { [x, y] : 0 <= x < W and 0 <= y < H } }",
              {"f.tile(x, y, xo, yo, xi, yi, 8, 4, GuardWithIf)"}, R"("sizes": {"W": 16, "H": 8}, "inputs": {})");
    const auto simpler = schedules(c, "simplify directives");
    CHECK(simpler.contains("f.split(x, xo, xi, 8, GuardWithIf)\n"));
    CHECK(simpler.contains("f.split(y, yo, yi, 4, GuardWithIf)\n"));
    CHECK(simpler.contains("f.tile(x, y, xo, yo, xi, yi, 8, 4)\n"));
    CHECK(simpler.contains("f.tile(x, y, xo, yo, xi, yi, 2, 4, GuardWithIf)\n"));
    const cases::Case padded =
        parse("sare s(W) { f(x) = i32<x> g(x) = f(x) output g on { [x] : 0 <= x < W } }",
              {"f.compute_root()", "f.align_storage(x, 8)"}, R"("sizes": {"W": 16}, "inputs": {})");
    CHECK(schedules(padded, "simplify directives").contains("f.compute_root()\nf.align_storage(x, 2)\n"));
    CHECK(schedules(padded, "drop directives").contains("f.compute_root()\n"));
    const cases::Case fetched =
        parse("sare s(W) { f(x) = i32<x> g(x, y) = f(x) output g on { [x, y] : 0 <= x < W and 0 <= y < W } }",
              {"f.compute_root()", "g.prefetch(f, x, y, 4, Clamp)"}, R"("sizes": {"W": 16}, "inputs": {})");
    const auto plainer = schedules(fetched, "simplify directives");
    CHECK(plainer.contains("f.compute_root()\ng.prefetch(f, x, y, 4)\n"));
    CHECK(plainer.contains("f.compute_root()\ng.prefetch(f, x, x, 4, Clamp)\n"));
    CHECK(plainer.contains("f.compute_root()\ng.prefetch(f, y, y, 4, Clamp)\n"));
    CHECK(plainer.contains("f.compute_root()\ng.prefetch(f, x, y, 0, Clamp)\n"));
    CHECK(schedules(fetched, "drop directives").contains("f.compute_root()\n"));
    CHECK(schedules(fetched, "drop dimensions").contains("f.compute_root()\ng.prefetch(f, x, x, 4, Clamp)\n"));
    const cases::Case ring = parse("sare s(W) { f(x) = i32<x> g(x) = f(x) output g on { [x] : 0 <= x < W } }",
                                   {"g.split(x, xo, xi, 4, GuardWithIf)", "f.compute_at(g, xi)",
                                    "f.hoist_storage(g, xo)", "f.ring_buffer(3)", "g.never_partition(xo, xi)"},
                                   R"("sizes": {"W": 16}, "inputs": {})");
    const std::string split = "g.split(x, xo, xi, 4, GuardWithIf)\nf.compute_at(g, xi)\n";
    const std::string never = "g.never_partition(xo, xi)\n";
    const auto less = schedules(ring, "simplify directives", schedule::halide::language(21));
    CHECK(less.contains(split + "f.hoist_storage_root()\nf.ring_buffer(3)\n" + never));
    CHECK(less.contains(split + "f.hoist_storage(g, xo)\nf.ring_buffer(1)\n" + never));
    CHECK(less.contains(split + "f.hoist_storage(g, xo)\nf.ring_buffer(3)\ng.never_partition(xi)\n"));
    CHECK(schedules(ring, "drop directives", schedule::halide::language(21))
              .contains(split + "f.hoist_storage(g, xo)\n" + never));
    // If one dimension is dropped, the tile becomes a split of the other.
    CHECK(schedules(c, "drop dimensions").contains("f.split(y, yo, yi, 4, GuardWithIf)\n"));
}

TEST_CASE("what guards iterations becomes a split with iterations enough to need its guard") {
    const cases::Case marked =
        parse("sare s(W) { f(x) = i32<x> output f on { [x] : 0 <= x < 3 } }",
              {"f.unroll(x, 2, Predicate)", "f.parallel(x)"}, R"("sizes": {"W": 4}, "inputs": {})");
    const auto simpler = schedules(marked, "split plainly");
    CHECK(simpler == std::set<std::string>{"f.split(x, xo, xi, 2)\nf.parallel(xo)\n",
                                           "f.split(x, xo, xi, 2, GuardWithIf)\nf.parallel(xo)\n",
                                           "f.split(x, xo, xi, 2, Predicate)\nf.parallel(xo)\n",
                                           "f.unroll(x, 2)\nf.parallel(x)\n"});
    // Halide's default tail for an output needs an extent of at least the factor.
    const cases::Case rounded =
        parse("sare s(W) { f(x) = i32<x> output f on { [x] : 0 <= x < 3 } }",
              {"f.split(x, xo, xi, 2)", "f.vectorize(xo, 4, RoundUp)"}, R"("sizes": {"W": 4}, "inputs": {})");
    bool is_plain = false;
    for (const Candidate& candidate : candidates(rounded, pass("split plainly"), language)) {
        const bool has_room = sare::print(candidate.c.sare.outputs.front().box.front().extent) == "7";
        is_plain |= has_room && schedule::print(candidate.c.schedule) == "f.split(x, xo, xi, 2)\nf.vectorize(xo, 4)\n";
    }
    CHECK(is_plain);
    std::set<std::string> boxes;
    for (const Candidate& candidate : candidates(marked, pass("split plainly"), language)) {
        boxes.insert(sare::print(candidate.c.sare.outputs.front().box.front().extent));
    }
    CHECK(boxes == std::set<std::string>{"3", "7"});
    const cases::Case filtered = parse(
        "sare s(W) { f(x) = 1i32 update f(x) = 2i32 over k in [0, 2) where k >= x output f on { [x] : 0 <= x < W } }",
        {}, R"("sizes": {"W": 2}, "inputs": {})");
    const auto split = candidates(filtered, pass("split plainly"), language);
    REQUIRE(split.size() == 2);
    CHECK(schedule::print(split.front().c.schedule) == "f.split(x, xo, xi, 2)\n");
    CHECK(schedule::print(split.back().c.schedule) == "f.split(x, xo, xi, 2, GuardWithIf)\n");
    CHECK(split.front().c.sizes.at("W") == 7);
    CHECK(split.front().c.sare.tensors.size() == 1);
}

TEST_CASE("numbers of either parity are tried") {
    const cases::Case c =
        parse("sare s(W) { f(x) = 9i32 output f on { [x] : 0 <= x < W } }", {}, R"("sizes": {"W": 17}, "inputs": {})");
    std::set<std::int64_t> sizes;
    for (const Candidate& candidate : candidates(c, pass("shrink sizes"), language)) {
        sizes.insert(candidate.c.sizes.at("W"));
    }
    CHECK(sizes == std::set<std::int64_t>{1, 2, 9, 15, 16});
}

TEST_CASE("a specialization goes, and what was said of it is said of the stage") {
    CHECK(schedules(specialized(), "drop specializations") ==
          std::set<std::string>{"f.split(x, xo, xi, 8)\nf.vectorize(xi)\n"});
    // The next specialization moves up.
    const cases::Case two = parse(
        "sare s(W) { f(x) = i32<x> output f on { [x] : 0 <= x < W } }",
        {"f.specialize(W >= 8)", "f.specialize[0].unroll(x, 2)", "f.specialize(W >= 4)", "f.specialize[1].parallel(x)"},
        R"("sizes": {"W": 16}, "inputs": {})");
    CHECK(schedules(two, "drop specializations")
              .contains("f.unroll(x, 2)\nf.specialize(W >= 4)\nf.specialize[0].parallel(x)\n"));
}

TEST_CASE("what rfactor makes is done without, or becomes a tensor with the same schedule, which is no larger") {
    const cases::Case c = factored();
    auto written = candidates(c, pass("write out factors"), language);
    REQUIRE(written.size() == 3);
    // The intermediate's loop u is the update's k.
    CHECK(schedule::print(written[0].c.schedule) == "f.update(0).unroll(k, 4)\n");
    CHECK(written[0].c.sare == c.sare);
    written.erase(written.begin());
    CHECK(schedule::print(written[0].c.schedule) == "f_intm.compute_at(f.update(0), x)\nf_intm.unroll(u, 4)\n");
    CHECK(sare::print(written[0].c.sare).find("f_intm(x, u) = i32<x + 2*u>\n") != std::string::npos);
    CHECK(sare::print(written[0].c.sare).find("update f(x) = f(x) + f_intm(x, k) over k in [0, 4)\n") !=
          std::string::npos);
    CHECK(size_of(c).parts[Size::tensors] == 2);
    CHECK(size_of(written[0].c).parts[Size::tensors] == 2);
    // The intermediate may also be computed by an update.
    CHECK(schedule::print(written[1].c.schedule) ==
          "f_intm.compute_at(f.update(0), x)\nf_intm.update(0).unroll(u, 4)\n");
    CHECK(sare::print(written[1].c.sare).find("f_intm(x, u) = 1i32\n") != std::string::npos);
    CHECK(sare::print(written[1].c.sare).find("update f_intm(x, u) = f_intm(x, u) + i32<x + 2*u>\n") !=
          std::string::npos);
    CHECK(sare::print(written[1].c.sare).find("update f(x) = f(x) + f_intm(x, k) over k in [0, 4)\n") !=
          std::string::npos);
    CHECK(size_of(written[1].c).parts[Size::tensors] == 2);
}

TEST_CASE("definitions become sums of what they read, all of one type") {
    cases::Case c = parse(
        "sare s(W) { input in : f32[1] f(x, y) = 3u8 g(x, y) = select(in(x) < 2.0f32, f(x, y)*f(x, y), f(y, x)) "
        "update g(x, 0) = g(x, 0) ^ f(k, 1) over k in [0, 4) output g on { [x, y] : 0 <= x < W and 0 <= y < W } }",
        {"f.compute_root()"},
        R"("sizes": {"W": 4}, "inputs": {"in": {"min": -9, "max": 9, "scale": 0, "special_values": false}})");
    c.strict_float = true;
    c.inputs.at("in").special_values = true;
    const std::vector<Candidate> found = candidates(c, pass("compute plainly"), language);
    REQUIRE(found.size() == 3);
    const auto text = [&](std::size_t k) { return sare::print(found.at(k).c.sare); };
    for (const std::size_t k : {0, 1, 2}) {
        CHECK(text(k).find("in(x) + f(x, y) + f(y, x)") != std::string::npos);
        CHECK(text(k).find("g(x, 0) + f(k, 1)") != std::string::npos);
        CHECK(text(k).find("input in : i32[1]") != std::string::npos);
        CHECK(schedule::print(found.at(k).c.schedule) == schedule::print(c.schedule));
    }
    CHECK(text(0).find("f(x, y) = 1i32") != std::string::npos);
    CHECK(text(1).find("f(x, y) = i32<x>") != std::string::npos);
    CHECK(text(2).find("f(x, y) = i32<y>") != std::string::npos);
    CHECK(found.at(0).c.inputs.at("in") == small_domain(value::Type::i32));
    // A plain definition stays as it is.
    CHECK(candidates(found.at(0).c, pass("compute plainly"), language).empty());
}

TEST_CASE("the memory of a reduction that goes is that of the function that it stood in") {
    const cases::Case c = parse(
        "sare s(W) { input in : u8[2] f(x, y) = max over { [k] : 0 <= k < 3 } of (in(x, k)) g() = f(0, 0) + f(0, 1) "
        "output g on { [] : true } }",
        {}, R"("sizes": {"W": 4}, "inputs": {"in": {"min": 0, "max": 9, "scale": 0, "special_values": false}})");
    CHECK(schedules(c, "compute plainly") == std::set<std::string>{"", "f.compute_root()\n"});
    CHECK(values_of_first(c, "compute plainly").contains("in(x, 0)"));
    CHECK(size_of(c).parts[Size::updates] == 1);
}

TEST_CASE("a program may be the memory of its tensors, and a copy of what is in one") {
    const cases::Case c = parse(
        "sare s(W) { f(x, y) = 1i32 update f(x, y) = i32<x> update f(0, y) = f(0, y) g(x) = f(x, 0) update g(x) = 2i32 "
        "output g on { [x] : 0 <= x < W } }",
        {"f.update(0).split(y, yo, yi, 2)", "g.vectorize(x, 2)"}, R"("sizes": {"W": 4}, "inputs": {})");
    const std::vector<Candidate> found = candidates(c, pass("compute at root"), language);
    std::vector<std::string> programs;
    for (const Candidate& candidate : found) {
        CHECK(schedule::print(candidate.c.schedule) == "f.compute_root()\n");
        const std::string program = sare::print(candidate.c.sare);
        CHECK(program.find("update") == std::string::npos);
        programs.push_back(program);
    }
    REQUIRE(programs.size() == 4);
    CHECK(programs[0].find("f(x, y) = 1i32\n") != std::string::npos);
    CHECK(programs[0].find("g(x) = f(x, 0)\n") != std::string::npos);
    CHECK(found[0].c.sare.outputs == c.sare.outputs);
    const std::array values{"1i32", "i32<x>", "i32<y>"};
    for (std::size_t k = 0; k < values.size(); ++k) {
        CHECK(programs[k + 1].find(std::string("f(x, y) = ") + values[k] + "\n") != std::string::npos);
        CHECK(programs[k + 1].find("g(x, y) = f(x, y)\n") != std::string::npos);
        CHECK(found[k + 1].c.sare.outputs.front().box.size() == 2);
    }
    // This candidate cannot be made smaller.
    CHECK(candidates(found[1].c, pass("compute at root"), language).empty());
}

TEST_CASE("what is read may become the number of the iteration, and a truth that of being the first") {
    const cases::Case c = parse(
        "sare s(W) { input in : i32[1] input is : bool[1] f(x) = select(is(x), in(x), in(x + 1)) "
        "output f on { [x] : 0 <= x < W } }",
        {},
        R"("sizes": {"W": 4}, "inputs": {"in": {"min": 0, "max": 9, "scale": 0, "special_values": false}, )"
        R"("is": {"min": 0, "max": 1, "scale": 0, "special_values": false}})");
    const auto values = values_of_first(c, "replace expressions");
    CHECK(values.contains("i32<x>"));
    CHECK(values.contains("select([x <= 0], in(x), in(x + 1))"));
    CHECK(values.contains("select(is(x), i32<x>, in(x + 1))"));
}

TEST_CASE("what the only cell of an output reads may be what tells several cells apart") {
    const cases::Case c = scalar();
    const auto values = values_of_first(c, "lay out scalars");
    CHECK(values ==
          std::set<std::string>{"i32<x>", "select([x <= 0], 1i32, 2i32)", "select(f32<x> < 2.0f32, 1i32, 2i32)"});
    for (const Candidate& candidate : candidates(c, pass("lay out scalars"), language)) {
        CHECK(candidate.c.sare.outputs.front().box == std::vector<sare::Span>{{sare::constant(0), sare::constant(7)}});
    }
    // An output with several cells, or one that reads nothing, stays as it is.
    CHECK(schedules(factored(), "lay out scalars").empty());
}

TEST_CASE("a truth is all that is left of a function") {
    const cases::Case c = parse(
        "sare s(W) { input in : i32[1] g(x) = in(select(x < 9, x, x + 1)) + in(x) f(x) = select(in(x) > in(0), in(x) < "
        "2i32, "
        "[x <= 0]) "
        "h(x) = u64(select(g(x) < 5i32, 1u16, 3u16)) "
        "output f on { [x] : 0 <= x < W } output h on { [x] : 0 <= x < W } }",
        {"g.compute_root()"},
        R"("sizes": {"W": 4}, "inputs": {)"
        R"("in": {"min": 0, "max": 9, "scale": 0, "special_values": false}})");
    std::set<std::string> found;
    for (const Candidate& candidate : candidates(c, pass("keep choices"), language)) {
        const auto& tensors = candidate.c.sare.tensors;
        std::string values;
        for (const sare::Tensor& tensor : tensors) {
            values += (values.empty() ? "" : "; ") + sare::print(tensor.equations.front().values.front());
        }
        found.insert(values);
    }
    const std::string f = "select(in(x) > in(0), in(x) < 2i32, [x <= 0])";
    const std::string g = "in(select(x < 9, x, x + 1)) + in(x); ", h = "; u64(select(g(x) < 5i32, 1u16, 3u16))";
    CHECK(found ==
          std::set<std::string>{"select([x < 9], 1i32, 2i32); " + f + h, g + "select(in(x) > in(0), 1i32, 2i32)" + h,
                                g + "select(in(x) < 2i32, 1i32, 2i32)" + h, g + "select([x <= 0], 1i32, 2i32)" + h,
                                g + f + "; select(g(x) < 5i32, 1i32, 2i32)"});
}

TEST_CASE("the steps of an update become cells") {
    const cases::Case c = parse(
        "sare s(W) { f(x) = 1i32 update f(0) = f(0) + i32<k> over k in [2, 4) g(x) = f(x) "
        "output g on { [x] : 0 <= x < W } }",
        {"f.compute_root()", "f.update(0).unroll(k, 2)"}, R"("sizes": {"W": 4}, "inputs": {})");
    bool found = false;
    for (const Candidate& candidate : candidates(c, pass("do without updates"), language)) {
        const std::string sare = sare::print(candidate.c.sare);
        if (sare.find("f(x, k) = 1i32 + i32<k>\n") == std::string::npos) { continue; }
        found = true;
        CHECK(sare.find("g(x) = f(x, 2)\n") != std::string::npos);
        CHECK(schedule::print(candidate.c.schedule) == "f.compute_root()\nf.unroll(k, 2, GuardWithIf)\n");
    }
    CHECK(found);
    const cases::Case scalar =
        parse("sare s(W) { f() = 1i32 update f() = i32<k> over k in [2, 4) output f on { [] : true } }", {},
              R"("sizes": {"W": 4}, "inputs": {})");
    std::set<std::string> outputs;
    for (const Candidate& candidate : candidates(scalar, pass("do without updates"), language)) {
        const auto& box = candidate.c.sare.outputs.front().box;
        outputs.insert(box.empty() ? "" : sare::print(box.front().min) + ", " + sare::print(box.front().extent));
    }
    CHECK(outputs == std::set<std::string>{"", "2, 2"});
}

TEST_CASE("a function is done without its updates: kept in memory by its schedule, or with other values") {
    const cases::Case c = parse(
        "sare s(W) { f(x, y) = 1i32 update f(0, y) = f(0, y) + i32<k> over k in [2, 4) g(x) = f(x, 0) "
        "output g on { [x] : 0 <= x < W } }",
        {"f.update(0).parallel(y)", "g.unroll(x, 2)"}, R"("sizes": {"W": 4}, "inputs": {})");
    std::set<std::string> found;
    for (const Candidate& candidate : candidates(c, pass("do without updates"), language)) {
        const auto algorithm = sare::unstage(candidate.c.sare);
        REQUIRE(algorithm.has_value());
        CHECK(algorithm->functions.front().updates.empty());
        CHECK(size_of(candidate.c).parts[Size::updates] == 0);
        found.insert(sare::print(algorithm->functions.front().values.front()) + "; " +
                     schedule::print(candidate.c.schedule));
    }
    std::set<std::string> expected;
    for (const std::string values : {"1i32; ", "1i32 + i32<2>; ", "i32<x>; ", "i32<y>; "}) {
        expected.insert(values + "g.unroll(x, 2)\nf.compute_root()\n");
        expected.insert(values + "f.parallel(y)\ng.unroll(x, 2)\nf.compute_root()\n");
        expected.insert(values + "g.unroll(x, 2)\n");
    }
    expected.insert("1i32 + i32<k>; f.parallel(y)\ng.unroll(x, 2)\nf.compute_root()\n");
    // Another pass drops the updates.
    expected.erase("1i32; g.unroll(x, 2)\n");
    CHECK(found == expected);
    // The function keeps its compute_at.
    const cases::Case inner =
        parse("sare s(W) { f(x) = 1i32 update f(0) = 2i32 g(x) = f(x) output g on { [x] : 0 <= x < W } }",
              {"f.compute_at(g, x)"}, R"("sizes": {"W": 4}, "inputs": {})");
    CHECK(schedules(inner, "do without updates") == std::set<std::string>{"f.compute_at(g, x)\n"});
}

TEST_CASE("the only cell that is read of a function without updates becomes several along each dimension") {
    const cases::Case c =
        parse("sare s(W) { f(x, y) = 1i32 update f(x, 0) = 2i32 g() = f(0, 3) output g on { [] : true } }", {},
              R"("sizes": {"W": 4}, "inputs": {})");
    std::set<std::string> found;
    for (const Candidate& candidate : candidates(c, pass("do without updates"), language)) {
        const auto algorithm = sare::unstage(candidate.c.sare);
        REQUIRE(algorithm.has_value());
        const auto& [f, g] = std::tie(algorithm->functions[0], algorithm->functions[1]);
        if (!g.variables.empty()) { found.insert(sare::print(f.values[0]) + "; " + sare::print(g.values[0])); }
    }
    CHECK(found == std::set<std::string>{"i32<x>; f(x, 3)", "i32<y>; f(x, 3)", "2i32; f(x, 3)", "i32<x>; f(0, x)",
                                         "i32<y>; f(0, x)", "2i32; f(0, x)", "i32<x>; f(0, x + 3)",
                                         "i32<y>; f(0, x + 3)", "2i32; f(0, x + 3)"});
}

TEST_CASE("directives of later updates follow when one goes") {
    const cases::Case c = parse(
        "sare s(W) { f(x) = 1i32 update f(x) = f(x) + 2i32 update f(x) = f(x) * 3i32 "
        "output f on { [x] : 0 <= x < W } }",
        {"f.update(1).parallel(x)", "f.update(0).unroll(x, 4)"}, R"("sizes": {"W": 16}, "inputs": {})");
    const auto schedules_left = schedules(c, "drop updates");
    CHECK(schedules_left.contains("f.update(0).parallel(x)\n"));
    CHECK(schedules_left.contains("f.update(0).unroll(x, 4)\n"));
    CHECK(schedules_left.contains(""));
}

}  // namespace haruspex::minimize
