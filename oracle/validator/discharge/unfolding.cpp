#include "oracle/validator/discharge/unfolding.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "generators/base/overload.h"

namespace haruspex::validator {
namespace {

// Each unfolding of a recurrence nests integer divisions, and isl's work on them is not bounded by its budget.
constexpr std::size_t most_cases = 64;
constexpr std::size_t most_depth = 12;
constexpr unsigned most_pieces = 24;

enum class Sides : std::uint8_t { both, specification };

// A cell of a tensor that the other side does not mention: its value has to be computed there as well. For a
// recurrence, only if nothing on the other side depends on it, so that unfolding ends.
std::optional<Term> to_unfold(const Term& t, const Term& other, const Specification& specification, Sides sides) {
    std::set<std::string> tensors;
    for_each_cell(other, [&](const Term& cell) { tensors.insert(as<term::Cell>(cell)->tensor); });
    std::optional<Term> found;
    for_each_cell(t, [&](const Term& cell) {
        const std::string& tensor = as<term::Cell>(cell)->tensor;
        if (found || specification.is_input(tensor)) { return; }
        // A recurrence, or a tensor from which others may be made, is kept; but an index says more than the cell made
        // of it.
        if (sides == Sides::both && specification.is_computed_from_indices(tensor)) {
            found = cell;
            return;
        }
        const bool is_shared = tensors.contains(tensor) || (specification.is_recurrent(tensor) &&
                                                            std::ranges::any_of(tensors, [&](const std::string& from) {
                                                                return specification.depends(from, tensor);
                                                            }));
        if (!is_shared) { found = cell; }
    });
    return found;
}

// All cells that are written like this one, as both operands of a difference with itself.
std::vector<Term> all_like(const Term& cell, const Term& within) {
    std::vector<Term> found;
    for_each_cell(within, [&](const Term& other) {
        if (is_written_alike(*as<term::Cell>(other), *as<term::Cell>(cell))) { found.push_back(other); }
    });
    return found;
}

// Terms share subterms, and so do the results.
class Replacement {
public:
    Replacement(const std::vector<Term>& old, const Term& by) : old_(old), by_(by) {}

    Term of(const Term& t) {
        if (std::ranges::find(old_, t) != old_.end()) { return by_; }
        if (operands(t).empty()) { return t; }
        if (const auto known = made_.find(t.get()); known != made_.end()) { return known->second; }
        return made_.emplace(t.get(), anew(t)).first->second;
    }

private:
    Term anew(const Term& t) {
        const std::vector<Term> before = operands(t);
        std::vector<Term> parts;
        for (const Term& part : before) { parts.push_back(of(part)); }
        if (parts == before) { return t; }
        return std::visit(Overload{[&](const term::Unary& n) { return make_unary(n.op, parts[0]); },
                                   [&](const term::Binary& n) { return make_binary(n.op, parts[0], parts[1]); },
                                   [&](const term::Cast&) { return make_cast(t->type, parts[0]); },
                                   [&](const term::Select&) { return make_select(parts[0], parts[1], parts[2]); },
                                   [&](const auto&) { return t; }},
                          t->what);
    }

    const std::vector<Term>& old_;
    const Term& by_;
    std::unordered_map<const TermNode*, Term> made_;
};

Split split(const Question& question, const Term& cell, bool in_specification, const Specification& specification) {
    const auto [cases, undefined] = specification.unfold(*as<term::Cell>(cell), question.environments);
    const std::vector<Term> old = all_like(cell, in_specification ? question.specification : question.implementation);
    Split result;
    for (const Specification::Case& c : cases) {
        Question next = question;
        next.environments = c.environments;
        Term& side = in_specification ? next.specification : next.implementation;
        side = replaced(side, old, c.value);
        result.cases.push_back(std::move(next));
    }
    if (!undefined.is_empty()) { result.undefined = {undefined, question.specification, question.implementation}; }
    return result;
}

struct Limits {
    std::size_t cases = most_cases, depth = most_depth;
    Limits deeper() const { return {cases, depth - 1}; }
};

void unfold_within(const Question& question, const Specification& specification, Sides sides, Limits limits,
                   std::vector<Question>& questions) {
    const bool may_be =
        limits.depth > 0 && questions.size() < limits.cases && question.environments.n_basic_set() <= most_pieces;
    const auto s =
        may_be ? to_unfold(question.specification, question.implementation, specification, sides) : std::nullopt;
    const auto i = may_be && !s && sides == Sides::both
                       ? to_unfold(question.implementation, question.specification, specification, sides)
                       : std::nullopt;
    if (!s && !i) {
        questions.push_back(question);
        return;
    }
    const Split parts = split(question, s ? *s : *i, s.has_value(), specification);
    for (const Question& next : parts.cases) { unfold_within(next, specification, sides, limits.deeper(), questions); }
    if (parts.undefined) { questions.push_back(*parts.undefined); }
}

}  // namespace

void for_each_cell(const Term& t, const std::function<void(const Term&)>& visit) {
    std::unordered_set<const TermNode*> seen;
    const auto look = [&](const auto& self, const Term& part) -> void {
        if (as<term::Cell>(part) != nullptr) { return visit(part); }
        const std::vector<Term> parts = operands(part);
        if (parts.empty() || !seen.insert(part.get()).second) { return; }
        for (const Term& operand : parts) { self(self, operand); }
    };
    look(look, t);
}

Term replaced(const Term& t, const std::vector<Term>& old, const Term& by) { return Replacement(old, by).of(t); }

Split with_unfolded_head(const Question& question, const Specification& specification) {
    const auto* head = as<term::Cell>(question.specification);
    const bool may_be =
        head != nullptr && !specification.is_input(head->tensor) && question.environments.n_basic_set() <= most_pieces;
    return may_be ? split(question, question.specification, true, specification) : Split{{question}, {}};
}

void unfold(const Question& question, const Specification& specification, std::vector<Question>& questions) {
    unfold_within(question, specification, Sides::both, {}, questions);
}

void unfold_specification(const Question& question, const Specification& specification, std::size_t cases,
                          std::vector<Question>& questions) {
    unfold_within(question, specification, Sides::specification, {.cases = cases}, questions);
}

}  // namespace haruspex::validator
