#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "generators/affine/parameters.h"
#include "oracle/validator/evaluation/evaluation.h"
#include "tests/oracle/validator/support.h"

// Reductions in any order, rule by rule (thesis Fig. 7.1 and 7.2): which sets are violated in a scope, and where.
namespace haruspex::validator {
namespace {

const char* const columns = R"(sare columns(N, M) assuming N >= 0 and M >= 0 {
  input A : u32[2]
  F(j) = 0u32
  update F(j) = F(j) + A(r, j) over r in [0, N)
  output F on { [j] : 0 <= j < M }
})";

// Evaluates a program whose scopes are those of F.1.
class Scopes {
public:
    explicit Scopes(const std::string& body)
        : reductions_(staged_reductions(parsed_sare(columns))),
          specification_(context_.ctx(), with_steps(parsed_sare(columns), reductions_)),
          program_(parsed_program("sched columns(N, M) { input a for A : u32[N, M]; output f for F : u32[M]; " + body +
                                  " }")) {
        sched::for_each_statement(program_.body, [&](const sched::Stmt& stmt) {
            const auto* assign = std::get_if<sched::Assign>(&stmt.node);
            if (assign == nullptr) { return; }
            for (const sched::Write& write : assign->writes) { add(write); }
        });
        evaluation_.emplace(context_.ctx(), templates_, specification_.signatures(), garbage_, accumulations_);
        evaluation_->enter(program_, specification_.assumptions());
        delta_ = heap::whole(context_.ctx(), evaluation_->prophetic(program_.body));
        obligations_ = evaluation_->symbolic(program_.body);
    }

    std::size_t scopes() const { return accumulations_.all().size(); }

    // Whether the obligations of this rule are violated exactly at the sizes `expected`.
    bool breaks(const std::string& rule, const std::string& expected) const {
        isl::set found = affine::nowhere(context_.ctx());
        bool is_obliged = false;
        for (const Obligation& obligation : obligations_) {
            if (!obligation.rule.contains(rule) || !obligation.violations) { continue; }
            is_obliged = true;
            CHECK(obligation.depends_on_values);
            found = found.unite((*obligation.violations)());
        }
        for (const std::string& variable : affine::parameters(found)) {
            if (variable != "N" && variable != "M") { found = affine::project_out(found, variable); }
        }
        return is_obliged && found.is_equal(isl::set(context_.ctx(), expected));
    }
    bool holds(const std::string& rule) const { return breaks(rule, "[N, M] -> { : false }"); }

    // Whether Δh of the program is `expected` wherever Γ holds; $T stands for the cells of a tensor.
    bool leaves(std::string expected) {
        for (const std::string tensor : {"F.0", "F.1"}) {
            const std::size_t rank = specification_.signatures().at(tensor).rank;
            const std::string tuple = heap::Templates::tuple_name(templates_.cell(tensor, 0, value::Type::u32, rank));
            const std::string name = "$" + tensor;
            for (std::size_t at = expected.find(name); at != std::string::npos; at = expected.find(name)) {
                expected.replace(at, name.size(), tuple);
            }
        }
        const isl::set here = evaluation_->scope().context();
        return delta_->intersect_params(here).is_equal(heap::Heap(context_.ctx(), expected).intersect_params(here));
    }

private:
    void add(const sched::Write& write) {
        if (accumulations_.of(write) != nullptr || !is_step_of(write, reductions_.front())) { return; }
        const auto scope = accumulation_scope(
            program_, write, [&](const sched::Write& other) { return is_step_of(other, reductions_.front()); });
        if (!scope) { return; }
        accumulations_.add({write.array, *scope, reductions_.front(), steps_of(reductions_.front(), specification_)});
    }

    affine::Context context_;
    heap::Templates templates_;
    std::vector<StagedReduction> reductions_;
    Specification specification_;
    sched::Program program_;
    Garbage garbage_;
    Accumulations accumulations_;
    std::optional<Evaluation> evaluation_;
    std::optional<heap::Heap> delta_;
    std::vector<Obligation> obligations_;
};

const std::string zeros = "for j in [0, M) { f[j] {F.0(j)} := 0u32; } ";

std::string row(const std::string& r) {
    return "for j in [0, M) { f[j] {F.1(j, " + r + ")} := f[j] + a[" + r + ", j]; } ";
}

TEST_CASE("P-Accumulate: a scope leaves the value after the update in the cells that it reduced") {
    Scopes reversed(zeros + "for s in [0, N) { " + row("N - 1 - s") + "}");
    CHECK(reversed.scopes() == 1);
    CHECK(reversed.holds("summarize"));
    CHECK(reversed.holds("iupdate-ok"));
    CHECK(
        reversed.leaves("[N, M] -> { f[j] -> $F.1[j, N - 1] : 0 <= j < M and N > 0;"
                        "            f[j] -> $F.0[j] : 0 <= j < M and N <= 0 }"));
}

TEST_CASE("P-Accumulate: all steps are reduced, and no others") {
    CHECK(
        Scopes(zeros + "for s in [1, N) { " + row("s") + "}").breaks("summarize", "[N, M] -> { : N >= 2 and M > 0 }"));
    CHECK(Scopes(zeros + "for s in [0, N + 1) { " + row("s") + "}")
              .breaks("summarize", "[N, M] -> { : N >= 0 and M > 0 }"));
    CHECK(Scopes(zeros + "for s in [0, N) { for j in [0, M) { f[0] {F.1(j, s)} := f[0] + a[s, j]; } }")
              .breaks("summarize", "[N, M] -> { : N >= 1 and M >= 2 }"));
}

TEST_CASE("iupdate-ok: two iterations do not reduce one step") {
    CHECK(Scopes(zeros + "for s in [0, N) { " + row("s - s % 2") + "}")
              .breaks("iupdate-ok", "[N, M] -> { : N >= 2 and M > 0 }"));
}

TEST_CASE("update-ok: two statements do not reduce one step") {
    const Scopes halves(zeros + "for s in [0, N/2) { " + row("s") + "} for s in [N/2, N) { " + row("s") + "}");
    CHECK(halves.scopes() == 1);
    CHECK(halves.holds("update-ok"));
    CHECK(halves.holds("summarize"));
    CHECK(Scopes(zeros + "for s in [0, N) { " + row("s") + "} if N > 3 { " + row("2") + "}")
              .breaks("update-ok", "[N, M] -> { : N > 3 and M > 0 }"));
}

TEST_CASE("RED-S-ParLoop: iterations and lanes accumulate into different cells") {
    const std::string different = "RED-S-ParLoop";
    CHECK(Scopes(zeros + "par s in [0, N) { " + row("s") + "}").breaks(different, "[N, M] -> { : N >= 2 and M > 0 }"));
    CHECK(Scopes(zeros + "par j in [0, M) { for s in [0, N) { f[j] {F.1(j, N - 1 - s)} := f[j] + a[N - 1 - s, j]; } }")
              .holds(different));
    CHECK(Scopes(zeros + "for t in [0, N/4) { lanes l < 4 do f[0] {F.1(0, 4*t + l)} := f[0] + a[4*t + l, 0]; }")
              .breaks(different, "[N, M] -> { : N >= 4 and M >= 0 }"));
    CHECK(
        Scopes(zeros + "if N > 1 and M > 0 { f[0] {F.1(0, 0)} := f[0] + a[0, 0], f[0] {F.1(0, 1)} := f[0] + a[1, 0]; }")
            .breaks(different, "[N, M] -> { : N >= 2 and M > 0 }"));
}

TEST_CASE("a scope ends before another access to its array") {
    Scopes read("for j in [0, M) { f[j] {F.0(j)} := 0u32; for s in [0, N) { f[j] {F.1(j, s)} := f[j] + a[s, j]; } }");
    CHECK(read.scopes() == 1);
    CHECK(read.holds("summarize"));
    // The array is written in between.
    const Scopes cut(zeros + "for s in [0, 1) { " + row("s") + "} " + zeros + "for s in [1, N) { " + row("s") + "}");
    CHECK(cut.scopes() == 2);
    CHECK_FALSE(cut.holds("summarize"));
}

TEST_CASE("a condition, an index or another array's value that reads the array is an access") {
    CHECK(Scopes(zeros + "allocate g : u32[1]; for s in [0, N) { " + row("s") + " g[0] := f[0]; }")
              .breaks("summarize", "[N, M] -> { : N >= 2 and M > 0 }"));
    CHECK(Scopes(zeros + "let v : u32 = f[0]; for s in [0, N) { " + row("s") + "}").holds("summarize"));
    CHECK(Scopes(zeros + "for s in [0, N) { let v : u32 = f[0]; " + row("s") + "}")
              .breaks("summarize", "[N, M] -> { : N >= 2 and M > 0 }"));
}

TEST_CASE("a value-let just before an accumulation, and for it alone, is part of it") {
    const auto with = [](const std::string& body) {
        return Scopes(zeros + "for s in [0, N) { for j in [0, M) { " + body + " } }");
    };
    const std::string let = "let v : u32 = f[j]; let e : u32 = a[N - 1 - s, j]; ";
    CHECK(with(let + "f[j] {F.1(j, N - 1 - s)} := v + e;").holds("summarize"));
    const std::string violated = "[N, M] -> { : N >= 2 and M > 0 }";
    // A branch stands between them.
    CHECK(with(let + "if j >= 0 { f[j] {F.1(j, N - 1 - s)} := v + e; }").breaks("summarize", violated));
    // Another write uses it.
    const Scopes shared(zeros + "allocate g : u32[1]; for s in [0, N) { for j in [0, M) { " + let +
                        "f[j] {F.1(j, N - 1 - s)} := v + e; g[0] := v; } }");
    CHECK(shared.scopes() == 0);
}

TEST_CASE("a value-let behind a scope is not part of it") {
    Scopes doubled(zeros + "for s in [0, N) { " + row("N - 1 - s") +
                   "} if M > 0 { let v : u32 = f[0]; f[0] := v + v; }");
    CHECK(doubled.scopes() == 1);
    CHECK(doubled.holds("summarize"));
}

}  // namespace
}  // namespace haruspex::validator
