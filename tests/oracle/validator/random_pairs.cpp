#include "tests/oracle/validator/random_pairs.h"

#include <algorithm>
#include <array>
#include <map>

#include "generators/affine/context.h"
#include "generators/affine/parameters.h"
#include "generators/affine/sets.h"
#include "generators/sare/text.h"
#include "tests/support/catch.h"

namespace haruspex::validator {
namespace {

constexpr std::uint64_t most_points = 8;

class Pairs {
public:
    Pairs(std::uint64_t seed, Arithmetic arithmetic, const Prover& prover, Counts& counts)
        : arithmetic_(arithmetic),
          prover_(prover),
          counts_(counts),
          choices_(random_source(derive_seed(31, seed))),
          sare_(random_system(choices_, arithmetic)),
          specification_(context_.ctx(), sare_) {}

    void compare_one() {
        RandomExprs exprs(choices_, sare_, arithmetic_);
        const sare::Expr mine = exprs.expr(exprs.type(), static_cast<int>(choices_.integer(0, 3)));
        const value::Type type = sare::type_of(mine, sare::tensor_types(sare_));
        const int how = static_cast<int>(choices_.weighted({5, 4, 1}));
        const sare::Expr theirs = how == 2 ? exprs.expr(type, 2) : exprs.rewritten(mine, how == 1);
        ++counts_.pairs;

        const isl::set environments(context_.ctx(), environments_[choices_.weighted({2, 1, 1})]);
        const isl::set shown =
            prover_(specification_, term_of(mine, specification_), term_of(theirs, specification_), environments);
        CHECK(shown.is_subset(environments));
        if (shown.is_empty()) { return; }
        ++(environments.is_subset(shown) ? counts_.proved : counts_.partly);
        counts_.proved_otherwise += mine != theirs ? 1 : 0;
        check_points(mine, theirs, shown);
    }

private:
    void check_points(const sare::Expr& mine, const sare::Expr& theirs, const isl::set& shown) {
        const isl::multi_id tuple = isl::space::unit(context_.ctx())
                                        .add_unnamed_tuple(2)
                                        .multi_id(isl::id_list(context_.ctx(), 2)
                                                      .add(affine::identifier(context_.ctx(), "N"))
                                                      .add(affine::identifier(context_.ctx(), "i")));
        const auto points = affine::points(shown.unbind_params(tuple), 1000);
        REQUIRE(points.has_value());
        for (std::uint64_t n = 0; n < std::min<std::uint64_t>(most_points, points->size()); ++n) {
            check_at(mine, theirs, choices_.one_of(*points), static_cast<std::uint64_t>(choices_.integer(0, 2)));
        }
    }

    void check_at(const sare::Expr& mine, const sare::Expr& theirs, const affine::Point& point, std::uint64_t seed) {
        const std::vector<std::int64_t> key{point[0], point[1], static_cast<std::int64_t>(seed)};
        auto found = values_.find(key);
        if (found == values_.end()) {
            found = values_.try_emplace(key, sare_, arithmetic_, point[0], point[1], seed).first;
        }
        const value::Value specified = found->second(mine);
        if (found->second.was_too_large() || !specified.is_defined()) { return; }
        const value::Value implemented = found->second(theirs);
        if (found->second.was_too_large()) { return; }
        ++counts_.compared;
        const bool same = implemented.is_defined() &&
                          (arithmetic_ == Arithmetic::machine ? value::same_result(specified, implemented)
                                                              : value::same_number(specified, implemented));
        if (same) { return; }
        INFO(sare::print(sare_) << "N = " << point[0] << ", i = " << point[1]);
        INFO("specification  " << sare::print(mine) << "\n= " << value::to_string(specified));
        INFO("implementation " << sare::print(theirs) << "\n= " << value::to_string(implemented));
        CHECK(same);
    }

    static constexpr std::array environments_{"[N, i] -> { : -2 <= N <= 4 and -2 <= i <= 4 }",
                                              "[N, i] -> { : 0 <= i < N <= 4 }",
                                              "[N, i] -> { : -2 <= N <= 4 and i = N - 1 }"};

    Arithmetic arithmetic_;
    const Prover& prover_;
    Counts& counts_;
    Choices choices_;
    sare::Sare sare_;
    affine::Context context_;
    Specification specification_;
    std::map<std::vector<std::int64_t>, Values> values_;
};

}  // namespace

Counts compare(std::uint64_t systems, std::uint64_t pairs_of_each, Arithmetic arithmetic, const Prover& prover) {
    Counts counts;
    for (std::uint64_t seed = 0; seed < systems; ++seed) {
        INFO("system " << seed);
        Pairs pairs(seed, arithmetic, prover, counts);
        for (std::uint64_t n = 0; n < pairs_of_each; ++n) { pairs.compare_one(); }
    }
    return counts;
}

std::string text_of(const Counts& counts) {
    return std::to_string(counts.pairs) + " pairs, " + std::to_string(counts.proved) + " proved, " +
           std::to_string(counts.partly) + " in part, " + std::to_string(counts.proved_otherwise) +
           " of them written differently, " + std::to_string(counts.compared) + " values compared";
}

}  // namespace haruspex::validator
