#include "oracle/validator/discharge/sampling.h"

#include "oracle/validator/discharge/alignment.h"
#include "tests/oracle/validator/random_pairs.h"
#include "tests/oracle/validator/support.h"

namespace haruspex::validator {
namespace {

using value::BinaryOp;
using value::Type;
using value::Value;

struct System : Specified {
    System()
        : Specified(R"(sare system(N) assuming N >= 0 {
  input A : i32[1]
  input X : f32[1]
  F(x) = A(x) + A(x + 1)
  M(x) = A(x) * 2147483647i32
  H(x) = X(x) / 3.0f32
  S(x, k) = 0i32 if k <= 0
  S(x, k) = S(x, k - 1) + A(x) if k > 0
  output F on { [x] : 0 <= x < N }
})") {}

    Term cell(const std::string& tensor, Type type, const std::vector<std::string>& indices) const {
        std::vector<isl::pw_aff> all;
        for (const std::string& i : indices) { all.push_back(index("[N, i] -> { [(" + i + ")] }")); }
        return make_cell(tensor, 0, type, std::move(all));
    }
    Term number(const std::string& tensor, const std::string& i) const { return cell(tensor, Type::i32, {i}); }
    isl::set all() const { return set("[N, i] -> { : 0 <= i < N }"); }
};

TEST_CASE("a sampling sees cells and definitions that differ, and nothing where they are the same") {
    const System q;
    Sampling sampling(q.specification, false);
    const Term f = q.number("F", "i");
    const auto sum = [&](const std::string& i, const std::string& j) {
        return make_binary(BinaryOp::add, q.number("A", i), q.number("A", j));
    };
    CHECK(sampling.differ(f, q.number("F", "i + 1"), q.all()));
    CHECK(sampling.differ(f, sum("i", "i"), q.all()));
    CHECK_FALSE(sampling.differ(f, sum("i + 1", "i"), q.all()));
    CHECK_FALSE(sampling.differ(f, q.number("F", "i + N"), q.set("[N, i] -> { : N = 0 }")));
    const auto s = [&](const std::string& k) { return q.cell("S", Type::i32, {"i", k}); };
    CHECK(sampling.differ(s("3"), s("2"), q.all()));
    CHECK_FALSE(sampling.differ(s("2"), make_binary(BinaryOp::add, q.number("A", "i"), q.number("A", "i")), q.all()));
}

TEST_CASE("a sampling takes the case of a choice and the truth of a condition in its environment") {
    const System q;
    Sampling sampling(q.specification, false);
    const auto chosen = [&](const std::string& small, const std::string& large) {
        return make_choice(Type::i32, {{q.set("[N, i] -> { : i <= 5 }"), q.number("A", small)},
                                       {q.set("[N, i] -> { : i > 5 }"), q.number("A", large)}});
    };
    const isl::set few = q.set("[N, i] -> { : 0 <= i <= 5 and i < N }");
    CHECK_FALSE(sampling.differ(q.number("A", "i"), chosen("i", "0"), few));
    CHECK(sampling.differ(q.number("A", "i"), chosen("i + 1", "i"), few));
    const Term truth = make_truth(q.set("[N, i] -> { : i >= 0 }"));
    const Term a = q.number("A", "i"), b = q.number("A", "i + 1");
    CHECK_FALSE(sampling.differ(a, make_select(truth, a, b), q.all()));
    CHECK(sampling.differ(b, make_select(truth, a, b), q.all()));
}

TEST_CASE("a sampling says nothing of what it does not know") {
    const System q;
    Sampling sampling(q.specification, false);
    const Term f = q.number("F", "i"), one = make_literal(Value::integer(Type::i32, 1'000'000));
    CHECK(sampling.differ(f, one, q.all()));
    // Environments far from zero, no environments, and too many steps.
    CHECK_FALSE(sampling.differ(f, one, q.set("[N, i] -> { : N > i > 1000 }")));
    CHECK_FALSE(sampling.differ(f, one, q.set("[N, i] -> { : N > i > N }")));
    CHECK_FALSE(sampling.differ(q.cell("S", Type::i32, {"i", "100000000"}), one, q.all()));
    // An Undef specification claims nothing; an Undef implementation refines only that.
    CHECK_FALSE(sampling.differ(make_binary(BinaryOp::mul, one, one), f, q.all()));
    CHECK(sampling.differ(f, make_binary(BinaryOp::mul, one, one), q.all()));
    const Term uninit = make_literal(Value::uninit(Type::i32));
    CHECK_FALSE(sampling.differ(f, make_binary(BinaryOp::add, f, uninit), q.all()));
    // Variables that are not in the environments.
    CHECK_FALSE(sampling.differ(f, make_cell("A", 0, Type::i32, {q.index("[j] -> { [(j)] }")}), q.all()));
}

TEST_CASE("parameters with a size have that one in a sampling") {
    const affine::Context context;
    const sare::Sare sare = parsed_sare(R"(sare sized(N) assuming N >= 0 {
  F(x) = i32<x + N>
  output F on { [x] : 0 <= x < N }
})");
    const Specification specification(context.ctx(), sare, {{"N", 20}});
    Sampling sampling(specification, false);
    const isl::pw_aff i(context.ctx(), "[i] -> { [(i)] }"), sum(context.ctx(), "[i] -> { [(i + 20)] }");
    const isl::set environments(context.ctx(), "[i] -> { : 0 <= i < 9 }");
    const Term f = make_cell("F", 0, Type::i32, {i});
    CHECK_FALSE(sampling.differ(f, make_embed(Type::i32, sum), environments));
    CHECK(sampling.differ(f, make_embed(Type::i32, i), environments));
}

TEST_CASE("real numbers that rounding sets apart do not differ in a sampling") {
    const System q;
    const Term h = q.cell("H", Type::f32, {"i"}), x = q.cell("X", Type::f32, {"i"});
    const auto number = [](float n) { return make_literal(Value::f32(n)); };
    const Term rounded = make_binary(BinaryOp::mul, x, number(1.0F / 3));
    CHECK_FALSE(Sampling(q.specification, true).differ(h, rounded, q.all()));
    CHECK(Sampling(q.specification, true).differ(h, make_binary(BinaryOp::mul, x, number(0.25F)), q.all()));
}

TEST_CASE("nothing that is proved differs in a sampling") {
    std::size_t seen = 0;
    const Prover aligned = [&](const Specification& specification, const Term& mine, const Term& theirs,
                               const isl::set& environments) {
        const isl::set left = Alignment(specification, verdict::Floats::ieee).unproved(mine, theirs, environments);
        const bool differ = Sampling(specification, false).differ(mine, theirs, environments);
        CHECK((!differ || !left.is_empty()));
        seen += differ ? 1 : 0;
        Sampling sampling(specification, false);
        return environments.subtract(
            Alignment(specification, verdict::Floats::ieee, 150, &sampling).unproved(mine, theirs, environments));
    };
    const Counts counts = compare(20, 100, Arithmetic::machine, aligned);
    INFO(text_of(counts));
    CHECK(counts.proved_otherwise > 200);
    CHECK(seen > 100);
}

}  // namespace
}  // namespace haruspex::validator
