#include <algorithm>

#include "generators/affine/tuples.h"
#include "generators/base/choice.h"
#include "generators/sare/build.h"
#include "harness/transform/random_program.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/interp/sched_interpreter.h"
#include "oracle/validator/evaluation/evaluation.h"
#include "oracle/validator/validator.h"
#include "tests/oracle/validator/support.h"

// Whole programs: the heap of prophecies equals the memory that a right program leaves; final coverage; vacuity.
namespace haruspex::validator {
namespace {

using Cell = std::vector<std::int64_t>;

value::Value input(const sare::Sare& sare, const std::string& tensor, const Cell& cell) {
    std::uint64_t h = 11;
    for (const char c : tensor) { h = derive_seed(h, static_cast<std::uint64_t>(c)); }
    for (const std::int64_t i : cell) { h = derive_seed(h, static_cast<std::uint64_t>(i)); }
    const value::Type type = std::ranges::find(sare.inputs, tensor, &sare::Input::name)->type;
    const auto small = static_cast<std::int64_t>(h % 7);
    return type == value::Type::boolean ? value::Value::boolean(small > 3) : value::Value::integer(type, small);
}

// Compares the heap's cells of each output array with the values left by a run.
class Prophesied {
public:
    explicit Prophesied(const transform::RandomProgram& random)
        : random_(random), specification_(context_.ctx(), random.sare) {
        Evaluation evaluation(context_.ctx(), templates_, specification_.signatures(), garbage_, accumulations_);
        evaluation.enter(random.program, specification_.assumptions());
        delta_ = heap::whole(context_.ctx(), evaluation.prophetic(random.program.body));
    }

    // Returns the number of compared cells.
    std::size_t compare(const Sizes& sizes) {
        const auto value = [&](const std::string& tensor, const Cell& cell) {
            return input(random_.sare, tensor, cell);
        };
        const auto execution = interp::run(
            random_.program, sizes, [&](const auto& tensor, int, const Cell& cell) { return value(tensor, cell); });
        if (!execution) { FAIL(execution.error().message); }
        REQUIRE(std::ranges::all_of(execution->troubles, [](const interp::Trouble& trouble) {
            return trouble.kind == interp::TroubleKind::negative_extent;
        }));
        interp::SareInterpreter reference(random_.sare, sizes, value);
        std::size_t compared = 0;
        for (const interp::FinalArray& array : execution->outputs) { compared += compare(sizes, array, reference); }
        return compared;
    }

private:
    std::size_t compare(const Sizes& sizes, const interp::FinalArray& array, interp::SareInterpreter& reference) {
        std::size_t compared = 0, written = 0;
        heap::only(*delta_, array.array).foreach_map([&](const isl::map& map) {
            const auto& node = templates_[heap::Templates::of_tuple(map.range_tuple_id().name())];
            const auto* prophesied = std::get_if<heap::Cell>(&node.what);
            const auto points = affine::points(affine::fix_parameters(map.wrap().flatten(), sizes), 100'000);
            REQUIRE(points.has_value());
            written += points->size();
            for (const affine::Point& point : *points) {
                const auto rank = static_cast<std::ptrdiff_t>(array.min.size());
                const value::Value* found = cell_of(array, {point.begin(), point.begin() + rank});
                REQUIRE(found != nullptr);
                // Garbage need not equal its prophecy.
                if (prophesied == nullptr || found->is_uninit() || specification_.is_input(prophesied->tensor)) {
                    continue;
                }
                const auto expected =
                    reference.evaluate(prophesied->tensor, prophesied->component, {point.begin() + rank, point.end()});
                REQUIRE(expected.has_value());
                if (!expected->is_defined()) { continue; }
                ++compared;
                CHECK(value::same_number(*expected, *found));
            }
        });
        const auto is_defined = [](const value::Value& cell) { return cell.is_defined(); };
        CHECK(static_cast<std::size_t>(std::ranges::count_if(array.cells, is_defined)) <= written);
        return compared;
    }

    static const value::Value* cell_of(const interp::FinalArray& array, const Cell& cell) {
        std::size_t position = 0, stride = 1;
        for (std::size_t d = 0; d < cell.size(); ++d) {
            const std::int64_t offset = cell[d] - array.min[d];
            if (offset < 0 || offset >= array.extent[d]) { return nullptr; }
            position += static_cast<std::size_t>(offset) * stride;
            stride *= static_cast<std::size_t>(array.extent[d]);
        }
        return &array.cells[position];
    }

    const transform::RandomProgram& random_;
    affine::Context context_;
    Specification specification_;
    heap::Templates templates_;
    Garbage garbage_;
    Accumulations accumulations_;
    std::optional<heap::Heap> delta_;
};

bool has_strides(const sched::Program& program) {
    return std::ranges::any_of(program.arrays, [](const sched::Array& array) {
        return !array.dimensions.empty() && array.dimensions[0].stride.has_value();
    });
}

TEST_CASE("a specification that the validator does not know is unsupported, and no error") {
    const sare::Sare reduces = parsed_sare(
        "sare s(N) assuming N >= 1 { input in : i32[1] a(x) = sum over { [j] : 0 <= j < N } of (in(j))"
        " output a on { [x] : 0 <= x < 1 } }");
    const sched::Program program =
        parsed_program("sched s(N) { input in : i32[N]; output a : i32[1]; a[0] {a(0)} := in[0]; }");
    const Verdict verdict = validate(reduces, program);
    CHECK(verdict.outcome == Outcome::unsupported);
    CHECK(verdict.what.kind == "reduction in the specification");
}

TEST_CASE("Lemma 5.4.3: of a right program the prophesied heap is the final memory") {
    std::size_t compared = 0, programs = 0;
    for (std::uint64_t seed = 0; programs < 40; ++seed) {
        Choices choices(random_source(derive_seed(43, seed)));
        const transform::RandomProgram random = transform::random_program(choices);
        if (has_strides(random.program)) { continue; }
        ++programs;
        INFO("random program " << seed);
        Prophesied prophesied(random);
        for (const std::int64_t size : {8, 11}) {
            Sizes sizes;
            for (const std::string& parameter : random.sare.parameters) { sizes[parameter] = size; }
            if (sare::evaluate(random.sare.assumptions, sizes)) { compared += prophesied.compare(sizes); }
        }
    }
    INFO(compared << " cells compared");
    CHECK(compared >= 2000);
}

Verdict verdict_of(const std::string& sare, const std::string& program) {
    return validate(parsed_sare(sare), parsed_program(program));
}

const char* const copy = R"(sare s(N) assuming N >= 0 {
  input A : i32[1]
  F(x) = A(x)
  G(x) = A(x + 1)
  output F on { [x] : 0 <= x < N }
})";

TEST_CASE("Final coverage: every requested cell is written, in an array that has it, with its own tensor") {
    const std::string head = "sched s(N) { input a for A : i32[N + 1]; output f for F : i32[";
    const auto verdict = [&](const std::string& extent, const std::string& body) {
        return verdict_of(copy, head + extent + "]; " + body + " }");
    };
    CHECK(verdict("N", "for x in [0, N) { f[x] {F(x)} := a[x]; }").outcome == Outcome::validated);
    CHECK(verdict("N + 7", "for x in [0, N) { f[x] {F(x)} := a[x]; }").outcome == Outcome::validated);
    for (const auto& [extent, body] : {
             std::pair{"N", "for x in [0, N - 1) { f[x] {F(x)} := a[x]; }"},
             {"N", "for x in [1, N) { f[x] {F(x)} := a[x]; }"},
             {"N", "for x in [0, N) { if x != 4 { f[x] {F(x)} := a[x]; } }"},
             {"N - 1", "for x in [0, N - 1) { f[x] {F(x)} := a[x]; }"},
             {"N", "for x in [0, N) { f[x] {G(x)} := a[x + 1]; }"},
             {"N", "for x in [0, N) { f[x] {F(N - 1 - x)} := a[N - 1 - x]; }"},
             {"N", "skip;"},
         }) {
        INFO(extent << ": " << body);
        const Verdict found = verdict(extent, body);
        CHECK(found.outcome == Outcome::refuted);
        CHECK(found.obligation == Kind::coverage);
        CHECK(found.counterexample.has_value());
    }
    // An equal cell of another tensor will do.
    CHECK(verdict("N", "for x in [0, N) { f[x] {A(x)} := a[x]; }").outcome == Outcome::validated);
}

TEST_CASE("Vacuity: where no output cell is ever requested nothing is validated") {
    const std::string program = "sched s(N) { input a for A : i32[N]; output f for F : i32[N]; skip; }";
    for (const std::string assumption : {"N = 0", "N < 0"}) {
        INFO(assumption);
        std::string sare = copy;
        sare.replace(sare.find("N >= 0"), 6, assumption);
        const Verdict found = verdict_of(sare, program);
        CHECK(found.outcome == Outcome::undecided);
        CHECK(found.obligation == Kind::vacuous);
    }
    CHECK(verdict_of(copy, program).outcome == Outcome::refuted);
}

TEST_CASE("Garbage may be written, and may not be requested") {
    const std::string head =
        "sched s(N) { input a for A : i32[N + 1]; output f for F : i32[N + 1]; "
        "allocate t : i32[N + 1]; for x in [0, N) { t[x] {A(x)} := a[x]; } ";
    const Verdict beyond = verdict_of(copy, head + "for x in [0, N + 1) { f[x] {F(x)} := t[x]; } }");
    CHECK(beyond.outcome == Outcome::validated);
    CHECK(beyond.rounds > 1);
    const Verdict requested = verdict_of(copy, head +
                                                   "for x in [0, N) { f[x] {F(x)} := t[x]; } "
                                                   "if N > 0 { f[N - 1] {F(N - 1)} := t[N]; } }");
    CHECK(requested.outcome == Outcome::refuted);
    CHECK(requested.obligation == Kind::uninit);
}

TEST_CASE("Garbage that may be Undef is not taken for Uninit, which an arm that is not chosen may be") {
    const std::string head =
        "sched s(N) { input a for A : i32[N + 1]; output f for F : i32[N]; allocate t : i32[1]; allocate s : i32[1]; ";
    const auto validated = [&](const std::string& garbage, const std::string& value) {
        const Verdict found = verdict_of(
            copy, head + "s[0] {A(0)} := " + garbage + "; for x in [0, N) { f[x] {F(x)} := " + value + "; } }");
        CHECK(found.rounds > 1);
        return found.outcome == Outcome::validated;
    };
    const std::string chosen = "select(N < 0, s[0], a[x])";
    CHECK(validated("t[0]", chosen));
    CHECK(validated("t[0] & a[0]", chosen));
    CHECK_FALSE(validated("t[0] + a[0] * a[0]", chosen));
    CHECK(validated("t[0] + a[0] * a[0]", "a[x]"));
}

TEST_CASE("What the whole program may cost is one budget, told with the verdict") {
    const sare::Sare specification = parsed_sare(copy);
    const sched::Program program = parsed_program(
        "sched s(N) { input a for A : i32[N]; output f for F : i32[N]; "
        "for x in [0, N) { f[x] {F(x)} := a[x]; } }");
    const auto within = [&](std::uint64_t operations) {
        Options options;
        options.operations = operations;
        return validate(specification, program, options);
    };
    const Verdict whole = validate(specification, program);
    REQUIRE(whole.outcome == Outcome::validated);
    CHECK(whole.operations > 1000);
    CHECK(whole.operations < Options().operations / 100);
    const Verdict enough = within(2 * whole.operations);
    CHECK(enough.outcome == Outcome::validated);
    CHECK(enough.operations == whole.operations);
    // Less than all obligations together, though more than any single one.
    for (const std::uint64_t part : {whole.operations / 8, whole.operations / 2, whole.operations * 9 / 10}) {
        const Verdict less = within(part);
        CHECK(less.outcome == Outcome::undecided);
        CHECK(less.is_exhausted);
        CHECK(less.operations == part);
    }
}

TEST_CASE("A verdict may end with the first access that is beyond its dimensions") {
    // The access is out of bounds only at an N that is too large for a run.
    const std::string program =
        "sched s(N) { input a for A : i32[N]; output f for F : i32[N]; "
        "for x in [0, N) { f[x] {F(x)} := a[x]; } if N > 1000000 { f[N] {F(N)} := 0i32; } }";
    Options options;
    for (const bool ends : {false, true}) {
        options.ends_at_bounds = ends;
        const Verdict found = validate(parsed_sare(copy), parsed_program(program), options);
        CHECK(found.outcome == Outcome::undecided);
        CHECK(found.obligation == Kind::bounds_write);
        const auto of_coverage = std::ranges::find(found.judgements, Kind::coverage, &Judgement::kind);
        REQUIRE(of_coverage != found.judgements.end());
        CHECK((of_coverage->state == Judgement::State::not_looked_at) == ends);
    }
    // An error shown by a run is still refuted.
    options.ends_at_bounds = true;
    const std::string wrong = "sched s(N) { input a for A : i32[N]; output f for F : i32[N]; f[N] {F(N)} := 0i32; }";
    CHECK(validate(parsed_sare(copy), parsed_program(wrong), options).outcome == Outcome::refuted);
}

TEST_CASE("Who times the parts of a verdict hears of each") {
    const auto parts_of = [](const std::string& program) {
        std::vector<std::string> parts;
        Options options;
        options.on_part = [&](std::string_view part) {
            if (parts.empty() || parts.back() != part) { parts.emplace_back(part); }
        };
        validate(parsed_sare(copy), parsed_program(program), options);
        return parts;
    };
    const std::string head = "sched s(N) { input a for A : i32[N]; output f for F : i32[N]; ";
    const std::vector<std::string> before{"specification", "evaluation", "small sizes", "sets"};
    std::vector<std::string> of_right = before;
    of_right.emplace_back("equations");
    CHECK(parts_of(head + "for x in [0, N) { f[x] {F(x)} := a[x]; } }") == of_right);
    std::vector<std::string> of_wrong = before;
    of_wrong.emplace_back("counterexamples");
    CHECK(parts_of(head + "f[N] {F(N)} := 0i32; }") == of_wrong);
}

TEST_CASE("Asynchronous producers are not supported, right or wrong") {
    const std::string head = "sched s(N) { input a for A : i32[N]; output f for F : i32[N]; ";
    for (const std::string body : {"fork { for x in [0, N) { f[x] {A(x)} := a[x]; } } and {}",
                                   "semaphore s = 1; acquire 1 of s; for x in [0, N) { f[x] {A(x)} := a[x]; }"}) {
        const Verdict found = verdict_of(copy, head + body + " }");
        CHECK(found.outcome == Outcome::unsupported);
        CHECK(reason(found) == "asynchronous producers");
    }
}

TEST_CASE("Floats that are not strict are nobody's IEEE floats: a proof is one of real numbers, a refutation stands") {
    const auto verdict = [](const std::string& sum, Floats floats) {
        Options options;
        options.ladder.floats = floats;
        return validate(
            parsed_sare("sare s(N) assuming N >= 1 {\n  input A : f32[1]\n  F(x) = A(x) + 1.0f32\n"
                        "  output F on { [x] : 0 <= x < N }\n}\n"),
            parsed_program("sched s(N) with loose floats { input a for A : f32[N]; output f for F : f32[N]; "
                           "for x in [0, N) { f[x] {F(x)} := " +
                           sum + "; } }"),
            options);
    };
    const Verdict right = verdict("a[x] + 1.0f32", Floats::ieee);
    CHECK(right.outcome == Outcome::unsupported);
    CHECK(reason(right) == "floats that are not strict");
    CHECK(verdict("a[x] + 1.0f32", Floats::real).outcome == Outcome::validated);
    CHECK(verdict("a[x] + 2.0f32", Floats::ieee).outcome == Outcome::refuted);
}

}  // namespace
}  // namespace haruspex::validator
