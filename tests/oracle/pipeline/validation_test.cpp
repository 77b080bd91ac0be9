#include "oracle/pipeline/validation.h"
#include "generators/base/sizes.h"
#include "generators/schedule/language.h"
#include "harness/compiler/compiler.h"
#include "oracle/judge/lowered.h"

#include "generators/random/random_case.h"
#include "generators/sare/text.h"
#include "generators/schedule/halide/text.h"
#include "harness/halide/halide_compiler.h"
#include "harness/mutants/sched/mutations.h"
#include "harness/sched/text.h"
#include "harness/sched/traverse.h"
#include "oracle/interp/sched_interpreter.h"
#include "oracle/judge/validated.h"
#include "oracle/pipeline/judge_case.h"
#include "oracle/pipeline/original.h"
#include "oracle/pipeline/parameter_binding.h"
#include "oracle/pipeline/reference.h"
#include "tests/support/catch.h"

namespace haruspex::pipeline {
namespace {

using validator::Outcome;

cases::Case a_case(const std::string& sare, const std::string& schedule, Sizes sizes) {
    cases::Case c;
    auto parsed = sare::parse_sare(sare, "test");
    if (!parsed) { FAIL(to_string(parsed.error())); }
    c.sare = std::move(*parsed);
    auto directives = schedule::language("halide").parse(schedule, "test");
    if (!directives) { FAIL(to_string(directives.error())); }
    c.schedule = std::move(*directives);
    c.sizes = std::move(sizes);
    for (const sare::Input& input : c.sare.inputs) { c.inputs[input.name].range = {input.type, 0, 9}; }
    c.compiler = "halide";
    c.target = schedule::language("halide").default_target();
    return c;
}

const std::string blur =
    "sare blur(W, H) assuming W >= 16 and H >= 1 {\n  input in : u32[2]\n"
    "  bh(x, y) = in(x - 1, y) + in(x, y) + in(x + 1, y)\n  bv(x, y) = bh(x, y - 1) + bh(x, y) + bh(x, y + 1)\n"
    "  output bv on { [x, y] : 0 <= x < W and 0 <= y < H }\n}\n";

}  // namespace

TEST_CASE("programs of strict floats are never proved for real numbers") {
    cases::Case c = a_case(
        "sare s(W) assuming W >= 1 {\n  input A : f32[1]\n  f(x) = A(x) * 3.0f32 * 5.0f32\n"
        "  output f on { [x] : 0 <= x < W }\n}\n",
        "", {{"W", 8}});
    const auto proof_of = [&](const std::string& value) {
        auto program = sched::parse_program(
            "sched p(W, A.min, A.extent, A.stride, f.min, f.extent, f.stride) {\n"
            "  input A : f32[A.extent from A.min stride A.stride];\n"
            "  output f : f32[f.extent from f.min stride f.stride];\n"
            "  for x in [0, W) { f[x] {f(x)} := " +
                value + "; }\n}\n",
            "test");
        REQUIRE(program.has_value());
        const LoweredProgram lowered{*program, {{"A", {0}, {8}}}};
        return validate_at_sizes(c, lowered);
    };
    const std::string same = "A[x] * 3.0f32 * 5.0f32", folded = "A[x] * 15.0f32";
    for (const std::string& value : {same, folded}) {
        CHECK(to_string(proof_of(value)) == "validated for the given sizes, floats being real numbers");
    }
    c.strict_float = true;
    CHECK(to_string(proof_of(same)) == "validated for the given sizes");
    CHECK(proof_of(folded).outcome != Outcome::validated);
}

TEST_CASE("what Halide makes of a blur is validated at its sizes under several schedules") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    for (const std::string schedule : {
             "",
             "bh.compute_root()\n",
             "bh.compute_at(bv, y)\n",
             "bv.split(x, xo, xi, 4, GuardWithIf)\nbh.compute_at(bv, xo)\n",
             "bv.vectorize(x, 8, ShiftInwards)\nbh.compute_at(bv, y)\nbh.store_root()\n",
             "bv.parallel(y)\nbh.compute_at(bv, y)\n",
         }) {
        INFO(schedule);
        const cases::Case c = a_case(blur, schedule, {{"W", 19}, {"H", 5}});
        compiler::Request request;
        request.run = false;
        request.lower = true;
        const auto plain = last_lowered(server.observe(c, request));
        const auto prophesied = lower_with_prophecies(c, server);
        REQUIRE((plain && prophesied));
        CHECK(validate_at_sizes(c, *prophesied).outcome == Outcome::validated);
        const auto verdict = validate_at_sizes(c, *plain);
        INFO(reason(verdict));
        CHECK(verdict.outcome == Outcome::validated);
        const auto for_all = validate_for_all_sizes(c, prophesied->program, halide->identity());
        INFO(reason(for_all));
        CHECK(for_all.outcome == Outcome::validated);
        CHECK(reason(for_all) == "for all sizes");
    }
}

TEST_CASE("a blur that is wrong at other sizes only is refuted at those") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    const cases::Case c = a_case(blur, "bh.compute_at(bv, y)\n", {{"W", 19}, {"H", 5}});
    auto prophesied = lower_with_prophecies(c, server);
    REQUIRE(prophesied);
    // From a width of 20 on, the rows of bh are one cell too short.
    int changed = 0;
    sched::for_each_statement(prophesied->program.body, [&](sched::Stmt& statement) {
        auto* loop = std::get_if<sched::For>(&statement.node);
        if (loop == nullptr || !loop->variable.starts_with("bh") || loop->variable.find(".s0.x") == std::string::npos) {
            return;
        }
        loop->extent = {sched::IndexBinary{sched::IndexOp::min, loop->extent, sched::Expr{sched::Integer{19}}}};
        ++changed;
    });
    REQUIRE(changed == 1);
    CHECK(validate_at_sizes(c, *prophesied).outcome == Outcome::validated);
    const auto verdict = validate_for_all_sizes(c, prophesied->program, halide->identity());
    INFO(reason(verdict));
    REQUIRE(verdict.outcome == Outcome::refuted);
    CHECK(verdict.counterexample->sizes.at("W") > 19);
}

TEST_CASE("what is read beyond an input is found, though its value does not matter") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    const cases::Case c = a_case(blur, "", {{"W", 19}, {"H", 5}});
    auto prophesied = lower_with_prophecies(c, server);
    REQUIRE(prophesied);
    const sched::Program right = prophesied->program;
    const sched::Expr nineteen{sched::Integer{19}};
    const auto width = sched::Expr{sched::Variable{"W"}};
    // Reads further on by the number of columns beyond 19.
    const sched::Expr further{sched::IndexBinary{
        sched::IndexOp::sub, sched::Expr{sched::IndexBinary{sched::IndexOp::max, width, nineteen}}, nineteen}};
    int changed = 0;
    sched::for_each_statement(prophesied->program.body, [&](sched::Stmt& statement) {
        auto* assign = std::get_if<sched::Assign>(&statement.node);
        if (assign == nullptr) { return; }
        sched::Expr& value = assign->writes.at(0).value;
        std::optional<sched::Load> load;
        const std::function<void(const sched::Expr&)> find = [&](const sched::Expr& part) {
            const auto* found = std::get_if<sched::Load>(&part.node);
            if (found != nullptr && found->array == "in") { load = *found; }
            sched::for_each_part(part, find);
        };
        find(value);
        if (!load) { return; }
        load->indices.at(0) = {sched::IndexBinary{sched::IndexOp::add, load->indices.at(0), further}};
        const sched::Expr beyond{*load};
        const sched::Expr nothing{sched::Binary{value::BinaryOp::sub, beyond, beyond}};
        value = {sched::Binary{value::BinaryOp::add, value, nothing}};
        ++changed;
    });
    REQUIRE(changed > 0);
    CHECK(validate_for_all_sizes(c, right, halide->identity()).outcome == Outcome::validated);
    CHECK(validate_at_sizes(c, *prophesied).outcome == Outcome::validated);
    const auto verdict = validate_for_all_sizes(c, prophesied->program, halide->identity());
    INFO(reason(verdict));
    REQUIRE(verdict.outcome == Outcome::refuted);
    CHECK(verdict.obligation == validator::Kind::bounds_read);
    CHECK(verdict.counterexample->sizes.at("W") > 19);
    CHECK(verdict.counterexample->message.starts_with("out_of_bounds_read: reads in["));
}

TEST_CASE("beyond the sizes that are assumed, or with strides beyond 64 bits, a program does not run") {
    const cases::Case c = a_case(
        "sare wide(W) assuming W <= 5 {\n  input A : u8[4]\n  F(x) = A(0, 0, 0, 0)\n"
        "  output F on { [x] : 0 <= x < max(1, 3*W) }\n}\n",
        "", {{"W", 2}});
    const auto program = [](const std::string& extent) {
        std::string parameters, dimensions;
        for (const std::string d : {"0", "1", "2", "3"}) {
            parameters += ", A.min." + d + ", A.extent." + d + ", A.stride." + d;
            dimensions += (d == "0" ? "" : ", ") + ("A.extent." + d) + " from A.min." + d + " stride A.stride." + d;
        }
        auto parsed = sched::parse_program("sched wide(W" + parameters +
                                               ", F.min.0, F.extent.0, F.stride.0) {\n  input A : u8[" + dimensions +
                                               "];\n  output F : u8[F.extent.0 from F.min.0 stride F.stride.0];\n"
                                               "  for x in [0, F.extent.0) { F[x] {F(x)} := A[0 - A.min.0]; }\n}\n",
                                           "test");
        auto plain = sched::parse_program("sched wide(W) {\n  input A : u8[" + extent + ", " + extent + ", " + extent +
                                              ", 1];\n"
                                              "  output F : u8[max(1, 3*W)];\n}\n",
                                          "test");
        REQUIRE((parsed && plain));
        return std::pair{*parsed, *plain};
    };
    const auto trial = [&](const std::string& extent, std::int64_t w) {
        const auto [lowered, converted] = program(extent);
        return Original(c, lowered, converted).replay(c.sare, {{"W", w}}, {}, 1000);
    };
    CHECK(trial("1", 2).message == "agrees");
    for (const auto& [extent, w] : {std::pair<std::string, std::int64_t>{"1", 6},
                                    {"1", -(std::int64_t{1} << 62)},
                                    {"1048576*1048576", 2},
                                    {"4611686018427387904*W", 4}}) {
        INFO(extent << " " << w);
        CHECK_FALSE(trial(extent, w).ran);
    }
}

TEST_CASE("what Halide documents of sizes is assumed, and what it asserts beyond that is said") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    const std::string narrow =
        "sare narrow(W) assuming W >= 1 {\n  input in : u8[1]\n  f(x) = in(x) + 1u8\n"
        "  output f on { [x] : 0 <= x < W }\n}\n";
    const cases::Case c = a_case(narrow, "f.split(x, xo, xi, 4, ShiftInwards)\n", {{"W", 7}});
    const auto prophesied = lower_with_prophecies(c, server);
    REQUIRE(prophesied);
    CHECK(reason(validate_for_all_sizes(c, prophesied->program, halide->identity())) == "for all sizes");
    // No rules are documented for another compiler.
    const auto verdict = validate_for_all_sizes(c, prophesied->program, {.name = "another"});
    CHECK(verdict.outcome == Outcome::validated);
    CHECK(reason(verdict).starts_with("when 4 <= W"));
}

TEST_CASE("that a compiled program asks for no negative number of cells is a condition") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    const auto said = [&](const std::string& bound) {
        const cases::Case c = a_case(
            "sare never(W) assuming W >= 1 {\n  input in : u32[1]\n  f(x) = in(x)\n"
            "  update f(x) = f(x) + 1u32\n  g(x) = select([x <= " +
                bound + "], 1u32, f(x))\n  output g on { [x] : 0 <= x < W }\n}\n",
            "", {{"W", 16}});
        const auto prophesied = lower_with_prophecies(c, server);
        REQUIRE(prophesied);
        return verdict::Validation(validate_for_all_sizes(c, prophesied->program, halide->identity()));
    };
    // At W = 6 it is -3.
    CHECK_FALSE(to_string(said("8")) == "validated for all sizes");
    CHECK(to_string(said("0")) == "validated for all sizes");
}

TEST_CASE("partial results are validated for all sizes where their order does not matter") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    const auto summing = [](const std::string& type) {
        return a_case("sare sums(W, K) assuming W >= 1 and K >= 1 {\n  input in : " + type +
                          "[2]\n  f(x) = in(x, 0)\n" +
                          "  update f(x) = f(x) + in(x, k) over k in [0, K)\n  output f on { [x] : 0 <= x < W }\n}\n",
                      "f.update(0).split(k, ko, ki, 4)\nf.update(0).rfactor(ko, u, g)\ng.compute_root()\n",
                      {{"W", 5}, {"K", 10}});
    };
    const cases::Case c = summing("u16");
    auto prophesied = lower_with_prophecies(c, server);
    REQUIRE(prophesied);
    const auto verdict = validate_for_all_sizes(c, prophesied->program, halide->identity());
    INFO(reason(verdict));
    CHECK(verdict.outcome == Outcome::validated);
    CHECK(reason(verdict) == "for all sizes");
    CHECK(validate_at_sizes(c, *prophesied).outcome == Outcome::validated);

    const cases::Case ordered = summing("i32");
    const auto with_overflow = lower_with_prophecies(ordered, server);
    REQUIRE(with_overflow);
    const auto fitting = validate_for_all_sizes(ordered, with_overflow->program, halide->identity());
    CHECK(to_string(fitting) == "validated for all sizes, as long as no partial sum overflows");
    validator::Options strict = all_sizes_options();
    strict.may_assume_sums_fit = false;
    const auto unsure = validate_for_all_sizes(ordered, with_overflow->program, halide->identity(), strict);
    CHECK(unsure.outcome == Outcome::unsupported);
    CHECK(reason(unsure) == "factoring of a reduction whose order matters: sums of signed integers may overflow");

    // Partial results that start with one too much.
    int changed = 0;
    sched::for_each_statement(prophesied->program.body, [&](sched::Stmt& statement) {
        auto* assign = std::get_if<sched::Assign>(&statement.node);
        if (assign == nullptr || assign->writes[0].array != "g") { return; }
        auto* literal = std::get_if<sched::Literal>(&assign->writes[0].value.node);
        if (literal == nullptr) { return; }
        literal->value = value::Value::integer(value::Type::u16, 1);
        ++changed;
    });
    REQUIRE(changed > 0);
    CHECK(validate_for_all_sizes(c, prophesied->program, halide->identity()).outcome == Outcome::refuted);
}

TEST_CASE("sums of signed integers in another order are validated as long as no partial sum overflows") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    const std::string reordered =
        "f.update(0).reorder(x, k)\nf.update(0).split(k, ko, ki, 4)\nf.update(0).reorder(ko, ki)\n";
    for (const std::string& schedule : {reordered, std::string("f.update(0).atomic()\nf.update(0).vectorize(k, 4)\n"),
                                        std::string("f.update(0).atomic()\nf.update(0).parallel(k)\n")}) {
        const cases::Case c = a_case(
            "sare sums(W, K) assuming W >= 1 and K >= 1 {\n  input in : i32[2]\n  f(x) = in(x, 0)\n"
            "  update f(x) = f(x) + in(x, k) over k in [0, K)\n  output f on { [x] : 0 <= x < W }\n}\n",
            schedule, {{"W", 5}, {"K", 10}});
        const auto prophesied = lower_with_prophecies(c, server);
        REQUIRE(prophesied);
        INFO(schedule << sched::print(prophesied->program));
        const auto verdict = validate_for_all_sizes(c, prophesied->program, halide->identity());
        CHECK(to_string(verdict) == "validated for all sizes, as long as no partial sum overflows");
    }
}

TEST_CASE("at given sizes what is made of two sizes is a number, and nothing is unrolled") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    const std::string rounded =
        "sare rounded(W, H) assuming W >= 1 and H >= 1 {\n  input in : u8[2]\n  f(x, y) = in(x, y) + 1u8\n"
        "  output f on { [x, y] : 0 <= x < W and 0 <= y < H }\n}\n";
    const cases::Case c =
        a_case(rounded, "f.tile(x, y, xo, yo, xi, yi, 8, 4, ShiftInwards)\nf.fuse(xo, yo, t)\n", {{"W", 19}, {"H", 5}});
    auto prophesied = lower_with_prophecies(c, server);
    REQUIRE(prophesied);
    const compiler::Identity identity = halide->identity();
    const auto verdict = validate_large_sizes(c, {{"W", 297}, {"H", 200}}, prophesied->program, identity);
    INFO(reason(verdict));
    CHECK(verdict.outcome == Outcome::validated);
    CHECK(reason(verdict) == "for the given sizes");
    const auto narrow = validate_large_sizes(c, {{"W", 7}, {"H", 20}}, prophesied->program, identity);
    CHECK(narrow.outcome == Outcome::undecided);
    CHECK(reason(narrow) == "sizes that break a documented rule: W >= 8");
    // Tiles that are one iteration short, only at these sizes.
    int changed = 0;
    sched::for_each_statement(prophesied->program.body, [&](sched::Stmt& statement) {
        auto* loop = std::get_if<sched::For>(&statement.node);
        if (loop == nullptr || loop->variable.find(".t") == std::string::npos) { return; }
        loop->extent = {sched::IndexBinary{sched::IndexOp::min, loop->extent, sched::Expr{sched::Integer{4 * 5 - 1}}}};
        ++changed;
    });
    REQUIRE(changed == 1);
    CHECK(validate_large_sizes(c, {{"W", 24}, {"H", 20}}, prophesied->program, identity).outcome == Outcome::validated);
    CHECK(validate_large_sizes(c, {{"W", 25}, {"H", 20}}, prophesied->program, identity).outcome != Outcome::validated);
}

TEST_CASE("of two ways to look at a program, one that shows more counts") {
    const auto verdict = [](Outcome outcome, std::vector<validator::Judgement> judgements) {
        validator::Verdict v;
        v.outcome = outcome;
        v.judgements = std::move(judgements);
        return v;
    };
    using validator::Kind;
    const auto judged = [](Kind kind, bool holds) {
        validator::Judgement judgement{kind, "a statement", "a rule"};
        judgement.state = holds ? validator::Judgement::State::holds : validator::Judgement::State::not_shown;
        return judgement;
    };
    using Trouble = std::optional<interp::TroubleKind>;
    const Trouble read_beyond = interp::TroubleKind::out_of_bounds_read;
    const auto refutation = [&](Kind kind, const Trouble& seen) {
        validator::Verdict v = verdict(Outcome::refuted, {judged(kind, false)});
        v.obligation = kind;
        v.counterexample = {{}, {}, false, "f(3) is 7u8, expected 8u8", seen};
        return v;
    };
    const auto refuted = refutation(Kind::bounds_read, read_beyond);
    const auto unexplained = refutation(Kind::bounds_write, {});
    const auto shown = verdict(Outcome::undecided, {judged(Kind::bounds_read, true), judged(Kind::value, false)});
    const auto not_shown =
        verdict(Outcome::undecided, {judged(Kind::bounds_read, true), judged(Kind::bounds_write, false)});
    const auto without = verdict(Outcome::undecided, {});
    CHECK(is_more_informative(verdict(Outcome::validated, {}), shown));
    CHECK(is_more_informative(refuted, unexplained));
    CHECK(is_more_informative(unexplained, verdict(Outcome::validated, {})));
    CHECK_FALSE(is_more_informative(verdict(Outcome::validated, {}), unexplained));
    CHECK(is_more_informative(refutation(Kind::value, {}), unexplained));
    CHECK(is_more_informative(refuted, refutation(Kind::value, read_beyond)));
    CHECK(is_more_informative(refuted, refutation(Kind::bounds_write, read_beyond)));
    CHECK_FALSE(is_more_informative(unexplained, refuted));
    CHECK(is_more_informative(unexplained, shown));
    CHECK(is_more_informative(shown, not_shown));
    CHECK(is_more_informative(shown, without));
    CHECK_FALSE(is_more_informative(without, not_shown));
    CHECK_FALSE(is_more_informative(not_shown, without));
    CHECK(is_more_informative(without, unsupported(Feature{"a reason", ""})));
}

TEST_CASE("bounds of what is computed for each tile do not limit the sizes to one tile") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    const std::string tiled =
        "sare tiled(W) assuming W >= 100 {\n  input in : u8[1]\n  a(x) = in(x) + 1u8\n  f(x) = a(x)\n"
        "  output f on { [x] : 0 <= x < W }\n}\n";
    const cases::Case c =
        a_case(tiled, "f.split(x, xo, xi, 8, ShiftInwards)\na.compute_at(f, xo)\na.bound_extent(x, 8)\n", {{"W", 100}});
    const auto prophesied = lower_with_prophecies(c, server);
    REQUIRE(prophesied);
    CHECK(reason(validate_for_all_sizes(c, prophesied->program, halide->identity())) == "for all sizes");
}

TEST_CASE("a mutation of what Halide lowers that the interpreter shows to be wrong is never validated") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    Options concrete;
    concrete.native = false;
    concrete.localise = false;
    concrete.most_steps = 300'000;
    unrolled::Options limits;
    limits.most_steps = concrete.most_steps;
    limits.effort.rlimit = 300'000;
    int wrong = 0, refuted = 0;
    for (std::uint64_t index = 0; index < 12; ++index) {
        const cases::Case c = random::campaign_case(777, index, {}, compiler::language_of(halide->identity()));
        const Judged judged = judge_case(c, server, halide->identity(), concrete);
        if (judged.verdict.cls != verdict::Class::agrees) { continue; }
        const auto prophesied = lower_with_prophecies(c, server);
        const auto reference = evaluate_reference(c);
        if (!prophesied || !reference) { continue; }
        const auto parameters = bind_parameters(prophesied->program, c, prophesied->regions);
        REQUIRE(parameters);
        const auto mutations = mutants::sched::mutations(prophesied->program);
        for (std::size_t k = index; k < mutations.size(); k += mutations.size() / 3 + 1) {
            const LoweredProgram other{mutants::sched::apply(prophesied->program, mutations[k]), prophesied->regions};
            interp::Options options;
            options.most_steps = concrete.most_steps;
            const auto run = interp::run(other.program, *parameters, input_values(c), options);
            if (!run || judge::judge_lowered(c, *reference, *run).state == verdict::LoweredState::equal) { continue; }
            ++wrong;
            const auto verdict = validate_at_sizes(c, other, limits);
            INFO("case " << index << ", mutation " << k << ": " << reason(verdict));
            CHECK(verdict.outcome != Outcome::validated);
            refuted += verdict.outcome == Outcome::refuted ? 1 : 0;
            validator::Options effort = all_sizes_options();
            effort.evaluation_operations /= 10;
            effort.obligation_operations /= 10;
            const auto for_all = validate_for_all_sizes(c, other.program, halide->identity(), effort);
            // Assertions about buffers are assumed to hold.
            const bool asserts =
                run->troubles.size() == 1 && run->troubles[0].kind == interp::TroubleKind::assertion_failed;
            CHECK((asserts || for_all.outcome != Outcome::validated));
        }
    }
    CHECK(wrong >= 8);
    CHECK(2 * refuted >= wrong);
}

TEST_CASE("the validator stands beside the other columns, and what was not asked is not said") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    const cases::Case c = a_case(blur, "bh.compute_root()\n", {{"W", 16}, {"H", 3}});
    Options options;
    CHECK_FALSE(judge_case(c, server, halide->identity(), options).verdict.own_sizes);
    options.validate = true;
    const verdict::Verdict verdict = judge_case(c, server, halide->identity(), options).verdict;
    CHECK(verdict.cls == verdict::Class::agrees);
    CHECK(to_string(verdict.own_sizes.value()) == "validated for the given sizes");
    CHECK(to_string(verdict.all_sizes.value()) == "validated for all sizes");
}

TEST_CASE("what is too large to be unrolled at its own sizes is validated for all of them") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    Options options;
    options.validate = true;
    const cases::Case c = a_case(blur, "bh.compute_root()\n", {{"W", 2000}, {"H", 180}});
    const verdict::Verdict verdict = judge_case(c, server, halide->identity(), options).verdict;
    CHECK(to_string(verdict.own_sizes.value()) == "undecided: terms: too many values");
    CHECK(to_string(verdict.all_sizes.value()) == "validated for all sizes");
}

}  // namespace haruspex::pipeline
