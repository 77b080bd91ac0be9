#include <algorithm>
#include <string>

#include "generators/schedule/halide/admission.h"
#include "generators/schedule/halide/spelling.h"
#include "generators/schedule/halide/text.h"
#include "generators/schedule/halide/vocabulary.h"
#include "tests/generators/schedule/halide/program.h"
#include "tests/support/catch.h"

// The levels at which tensors may be computed and stored, and directives that concern a whole tensor.

using namespace haruspex;
using namespace haruspex::schedule::halide;
using namespace haruspex::schedule::halide::test;
using haruspex::schedule::halide::Admission;

namespace {

// a -> b -> out, a -> c -> out; u has an update and reads v in it.
const sare::Algorithm& program() {
    static const sare::Algorithm made = algorithm(R"(sare p(W, H) assuming W >= 8 and H >= 8 {
        input in : i32[2]
        a(x, y) = in(x, y)
        b(x, y) = a(x, y - 1) + a(x, y + 1)
        c(x, y) = a(x, y)
        v(x) = in(x, 0)
        u(x) = 0i32
        update u(x) = u(x) + v(x + k) over k in [0, 3)
        out(x, y) = b(x, y) + c(x, y) + u(x)
        output out on { [x, y] : 0 <= x < W and 0 <= y < H }
    })");
    return made;
}

bool admitted(const std::string& text) {
    const std::string message = refusal(program(), text);
    UNSCOPED_INFO(message);
    return message.empty();
}
bool is_refused(const std::string& text, const std::string& words) { return refused(program(), text, words); }

Admission after(const std::string& text) {
    Admission admission(program(), {});
    for (const Directive& directive : schedule::halide::test::schedule(text).directives) {
        const auto done = admission.apply(directive);
        INFO((done ? std::string() : done.error().message));
        REQUIRE(done.has_value());
    }
    return admission;
}

std::string levels(const std::vector<LoopLevel>& found) {
    std::string text;
    for (const LoopLevel& level : found) { text += (text.empty() ? "" : " ") + print(level.stage) + ":" + level.var; }
    return text;
}

}  // namespace

TEST_CASE("a level encloses every use, through inlined functions too") {
    CHECK(admitted("a.compute_at(out, x)"));
    CHECK(admitted("b.compute_root()\nc.compute_root()\na.compute_root()"));
    CHECK(admitted("b.compute_root()\nc.compute_at(b, x)\na.compute_root()") == false);
    CHECK(is_refused("b.compute_root()\na.compute_at(out, y)", "does not enclose every use"));
    CHECK(is_refused("b.compute_root()\na.compute_at(b, y)", "does not enclose every use"));
    CHECK(admitted("b.compute_at(out, y)\na.compute_at(out, y)"));
    CHECK(is_refused("b.compute_at(out, y)\na.compute_at(out, x)", "does not enclose every use"));
    CHECK(admitted("b.compute_at(out, y)\nc.compute_at(b, x)\na.compute_root()") == false);
}

TEST_CASE("a level names a loop that is there when the schedule is complete") {
    CHECK(admitted("a.compute_at(out, yo)\nout.split(y, yo, yi, 4)"));
    CHECK(is_refused("a.compute_at(out, yo)", "has no loop over \"yo\""));
    CHECK(is_refused("a.compute_at(nothing, y)", "no stage"));
    CHECK(is_refused("a.compute_at(a, y)", "inside its own loops"));
    CHECK(is_refused("out.specialize(W >= 9)\na.compute_at(out.update(0), y)", "no stage"));
}

TEST_CASE("every specialization of a consumer needs the level's loop") {
    CHECK(admitted("out.specialize(W >= 9)\na.compute_at(out, y)"));
    CHECK(is_refused("out.specialize(W >= 9)\nout.specialize[0].split(y, yo, yi, 4)\na.compute_at(out, y)",
                     "does not enclose every use"));
}

TEST_CASE("a level may be a loop of an update") {
    CHECK(admitted("u.compute_root()\nv.compute_at(u.update(0), k)"));
    CHECK(is_refused("u.compute_root()\nv.compute_at(u, k)", "no loop over \"k\""));
    CHECK(admitted("u.compute_root()\nv.compute_at(u.update(0), x)"));
}

TEST_CASE("a tensor with updates is computed innermost by default") {
    CHECK(!after("").is_inlined("u"));
    CHECK(levels(after("").compute_levels("v")) == "out:y out:x u.update(0):x u.update(0):k");
    CHECK(admitted("v.compute_at(out, x)"));
    CHECK(admitted("v.compute_at(u.update(0), k)"));
}

TEST_CASE("the levels that are offered are admitted") {
    const Admission admission = after("out.split(y, yo, yi, 4)\nb.compute_at(out, yo)\nc.compute_at(out, yi)");
    CHECK(levels(admission.compute_levels("a")) == "out:yo");
    const Admission stored = after("a.compute_at(out, x)");
    CHECK(levels(stored.compute_levels("a")) == "out:y out:x");
    CHECK(levels(stored.store_levels("a")) == "out:y out:x");
    CHECK(levels(after("a.compute_at(out, y)").store_levels("a")) == "out:y");
}

TEST_CASE("storage encloses computation") {
    CHECK(admitted("a.compute_at(out, x)\na.store_at(out, y)"));
    CHECK(admitted("a.compute_at(out, x)\na.store_root()"));
    CHECK(is_refused("a.compute_at(out, y)\na.store_at(out, x)", "inside the level where it is computed"));
    CHECK(is_refused("a.compute_root()\na.store_at(out, x)", "inside the level where it is computed"));
    CHECK(is_refused("a.store_root()", "computed inline"));
    CHECK(is_refused("u.store_root()", "computed inline"));
}

TEST_CASE("no loop between storage and computation runs its iterations at once") {
    CHECK(admitted("out.parallel(y)\na.compute_at(out, x)\na.store_at(out, y)"));
    CHECK(is_refused("out.parallel(y)\na.compute_at(out, x)\na.store_root()", "parallel or vectorized"));
    CHECK(is_refused("out.split(x, xo, xi, 8)\nout.vectorize(xi)\na.compute_at(out, xi)\na.store_at(out, y)",
                     "parallel or vectorized"));
}

TEST_CASE("the mutex of an atomic parallel stage is no business of a vector's lanes") {
    const std::string atomic = "u.update(0).atomic()\nu.update(0).parallel(k)\n";
    CHECK(admitted(atomic + "u.compute_root()\nout.vectorize(x, 8)"));
    CHECK(is_refused(atomic + "out.vectorize(x, 8)", "inside a vectorized loop"));
    CHECK(admitted("u.update(0).parallel(x)\nout.vectorize(x, 8)"));
}

TEST_CASE("an atomic parallel update has no predicated stores") {
    const std::string atomic = "u.compute_root()\nu.update(0).atomic()\n";
    CHECK(admitted(atomic + "u.update(0).vectorize(x, 4, PredicateStores)"));
    CHECK(admitted(atomic + "u.update(0).vectorize(x, 4, Predicate)\nu.update(0).parallel(k)"));
    CHECK(is_refused(atomic + "u.update(0).vectorize(x, 4, PredicateStores)\nu.update(0).parallel(k)",
                     "predicated stores"));
}

TEST_CASE("outputs are computed and stored at root") {
    CHECK(admitted("out.compute_root()\nout.store_root()"));
    CHECK(is_refused("out.compute_inline()", "computed at root"));
    CHECK(is_refused("out.compute_at(b, x)", "computed at root"));
    CHECK(is_refused("out.store_at(b, x)", "stored at root"));
    CHECK(after("").is_output("out"));
    CHECK(!after("").is_output("a"));
}

TEST_CASE("an inlined function has no loops to mark and no specializations") {
    CHECK(admitted("a.split(x, xo, xi, 8)\na.reorder(y, xo)"));
    CHECK(is_refused("a.parallel(y)", "computed inline"));
    CHECK(is_refused("a.vectorize(x, 8)", "computed inline"));
    CHECK(is_refused("a.unroll(x, 2)", "computed inline"));
    CHECK(is_refused("a.specialize(W >= 9)", "must not be specialized"));
    CHECK(admitted("u.parallel(x)"));
}

TEST_CASE("a tensor is computed asynchronously beside its consumers") {
    CHECK(admitted("b.compute_root()\nb.async()"));
    CHECK(admitted("b.async()\nb.compute_at(out, y)\nb.store_root()\nb.fold_storage(y, 2)"));
    CHECK(admitted("u.async()\nu.update(0).atomic()\nu.update(0).parallel(k)"));
    CHECK(admitted("a.compute_root()\nb.compute_root()\na.async()\nb.async()"));
    CHECK(is_refused("b.async()", "no task of its own"));
    CHECK(is_refused("out.async()", "no consumers"));
    CHECK(is_refused("u.update(0).async()", "belongs to the tensor"));
}

TEST_CASE("what concerns a tensor is not said of a stage") {
    CHECK(admitted("u.compute_root()"));
    CHECK(is_refused("u.update(0).compute_root()", "belongs to the tensor"));
    CHECK(is_refused("u.update(0).bound(x, 0, W)", "belongs to the tensor"));
    CHECK(is_refused("u.update(0).fold_storage(x, 2)", "belongs to the tensor"));
}

TEST_CASE("bounds are of the tensor's variables, over the parameters, once") {
    CHECK(admitted("out.bound(x, 0, W)\nout.bound_extent(y, H)"));
    CHECK(is_refused("out.bound(z, 0, W)", "not one of the tensor's variables"));
    CHECK(is_refused("out.bound(x, 0, y)", "not a parameter"));
    CHECK(is_refused("out.bound(x, 0, 0)", "positive"));
    CHECK(is_refused("out.bound(x, 0, W)\nout.align_bounds(x, 8)", "already has bounds"));
    CHECK(admitted("b.compute_root()\nb.align_bounds(x, 8, 3)"));
    CHECK(is_refused("b.align_bounds(x, 0)", "positive"));
    CHECK(is_refused("b.align_bounds(k, 4)", "not one of the tensor's variables"));
    CHECK(after("out.bound(x, 0, 16)").nest({"out", {}, {}}).loops[0].extent == 16);
    // Without a minimum the extent of a piece is unknown.
    CHECK(!after("b.bound_extent(x, 16)").nest({"b", {}, {}}).loops[0].extent.has_value());
}

namespace {

constexpr Vocabulary newest{21};

bool admitted_now(const std::string& text) {
    const std::string message = refusal(program(), text, newest);
    UNSCOPED_INFO(message);
    return message.empty();
}
bool is_refused_now(const std::string& text, const std::string& words) {
    return refused(program(), text, words, newest);
}

}  // namespace

TEST_CASE("a directive that a version does not have is refused by name") {
    for (const char* call : {"b.hoist_storage(out, y)", "b.hoist_storage_root()", "b.ring_buffer(2)",
                             "out.partition(x, Never)", "out.never_partition(x)", "out.always_partition(x)",
                             "out.never_partition_all()", "out.always_partition_all()"}) {
        const std::string text = std::string("b.compute_at(out, x)\n") + call;
        const std::string name = std::string(call).substr(std::string(call).find('.') + 1);
        CHECK(is_refused(text, "Halide 14 has no " + name.substr(0, name.find('('))));
        CHECK_FALSE(is_refused_now(text, "has no"));
    }
    CHECK(admitted("out.prefetch(in, x, x, 2)"));
}

TEST_CASE("what some versions lack are directives and tail strategies") {
    for (const Since& one : since) {
        INFO(one.name);
        CHECK(std::ranges::count(action_names, one.name) + std::ranges::count(tail_names, one.name) == 1);
        CHECK(one.version > 14);
    }
    CHECK(std::ranges::count(since, "RoundUpAndBlend", &Since::name) == 1);
    CHECK_FALSE(Vocabulary{14}.has(Tail::round_up_and_blend));
    CHECK(Vocabulary{19}.has(Tail::round_up_and_blend));
    CHECK_FALSE(Vocabulary{14}.has(Action{RingBuffer{2}}));
    CHECK(Vocabulary{19}.has(Action{RingBuffer{2}}));
    CHECK(Vocabulary{14}.has(Action{Prefetch{}}));
}

TEST_CASE("storage is allocated outside its store level") {
    CHECK(admitted_now("b.compute_at(out, x)\nb.hoist_storage(out, y)"));
    CHECK(admitted_now("b.compute_at(out, x)\nb.hoist_storage(out, x)"));
    CHECK(admitted_now("b.compute_at(out, x)\nb.store_at(out, y)\nb.hoist_storage_root()\nb.fold_storage(x, 2)"));
    CHECK(admitted_now("b.compute_root()\nb.hoist_storage_root()"));
    CHECK(admitted_now("out.hoist_storage_root()"));
    CHECK(is_refused_now("b.compute_at(out, y)\nb.hoist_storage(out, x)", "inside the level where it is stored"));
    CHECK(is_refused_now("b.compute_at(out, x)\nb.store_root()\nb.hoist_storage(out, y)",
                         "inside the level where it is stored"));
    CHECK(is_refused_now("c.compute_root()\na.compute_at(out, x)\na.hoist_storage(out, y)", "not enclose every use"));
    CHECK(is_refused_now("b.compute_at(out, x)\nb.hoist_storage(c, x)", "does not enclose every use"));
    CHECK(is_refused_now("b.compute_at(out, x)\nb.hoist_storage(out, z)", "no loop over \"z\""));
    CHECK(is_refused_now("b.hoist_storage_root()", "allocated at root but computed inline"));
    CHECK(is_refused_now("u.hoist_storage_root()", "allocated at root but computed inline"));
    CHECK(is_refused_now("out.hoist_storage(b, x)", "stored at root"));
    CHECK(is_refused_now("u.update(0).hoist_storage_root()", "belongs to the tensor"));
}

TEST_CASE("no loop between allocation and computation runs its iterations at once") {
    CHECK(admitted_now("out.parallel(y)\nb.compute_at(out, x)\nb.hoist_storage(out, y)"));
    CHECK(is_refused_now("out.parallel(y)\nb.compute_at(out, x)\nb.hoist_storage_root()", "allocated outside"));
    CHECK(is_refused_now("out.parallel(y)\nb.compute_at(out, x)\nb.store_root()\nb.hoist_storage_root()",
                         "stored outside"));
}

TEST_CASE("a ring buffer is of storage that is hoisted") {
    CHECK(admitted_now("b.compute_at(out, x)\nb.hoist_storage(out, y)\nb.ring_buffer(2)"));
    CHECK(admitted_now("b.compute_at(out, x)\nb.hoist_storage_root()\nb.ring_buffer(1)\nb.async()"));
    CHECK(admitted_now("b.ring_buffer(2)"));
    CHECK(admitted_now("out.ring_buffer(2)"));
    CHECK(is_refused_now("b.compute_at(out, x)\nb.ring_buffer(2)", "allocated outside the level"));
    CHECK(is_refused_now("b.compute_at(out, x)\nb.hoist_storage(out, x)\nb.ring_buffer(2)", "outside the level"));
    CHECK(is_refused_now("u.ring_buffer(2)", "allocated outside the level"));
    CHECK(is_refused_now("b.compute_at(out, x)\nb.hoist_storage(out, y)\nb.ring_buffer(0)", "positive"));
}

TEST_CASE("the levels at which storage could be allocated are outside its store level") {
    const auto hoists = [](const std::string& text) {
        Admission admission(program(), newest);
        for (const Directive& directive : schedule::halide::test::schedule(text).directives) {
            REQUIRE(admission.apply(directive).has_value());
        }
        std::string found;
        for (const auto& level : admission.hoist_levels("b")) {
            found += (found.empty() ? "" : " ") + (level ? print(level->stage) + ":" + level->var : "root");
        }
        return found;
    };
    CHECK(hoists("b.compute_at(out, x)") == "root out:y");
    CHECK(hoists("b.compute_at(out, y)") == "root");
    CHECK(hoists("b.compute_at(out, x)\nb.store_root()").empty());
    CHECK(hoists("b.compute_root()").empty());
    CHECK(hoists("").empty());
    CHECK(hoists("out.parallel(y)\nb.compute_at(out, x)") == "out:y");
}

TEST_CASE("a prefetch is of an input, or of a tensor that is stored outside the loop where it is") {
    CHECK(admitted("a.compute_root()\na.prefetch(in, x, y, 2)"));
    CHECK(admitted("b.compute_root()\nout.prefetch(b, x, x)"));
    CHECK(admitted("b.compute_at(out, y)\nout.prefetch(b, x, x, 3, Clamp)"));
    CHECK(admitted("b.compute_at(out, x)\nb.store_root()\nout.prefetch(b, x, y, 1, NonFaulting)"));
    CHECK(is_refused("b.compute_at(out, y)\nout.prefetch(b, y, y)", "not stored outside"));
    CHECK(is_refused("b.compute_at(out, x)\nout.prefetch(b, y, y)", "not stored outside"));
    CHECK(is_refused("u.compute_root()\nv.compute_at(u.update(0), x)\nu.update(0).prefetch(v, x, x)",
                     "not stored outside"));
    CHECK(admitted("u.compute_root()\nv.compute_at(u.update(0), x)\nu.update(0).prefetch(v, k, x)"));
    // Its own storage is around its loops.
    CHECK(admitted("u.compute_root()\nu.update(0).prefetch(u, k, k)"));
    CHECK(is_refused("out.prefetch(out, x, x)", "not stored outside"));
    // Without effect: b is computed inline, c is not used there.
    CHECK(admitted("out.prefetch(b, x, x)"));
    CHECK(admitted("b.compute_root()\nc.compute_at(out, x)\nb.prefetch(c, x, x)"));
}

TEST_CASE("a prefetch counts from the loop where it is or from one around it, in the complete schedule") {
    CHECK(admitted("out.prefetch(in, xi, xo)\nout.split(x, xo, xi, 4)"));
    CHECK(is_refused("out.prefetch(in, y, x)", "not a loop around"));
    CHECK(is_refused("out.prefetch(in, x, x)\nout.split(x, xo, xi, 4)", "no loop over \"x\""));
    CHECK(is_refused("out.prefetch(nothing, x, x)", "no tensor or input \"nothing\""));
    CHECK(is_refused("out.prefetch(in, x, k)", "no loop over \"k\""));
}

TEST_CASE("reorder_storage names distinct variables") {
    CHECK(admitted("b.compute_root()\nb.reorder_storage(y, x)"));
    CHECK(is_refused("b.reorder_storage(y)", "at least two"));
    CHECK(is_refused("b.reorder_storage(y, y)", "twice"));
    CHECK(is_refused("b.reorder_storage(y, k)", "not one of the tensor's variables"));
}

TEST_CASE("align_storage names a variable of the tensor and a positive alignment") {
    CHECK(admitted("b.compute_root()\nb.align_storage(x, 16)"));
    CHECK(admitted("b.compute_root()\nb.reorder_storage(y, x)\nb.align_storage(y, 3)\nb.align_storage(x, 1)"));
    CHECK(admitted("b.compute_at(out, y)\nb.store_root()\nb.fold_storage(y, 2)\nb.align_storage(y, 8)"));
    // Of two calls for one variable Halide keeps the last.
    CHECK(admitted("b.compute_root()\nb.align_storage(x, 4)\nb.align_storage(x, 8)"));
    // Without effect.
    CHECK(admitted("out.align_storage(x, 4)"));
    CHECK(admitted("b.align_storage(x, 4)"));
    CHECK(is_refused("b.align_storage(x, 0)", "positive"));
    CHECK(is_refused("b.align_storage(x, -4)", "positive"));
    CHECK(is_refused("b.align_storage(k, 4)", "not one of the tensor's variables"));
    CHECK(is_refused("u.update(0).align_storage(x, 4)", "belongs to the tensor"));
}

TEST_CASE("storage is folded only where that is certain to work") {
    const std::string place = "b.compute_at(out, y)\nb.store_root()\n";
    CHECK(admitted(place + "b.fold_storage(y, 1)"));
    const std::string producer = "b.compute_root()\nc.compute_inline()\n";
    CHECK(is_refused("b.fold_storage(y, 2)", "computed inline"));
    CHECK(is_refused("b.compute_at(out, y)\nb.fold_storage(y, 2)", "not stored outside"));
    CHECK(is_refused("out.fold_storage(y, 2)", "cannot be folded"));
    CHECK(is_refused(place + "b.fold_storage(y, 0)", "positive"));
    CHECK(is_refused(place + "b.fold_storage(y, 2)\nb.fold_storage(y, 4)", "already folded"));
    CHECK(is_refused(place + "b.fold_storage(x, 2)", "direction"));
    CHECK(is_refused(place + "b.fold_storage(y, 2, false)", "direction"));
    CHECK(is_refused(place + "b.align_bounds(y, 2)\nb.fold_storage(y, 2)", "explicit bounds"));
    CHECK(is_refused(place + "b.split(y, yo, yi, 2)\nb.fold_storage(y, 2)", "rounded up, shifted or fused"));
    CHECK(is_refused("u.compute_at(out, x)\nu.store_root()\nu.fold_storage(x, 2)", "update definitions"));
    CHECK(is_refused("a.compute_at(out, y)\na.store_root()\na.fold_storage(y, 4)", "only reader"));
}

TEST_CASE("a tensor's last dimension is not folded when a loop further out reads it again") {
    const auto row = algorithm(R"(sare p(W, H) assuming W >= 8 and H >= 8 {
        input in : i32[1]
        a(x) = in(x)
        b(x, y) = in(x + y)
        out(x, y) = a(x) + b(x, y)
        output out on { [x, y] : 0 <= x < W and 0 <= y < H }
    })");
    CHECK(refused(row, "a.compute_at(out, x)\na.store_root()\na.fold_storage(x, 3)", "reads it again"));
    CHECK(refusal(row, "a.compute_at(out, x)\na.store_at(out, y)\na.fold_storage(x, 3)").empty());
    CHECK(refusal(row, "out.reorder(y, x)\na.compute_at(out, x)\na.store_root()\na.fold_storage(x, 3)").empty());
    // y reads it again, too, however x is used in the other dimension.
    const auto clamped = algorithm(R"(sare p(W, H) assuming W >= 8 and H >= 8 {
        input in : i32[1]
        a(x, y) = in(x + y)
        out(x, y) = a(max(min(x, 5), 1), x)
        output out on { [x, y] : 0 <= x < W and 0 <= y < H }
    })");
    CHECK(refused(clamped, "a.compute_at(out, x)\na.store_root()\na.fold_storage(y, 3)", "reads it again"));
    CHECK(refusal(clamped, "a.compute_at(out, x)\na.store_at(out, y)\na.fold_storage(y, 3)").empty());
    // Every x reads different cells of b.
    CHECK(refusal(row, "out.reorder(y, x)\nb.compute_at(out, y)\nb.store_root()\nb.fold_storage(y, 2)").empty());
}

TEST_CASE("a fold holds what one iteration reads") {
    const auto stencil = algorithm(R"(sare p(W, H) assuming W >= 8 and H >= 8 {
        input in : i32[2]
        a(x, y) = in(x, y)
        out(x, y) = a(x, y - 1) + a(x, y + 1)
        output out on { [x, y] : 0 <= x < W and 0 <= y < H }
    })");
    const std::string place = "a.compute_at(out, y)\na.store_root()\n";
    CHECK(refusal(stencil, place + "a.fold_storage(y, 3)").empty());
    CHECK(refused(stencil, place + "a.fold_storage(y, 2)", "reads 3 cells"));
    const std::string split = "out.split(y, yo, yi, 4)\na.compute_at(out, yo)\na.store_root()\n";
    CHECK(refusal(stencil, split + "a.fold_storage(y, 6)").empty());
    CHECK(refused(stencil, split + "a.fold_storage(y, 5)", "reads 6 cells"));
    CHECK(refused(stencil, "out.split(y, yo, yi, 4)\na.compute_at(out, yi)\na.store_root()\na.fold_storage(y, 8)",
                  "only split"));
    // With yo inside yi, y takes the values 0, 4, 8, …, 1, 5, 9, …, which no window follows. Nor can a window follow a
    // loop that starts again.
    CHECK(refusal(stencil, split + "out.reorder(x, yi, yo)\na.fold_storage(y, 6)").empty());
    CHECK(refused(stencil, split + "out.reorder(x, yo, yi)\na.fold_storage(y, 6)", "starts them again"));
    CHECK(refused(stencil, split + "out.reorder(yi, yo, x)\na.fold_storage(y, 6)", "starts them again"));
    CHECK(refusal(stencil,
                  "out.split(y, yo, yi, 4)\nout.reorder(yi, yo, x)\na.compute_at(out, yo)\na.store_at(out, x)\n"
                  "a.fold_storage(y, 6)")
              .empty());
}
