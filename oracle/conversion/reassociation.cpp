#include "oracle/conversion/reassociation.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generators/affine/context.h"
#include "generators/sare/build.h"
#include "generators/sare/isl.h"
#include "generators/sare/staging.h"
#include "generators/sare/traverse.h"

namespace haruspex::conversion {
namespace {

using sare::Access;
using sare::Expr;
using sare::Function;
using sare::Index;
using sare::RecurrenceVariable;
using sare::UpdateDefinition;

constexpr std::uint64_t most_operations = 1'000'000;

bool reads(const Expr& expr, const std::string& tensor) {
    bool found = false;
    sare::for_each_access(expr, [&](const Access& access, const auto&) { found = found || access.tensor == tensor; });
    return found;
}

std::vector<std::string> names(const std::vector<RecurrenceVariable>& over) {
    std::vector<std::string> result;
    for (const RecurrenceVariable& rvar : over) { result.push_back(rvar.name); }
    return result;
}

std::vector<Index> indices(const std::vector<std::string>& variables) {
    std::vector<Index> result;
    for (const std::string& variable : variables) { result.push_back(sare::variable(variable)); }
    return result;
}

template <typename T>
std::vector<T> concatenated(std::vector<T> a, const std::vector<T>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

class Comparison {
public:
    Comparison(const sare::Algorithm& algorithm, const schedule::Factoring& factoring, bool exact_reals)
        : algorithm_(algorithm), factoring_(factoring), exact_reals_(exact_reals) {}

    bool needs_fitting_sums() const { return needs_fitting_sums_; }

    Supported<void> run() {
        const Function &g = factoring_.intermediate, &merged = factoring_.merged;
        if (factoring_.update >= before_.updates.size() || factoring_.update >= merged.updates.size() ||
            g.updates.size() != 1 || g.variables.size() < before_.variables.size()) {
            return not_supported("factoring of another shape", before_.name);
        }
        merge_ = merged.updates[factoring_.update];
        accumulate_ = g.updates[0];
        preserved_.assign(g.variables.begin() + static_cast<std::ptrdiff_t>(before_.variables.size()),
                          g.variables.end());
        if (auto legal = find_operators(); !legal) { return legal; }
        if (auto scoped = check_names(); !scoped) { return scoped; }
        if (g != expected_intermediate() || merged != expected_merged()) {
            return not_supported("factoring that computes something else", before_.name);
        }
        return check_steps();
    }

private:
    const UpdateDefinition& old() const { return before_.updates[factoring_.update]; }

    Supported<void> find_operators() {
        for (std::size_t k = 0; k < old().values.size(); ++k) {
            const Expr& value = old().values[k];
            const Expr own{Access{before_.name, old().target, static_cast<int>(k)}};
            const auto* binary = std::get_if<sare::Binary>(&value.node);
            if (binary == nullptr) {
                return not_supported("factoring of an update that is no accumulation", before_.name);
            }
            const std::vector<const Expr*> operands = sare::operands_of(value, binary->op);
            const auto is_own = [&](const Expr* e) { return *e == own; };
            if (std::ranges::count_if(operands, is_own) != 1 ||
                std::ranges::any_of(operands, [&](const Expr* e) { return !is_own(e) && reads(*e, before_.name); })) {
                return not_supported("factoring of an update that is no accumulation", before_.name);
            }
            const auto reduction = std::ranges::find(value::all_reduction_ops, binary->op, value::binary_op);
            const value::Type type = before_.types.at(k);
            const bool is_signed_sum = binary->op == value::BinaryOp::add && value::overflow_is_undefined(type);
            if (reduction == value::all_reduction_ops.end() || !value::neutral(*reduction, type) ||
                (!is_signed_sum && !value::is_associative(binary->op, type, exact_reals_))) {
                return not_supported(
                    "factoring of a reduction whose order matters",
                    std::string(value::spelling(binary->op)) + " of " + std::string(value::name(type)));
            }
            needs_fitting_sums_ = needs_fitting_sums_ || is_signed_sum;
            operators_.push_back(*reduction);
        }
        return {};
    }

    // Checks that every name has one meaning, and that only the update's own variables are mentioned.
    Supported<void> check_names() const {
        std::set<std::string> pure, steps(algorithm_.parameters.begin(), algorithm_.parameters.end());
        for (std::size_t p = 0; p < before_.variables.size(); ++p) {
            if (sare::is_pure_position(before_, old(), p)) { pure.insert(before_.variables[p]); }
        }
        for (const auto& own :
             {names(old().over), concatenated(preserved_, names(accumulate_.over)), names(merge_.over)}) {
            std::set<std::string> distinct(algorithm_.parameters.begin(), algorithm_.parameters.end());
            distinct.insert(before_.variables.begin(), before_.variables.end());
            for (const std::string& name : own) {
                if (!distinct.insert(name).second) {
                    return not_supported("factoring", "a name with two meanings: " + name);
                }
            }
        }
        steps.insert(preserved_.begin(), preserved_.end());
        for (const RecurrenceVariable& rvar : accumulate_.over) { steps.insert(rvar.name); }
        const auto is_within = [](const std::set<std::string>& free, const std::set<std::string>& known) {
            return std::ranges::includes(known, free);
        };
        for (const std::string& rvar : names(old().over)) {
            const auto by = factoring_.substitution.find(rvar);
            if (by == factoring_.substitution.end() || !is_within(sare::free_variables(by->second), steps)) {
                return not_supported("factoring", "a recurrence variable that has become nothing: " + rvar);
            }
        }
        steps.insert(pure.begin(), pure.end());
        pure.insert(algorithm_.parameters.begin(), algorithm_.parameters.end());
        for (const std::string& rvar : names(old().over)) { pure.insert(rvar); }
        if (factoring_.substitution.size() != old().over.size() ||
            !is_within(sare::free_variables(accumulate_.where), steps) ||
            !is_within(sare::free_variables(merge_where()), steps) ||
            !is_within(sare::free_variables(old().where), pure)) {
            return not_supported("factoring", "a condition on other variables: " + before_.name);
        }
        return {};
    }

    // The condition in the intermediate's names.
    sare::Condition merge_where() const { return sare::substitute(merge_.where, to_preserved()); }
    sare::Substitution to_preserved() const {
        sare::Substitution by;
        for (std::size_t i = 0; i < merge_.over.size() && i < preserved_.size(); ++i) {
            by.emplace(merge_.over[i].name, sare::variable(preserved_[i]));
        }
        return by;
    }

    Function expected_intermediate() const {
        Function g{factoring_.intermediate.name, before_.types, concatenated(before_.variables, preserved_), {}, {}};
        UpdateDefinition update{accumulate_.over, {}, {}, accumulate_.where};
        for (const Index& index : old().target) {
            update.target.push_back(sare::substitute(index, factoring_.substitution));
        }
        update.target = concatenated(update.target, indices(preserved_));
        for (std::size_t k = 0; k < before_.types.size(); ++k) {
            g.values.push_back({sare::Literal{*value::neutral(operators_[k], before_.types[k])}});
            update.values.push_back(sare::map_accesses(
                sare::substitute(old().values[k], factoring_.substitution), [&](const Access& access) {
                    return access.tensor == before_.name ? Access{g.name, update.target, access.component} : access;
                }));
        }
        g.updates.push_back(std::move(update));
        return g;
    }

    Function expected_merged() const {
        Function f = before_;
        const std::vector<Index> cell = indices(before_.variables);
        UpdateDefinition update{merge_.over, cell, {}, merge_.where};
        for (std::size_t k = 0; k < before_.types.size(); ++k) {
            const int component = static_cast<int>(k);
            const Access part{factoring_.intermediate.name, concatenated(cell, indices(names(merge_.over))), component};
            update.values.push_back({sare::Binary{value::binary_op(operators_[k]),
                                                  Expr{Access{before_.name, cell, component}}, Expr{part}}});
        }
        f.updates[factoring_.update] = std::move(update);
        return f;
    }

    // Checks that { [x, u, v] -> [x, k] } is a bijection between the steps of the two and those of the update.
    Supported<void> check_steps() const {
        const affine::Context context;
        const affine::Budget budget(context, most_operations);
        const auto answer = affine::guarded(
            [&] {
                const std::vector<std::string> inner = concatenated(preserved_, names(accumulate_.over));
                const sare::AffineSpace mine(context.ctx(), algorithm_.parameters,
                                             concatenated(before_.variables, names(old().over)));
                const sare::AffineSpace theirs(context.ctx(), algorithm_.parameters,
                                               concatenated(before_.variables, inner));
                const isl::set steps =
                    mine.convert(sare::recurrence_domain(old().over) && old().where && algorithm_.assumptions);
                const sare::Condition outer =
                    sare::substitute(sare::recurrence_domain(merge_.over), to_preserved()) && merge_where();
                const isl::set parts = theirs.convert(outer && sare::recurrence_domain(accumulate_.over) &&
                                                      accumulate_.where && algorithm_.assumptions);
                std::vector<Index> step = indices(before_.variables);
                for (const RecurrenceVariable& rvar : old().over) {
                    step.push_back(factoring_.substitution.at(rvar.name));
                }
                const isl::map map = theirs.convert(step).as_map().intersect_domain(parts);
                return map.is_injective() && map.range().is_equal(steps);
            },
            &budget);
        if (answer.value_or(false)) { return {}; }
        return not_supported("factoring", "other steps than those of " + before_.name);
    }

    const sare::Algorithm& algorithm_;
    const schedule::Factoring& factoring_;
    bool exact_reals_;
    bool needs_fitting_sums_ = false;
    const Function& before_ = factoring_.before;
    UpdateDefinition merge_, accumulate_;
    std::vector<std::string> preserved_;  // the intermediate's new variables
    std::vector<value::ReductionOp> operators_;
};

}  // namespace

Supported<Same> is_same(const sare::Algorithm& algorithm, const schedule::Factoring& factoring, bool exact_reals) {
    Comparison comparison(algorithm, factoring, exact_reals);
    if (auto same = comparison.run(); !same) { return std::unexpected(std::move(same.error())); }
    return Same{comparison.needs_fitting_sums()};
}

}  // namespace haruspex::conversion
