#include "oracle/validator/specification/specification.h"

#include <algorithm>

#include "generators/affine/parameters.h"
#include "oracle/interp/sare_interpreter.h"
#include "tests/oracle/validator/random_terms.h"
#include "tests/oracle/validator/support.h"

namespace haruspex::validator {
namespace {

using value::BinaryOp;
using value::Type;
using value::UnaryOp;
using value::Value;

const char* const system_text = R"(sare system(N, i) assuming N >= 0 {
  input A : i32[1]
  input U : u8[1]
  input X : f32[1]
  F(x) = A(2*x) + 1 if x < N
  F(x) = 0i32 if x >= N
  S(x, k) = U(x) if k <= 0
  S(x, k) = S(x, k - 1) + U(x + k) if k > 0
  T(x) = { U(x), F(x) }
  tensor O : u8[1]
  E(x) = select([x > 3], O(x - 1), U(x))
  O(x) = E(x - 2)
  W(x) = U(x) / U(x + 1)
  M(x) = min(X(x), X(x + 1))
  P(x) = X(x) + X(x + 1)
  D(x) = i32<x>
  R(x) = select(X(x) < 2.0, 1i32, 3i32)
  Q(x) = R(x + 1) * R(x) - 7
  V(x) = i8(min(max(f32(R(x)), -1.5), 2.0))
  Y(x) = V(x) << i8(R(x))
  Z(x) = R(x) if x <= 0
  Z(x) = Z(x - 1) + R(x) if x > 0
  output F on { [x] : 0 <= x < N }
})";

struct System : Specified {
    System() : Specified(system_text) {}
    term::Cell cell(const std::string& tensor, const std::vector<std::string>& indices) const {
        term::Cell made{tensor, 0, {}};
        for (const std::string& text : indices) { made.indices.push_back(index(text)); }
        return made;
    }
    Term input(const std::string& name, Type type) const { return make_cell(name, 0, type, {index("{ [(0)] }")}); }
};

TEST_CASE("A cell unfolds to the equations of its tensor, each where it applies") {
    const System system;
    const auto everywhere = affine::everywhere(system.context.ctx());
    const auto [cases, undefined] = system.specification.unfold(system.cell("F", {"[i] -> { [(i + 1)] }"}), everywhere);
    REQUIRE(cases.size() == 2);
    CHECK(undefined.is_empty());
    CHECK(cases[0].environments.is_equal(system.set("[N, i] -> { : i + 1 < N }")));
    CHECK(cases[1].environments.is_equal(system.set("[N, i] -> { : i + 1 >= N }")));
    const auto* sum = as<term::Binary>(cases[0].value);
    REQUIRE(sum != nullptr);
    CHECK(sum->op == BinaryOp::add);
    const auto* read = as<term::Cell>(sum->a);
    REQUIRE(read != nullptr);
    CHECK(read->tensor == "A");
    CHECK(read->indices[0].plain_is_equal(system.index("[i] -> { [(2i + 2)] }")));
    const auto* zero = as<term::Literal>(cases[1].value);
    REQUIRE(zero != nullptr);
    CHECK(zero->value == Value::integer(Type::i32, 0));
}

TEST_CASE("Where there is no environment, a cell unfolds to nothing, whatever its indices are") {
    const System system;
    const isl::set none = affine::nowhere(system.context.ctx());
    for (const char* index : {"[i] -> { [(i + 1)] }", "[i] -> { [(i + 1)] : i < 3; [(2)] : i >= 3 }"}) {
        const auto [cases, undefined] = system.specification.unfold(system.cell("F", {index}), none);
        CHECK(cases.empty());
        CHECK(undefined.is_empty());
        CHECK(undefined.intersect(none).is_empty());  // made for environments, as the others are
    }
}

TEST_CASE("A component unfolds to its own right-hand side") {
    const System system;
    term::Cell second = system.cell("T", {"[i] -> { [(i)] }"});
    second.component = 1;
    const auto cases = system.specification.unfold(second, affine::everywhere(system.context.ctx())).cases;
    REQUIRE(cases.size() == 1);
    const auto* read = as<term::Cell>(cases[0].value);
    REQUIRE(read != nullptr);
    CHECK(read->tensor == "F");
}

TEST_CASE("An unfolded cell has the value of the cell") {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        Choices choices(random_source(derive_seed(7, seed)));
        const sare::Sare sare = random_system(choices, Arithmetic::machine);
        affine::Context context;
        const Specification specification(context.ctx(), sare);
        for (const sare::Tensor& tensor : sare.tensors) {
            std::vector<sare::Index> indices;
            for (std::size_t d = 0; d < tensor.variables.size(); ++d) {
                indices.push_back(sare::variable(d == 0 ? "i" : "N"));
            }
            const sare::Expr access{sare::Access{tensor.name, indices, 0}};
            const Term cell = term_of(access, specification);
            const auto [cases, undefined] =
                specification.unfold(*as<term::Cell>(cell), affine::everywhere(context.ctx()));
            CHECK(undefined.is_empty());
            isl::set all = affine::nowhere(context.ctx());
            auto found = cases.begin();
            for (const sare::Equation& equation : tensor.equations) {
                sare::Substitution by;
                for (std::size_t d = 0; d < indices.size(); ++d) { by[tensor.variables[d]] = indices[d]; }
                const Term expected = term_of(sare::substitute(equation.values[0], by), specification);
                if (found == cases.end() || to_string(found->value) != to_string(expected)) { continue; }
                CHECK(all.is_disjoint(found->environments));
                all = all.unite(found->environments);
                ++found;
            }
            CHECK(found == cases.end());
            CHECK(all.is_equal(isl::set::universe(all.space())));
        }
    }
}

// A system with an update of { H[0], H[1] } at min(k, 3), where component 0 becomes `value`.
std::string updated(const std::string& value) {
    return R"(sare updated(N, i) assuming N >= 0 {
      input U : u8[1]
      input I : i32[1]
      H(x) = { U(x), I(x) }
      update H(min(k, 3)) = { )" +
           value + R"(, H(min(k, 3))[1] + 1i32 } over l in [0, 2), k in [0, N) where k != 4
      output H on { [x] : 0 <= x < N }
    })";
}

TEST_CASE("What every step of an update copies is what it was before the update") {
    const std::string h = "H(min(k, 3))[0]";
    const std::vector<std::string> copies{h,
                                          "max(" + h + ", " + h + ")",
                                          h + " * 1u8",
                                          "0u8 + " + h,
                                          h + " | (" + h + " & U(k))",
                                          "min(max(U(k), " + h + "), " + h + ")",
                                          "select(U(k) < 3u8, " + h + ", " + h + ")",
                                          "select([k >= 0], " + h + ", U(k))",
                                          "select([k != min(k, l + k)], " + h + ", " + h + ")",
                                          h + " / 1u8",
                                          h + " - U(k) % 1u8",
                                          h + " ^ (U(k) * 0u8)"};
    for (const std::string& value : copies) {
        INFO(value);
        const Specified s(updated(value));
        term::Cell cell{"H.1", 0, {s.index("[i] -> { [(i)] }"), s.index("[N] -> { [(N - 7)] }"), s.index("{ [(5)] }")}};
        const auto everywhere = affine::everywhere(s.context.ctx());
        const auto [cases, undefined] = s.specification.unfold(cell, everywhere);
        REQUIRE(cases.size() == 1);
        CHECK(undefined.is_empty());
        CHECK(cases[0].environments.is_equal(everywhere));
        CHECK(to_string(cases[0].value) == "H.0(i)");
        // The other component is unfolded step by step.
        cell.component = 1;
        CHECK(s.specification.unfold(cell, everywhere).cases.size() == 3);
        // This is right: the interpreter has no such rule and gets the same values.
        interp::SareInterpreter run(s.sare, {{"N", 9}, {"i", 0}}, [](const std::string& input, const auto& at) {
            return Value::integer(input == "U" ? Type::u8 : Type::i32, 5 * at[0] + 100);
        });
        for (std::int64_t x = 0; x < 5; ++x) {
            const auto last = run.evaluate("H", 0, {x}), first = run.evaluate("H.0", 0, {x});
            REQUIRE(last);
            REQUIRE(first);
            CHECK(*last == *first);
        }
    }
    const std::vector<std::string> others{"max(" + h + ", U(k))",
                                          "H(min(k, 2))[0]",
                                          "u8(H(min(k, 3))[1])",
                                          h + " + 1u8",
                                          "select([k > 0], " + h + ", U(k))",
                                          "select(U(k) < 3u8, U(k), " + h + ")",
                                          "min(" + h + ", " + h + " + U(k))",
                                          "1u8 - " + h,
                                          h + " & 1u8"};
    for (const std::string& value : others) {
        INFO(value);
        const Specified s(updated(value));
        const term::Cell cell{"H.1", 0, {s.index("[i] -> { [(i)] }"), s.index("{ [(1)] }"), s.index("{ [(2)] }")}};
        CHECK(s.specification.unfold(cell, affine::everywhere(s.context.ctx())).cases.size() > 1);
    }
}

TEST_CASE("rank: a tensor comes after those that it reads, inputs first") {
    const System system;
    const Specification& s = system.specification;
    CHECK(s.rank("A") == 0);
    CHECK(s.rank("F") > s.rank("A"));
    CHECK(s.rank("T") > s.rank("F"));
    CHECK(s.rank("S") > 0);
    // E and O read each other.
    CHECK(s.rank("E") == s.rank("O"));
}

TEST_CASE("depends: in any number of steps, on itself always") {
    const System system;
    const Specification& s = system.specification;
    CHECK(s.depends("T", "A"));
    CHECK(s.depends("T", "F"));
    CHECK(s.depends("F", "F"));
    CHECK(s.depends("E", "O"));
    CHECK(s.depends("O", "E"));
    CHECK(s.depends("O", "U"));
    CHECK_FALSE(s.depends("F", "U"));
    CHECK_FALSE(s.depends("A", "F"));
    CHECK_FALSE(s.depends("F", "T"));
}

TEST_CASE("later: the indices in order, of stages the last recurrence variable first") {
    const System system;
    const auto later = [&](const std::string& tensor, const std::vector<std::string>& a,
                           const std::vector<std::string>& b) {
        return system.specification.later(system.cell(tensor, a), system.cell(tensor, b));
    };
    CHECK(later("S", {"[i] -> { [(i)] }", "[N] -> { [(N)] }"}, {"{ [(2)] }", "{ [(3)] }"})
              .is_equal(system.set("[N, i] -> { : i > 2 or (i = 2 and N > 3) }")));
    const Specified staged(R"(sare staged(N, i) assuming N >= 0 {
      input A : i32[1]
      H(x) = 0i32
      update H(x) = H(x) + A(x + r + s) over r in [0, N), s in [0, 4)
      output H on { [x] : 0 <= x < N }
    })");
    const auto cell = [&](const std::vector<std::string>& indices) {
        term::Cell made{"H.1", 0, {}};
        for (const std::string& text : indices) { made.indices.push_back(staged.index(text)); }
        return made;
    };
    CHECK(staged.specification.signatures().at("H.1").rank == 3);
    // The variables are x, r, s: s is the most significant, then r, then x.
    CHECK(staged.specification
              .later(cell({"{ [(0)] }", "{ [(5)] }", "[i] -> { [(i)] }"}),
                     cell({"{ [(9)] }", "[N] -> { [(N)] }", "{ [(1)] }"}))
              .is_equal(staged.set("[N, i] -> { : i > 1 or (i = 1 and N < 5) }")));
}

TEST_CASE("is_total of a tensor: nothing on the way can be Undef") {
    const System system;
    const Specification& s = system.specification;
    for (const std::string tensor : {"A", "U", "X", "S", "E", "O", "W", "P", "R", "Q", "V", "Y"}) {
        INFO(tensor);
        CHECK(s.is_total(tensor));
    }
    for (const std::string tensor : {"F", "T", "M", "D", "Z"}) {
        INFO(tensor);
        CHECK_FALSE(s.is_total(tensor));
    }
}

TEST_CASE("range: of a recurrence, what its steps keep within bounds; is_computed_from_indices: made of them alone") {
    const Specified q(R"(sare ranges(N) assuming N >= 0 {
  input U : u8[1]
  input A : i32[1]
  I(x) = u32<x>
  L(x, k) = i64(U(x)) if k <= 0
  L(x, k) = min(L(x, k - 1), i64(U(x + k)) + 7i64) if k > 0
  G(x, k) = i64(U(x)) if k <= 0
  G(x, k) = G(x, k - 1) + 1i64 if k > 0
  B(x) = L(x, 3) * 2i64
  J(x) = I(x + 1)
  P(x, k) = i64(U(x)) if k <= 0
  P(x, k) = Q(x, k - 1) if k > 0
  Q(x, k) = P(x, k) / 2i64
  tensor T : u32[1]
  T(x) = max(5u32, max over { [j] : 0 <= j and j < x } of (T(j))) if x >= 0
  V(x) = 1u32 if x <= 9
  V(x) = T(x) if x > 9
  output B on { [x] : 0 <= x < N }
})");
    const auto bounds = [&](const std::string& tensor) {
        const auto range = q.specification.range(tensor, 0);
        REQUIRE(range.has_value());
        return std::pair(static_cast<std::int64_t>(range->low), static_cast<std::int64_t>(range->high));
    };
    CHECK(bounds("L") == std::pair<std::int64_t, std::int64_t>(0, 255));
    CHECK(bounds("B") == std::pair<std::int64_t, std::int64_t>(0, 510));
    CHECK(bounds("P") == std::pair<std::int64_t, std::int64_t>(0, 255));
    CHECK(q.specification.range("G", 0) == value::full_range(Type::i64));
    // A reduction over nothing reads nothing, and V(10) is 5.
    CHECK(bounds("V").second >= 5);
    CHECK(q.specification.is_total("B"));
    CHECK_FALSE(q.specification.is_total("G"));
    CHECK(q.specification.is_computed_from_indices("I"));
    for (const std::string tensor : {"A", "L", "J", "B"}) {
        INFO(tensor);
        CHECK_FALSE(q.specification.is_computed_from_indices(tensor));
    }
}

// An input of each type; its values are defined.
struct Inputs : Specified {
    Inputs() : Specified(text()) {}
    static std::string text() {
        std::string items;
        for (const Type type : value::all_types) {
            items += "input I_" + std::string(value::name(type)) + " : " + std::string(value::name(type)) + "[0]\n";
        }
        return "sare all(N, i) {" + items + "F() = I_i32()\n output F on { [] : true } }";
    }
    Term input(Type type) const { return make_cell("I_" + std::string(value::name(type)), 0, type, {}); }
};

TEST_CASE("is_total of an operator: never where defined operands give Undef") {
    const Inputs inputs;
    std::size_t total = 0, partial = 0;
    const auto check = [&](const Term& term, bool gives_undef) {
        INFO(to_string(term));
        const bool is_total = inputs.specification.is_total(term);
        CHECK_FALSE((is_total && gives_undef));
        ++(is_total ? total : partial);
    };
    for (const Type a : value::all_types) {
        for (const UnaryOp op : value::all_unary_ops) {
            if (!value::result_type(op, a)) { continue; }
            check(make_unary(op, inputs.input(a)), std::ranges::any_of(defined_values(a), [&](const Value& x) {
                      return value::apply(op, x).is_undef();
                  }));
        }
        for (const BinaryOp op : value::all_binary_ops) {
            if (!value::result_type(op, a, a)) { continue; }
            bool gives_undef = false;
            for (const Value& x : defined_values(a)) {
                for (const Value& y : defined_values(a)) { gives_undef |= value::apply(op, x, y).is_undef(); }
            }
            check(make_binary(op, inputs.input(a), inputs.input(a)), gives_undef);
        }
        for (const Type to : value::all_types) {
            check(make_cast(to, inputs.input(a)), std::ranges::any_of(defined_values(a), [&](const Value& x) {
                      return value::cast(to, x).is_undef();
                  }));
        }
    }
    // The analysis must not be too cautious to be useful.
    CHECK(total >= 150);
    CHECK(partial >= 40);
}

TEST_CASE("is_total of literals, embeddings and selects") {
    const Inputs inputs;
    const auto is_total = [&](const Term& term) { return inputs.specification.is_total(term); };
    const Term overflow = make_binary(BinaryOp::add, inputs.input(Type::i32), inputs.input(Type::i32));
    CHECK(is_total(make_literal(Value::integer(Type::i32, 3))));
    CHECK_FALSE(is_total(make_literal(Value::undef(Type::i32))));
    CHECK(is_total(make_embed(Type::u8, inputs.index("[N] -> { [(N)] }"))));
    CHECK_FALSE(is_total(make_embed(Type::i32, inputs.index("[N] -> { [(N)] }"))));
    CHECK(is_total(make_select(inputs.input(Type::boolean), inputs.input(Type::i32), inputs.input(Type::i32))));
    CHECK_FALSE(is_total(make_select(inputs.input(Type::boolean), overflow, inputs.input(Type::i32))));
    CHECK_FALSE(is_total(make_select(inputs.input(Type::boolean), inputs.input(Type::i32), overflow)));
}

}  // namespace
}  // namespace haruspex::validator
