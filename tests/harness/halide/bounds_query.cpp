#include "harness/halide/bounds_query.h"

#include "generators/random/random_case.h"
#include "harness/compiler/compiler.h"
#include "harness/compiler/fork_server.h"
#include "harness/halide/halide_compiler.h"
#include "tests/support/catch.h"

namespace haruspex::halide {
namespace {

using namespace Halide::Internal;
using Halide::Expr;

Expr variable(const std::string& name) { return Variable::make(Halide::Int(32), name); }

Expr handle(const std::string& buffer) {
    return Variable::make(Halide::type_of<struct halide_buffer_t*>(), buffer + ".buffer");
}

Expr asks(const std::string& buffer) {
    return Call::make(Halide::Bool(), Call::buffer_is_bounds_query, {handle(buffer)}, Call::Extern);
}

// A field of one dimension of a buffer.
Expr field(const char* name, const std::string& buffer) {
    return Call::make(Halide::Int(32), name, {handle(buffer), 0}, Call::Extern);
}

// if (is a query of in) { in.dim(0) = (min, extent) }
Stmt answers(const Expr& min, const Expr& extent) {
    const Expr shape =
        Call::make(Halide::type_of<halide_dimension_t*>(), Call::make_struct, {min, extent, 1, 0}, Call::Intrinsic);
    const Expr init =
        Call::make(Halide::type_of<struct halide_buffer_t*>(), Call::buffer_init, {handle("in"), shape}, Call::Extern);
    return IfThenElse::make(asks("in"), Evaluate::make(init));
}

const Interface interface{"p",
                          {"N"},
                          {{sched::Role::input, "in", "in", "in", 0, 1, value::Type::i32, 1},
                           {sched::Role::output, "f$0", "f", "f", 0, 1, value::Type::i32, 1}},
                          {{"f$0", "f"}},
                          {}};

// "[min, extent]" of the input for N = 7 and an output on [-2, 8), or why there is no region.
std::string answer(const Stmt& statement) {
    const auto regions = query_bounds(statement, interface, {{"N", 7}}, {{"f$0", {{-2}, {10}}}});
    if (!regions) { return regions.error().words; }
    REQUIRE(regions->size() == 1);
    CHECK(regions->front().input == "in");
    return "[" + std::to_string(regions->front().min.at(0)) + ", " + std::to_string(regions->front().extent.at(0)) +
           "]";
}

}  // namespace

TEST_CASE("the query is answered on the sizes and the boxes of the outputs, through lets of both kinds") {
    const Expr end = variable("N") * 3 + field(Call::buffer_get_max, "f$0");
    const Stmt inside = LetStmt::make("end", end, answers(field(Call::buffer_get_min, "f$0"), variable("end")));
    CHECK(answer(inside) == "[-2, 28]");
    const Expr shifted = Let::make("t", variable("N") / -2, variable("t") % 5);
    CHECK(answer(answers(shifted, max(variable("N"), field(Call::buffer_get_extent, "f$0")))) == "[2, 10]");
    CHECK(answer(answers(select(variable("N") < 8 && !(variable("N") == 3), 4, 5), 1)) == "[4, 1]");
}

TEST_CASE("an output with memory asks nothing, and the program behind the questions is not entered") {
    const Stmt run = Store::make("f$0", 1, variable("of no value"), {}, const_true(), ModulusRemainder());
    const Stmt of_output = IfThenElse::make(asks("f$0"), run, answers(1, 2));
    CHECK(answer(Block::make(of_output, IfThenElse::make(!asks("in"), run))) == "[1, 2]");
    // No question is asked: the input is unused.
    CHECK(answer(run) == "[0, 0]");
}

TEST_CASE("the query is repeated on its own answer") {
    CHECK(answer(answers(min(field(Call::buffer_get_min, "in") + 1, 3), 5)) == "[3, 5]");
    CHECK(answer(answers(field(Call::buffer_get_min, "in") + 1, 5)) == "the bounds query does not converge");
}

TEST_CASE("what has no value is said") {
    const std::string none = "the bounds query has no answer: ";
    CHECK(answer(answers(variable("M"), 1)) == none + "M has no value");
    CHECK(answer(answers(variable("N") * 2000000000, 1)) == none + "an overflow of 32 bits");
    const Stmt unused = LetStmt::make("huge", variable("N") * 2000000000, answers(1, 1));
    CHECK(answer(unused) == "[1, 1]");
    CHECK(answer(IfThenElse::make(asks("in"), Evaluate::make(0))) == none + "nothing is said of in");
}

TEST_CASE("random programs: the query has the answer that compiled code gives") {
    const auto halide = make_halide();
    compiler::ForkServer server(*halide, {});
    int compared = 0;
    for (std::uint64_t index = 0; index < 60; ++index) {
        const cases::Case c = random::campaign_case(83, index, {}, compiler::language_of(halide->identity()));
        compiler::Request lower;
        lower.run = false;
        lower.lower = true;
        const compiler::Observation native = server.observe(c);
        if (native.phase < compiler::Phase::first_run) { continue; }
        const compiler::Observation lowered = server.observe(c, lower);
        CAPTURE(index, lowered.why_regions_unknown);
        CHECK(lowered.input_regions == native.input_regions);
        ++compared;
    }
    CHECK(compared > 50);
}

}  // namespace haruspex::halide
