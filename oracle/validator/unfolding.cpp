#include "oracle/validator/unfolding.h"

#include <algorithm>
#include <set>
#include <string>

#include "generators/base/overload.h"

namespace haruspex::validator {
namespace {

// Each unfolding of a recurrence nests integer divisions, and isl's work on them is not bounded by its budget.
constexpr std::size_t most_cases = 64;
constexpr std::size_t most_depth = 12;
constexpr unsigned most_pieces = 24;

// A cell of a tensor that the other side does not mention: its value has to be computed there as well. Of a recurrence,
// only when nothing on the other side depends on it, so that unfolding ends.
std::optional<Term> to_unfold(const Term& t, const Term& other, const Specification& specification) {
    std::set<std::string> tensors;
    for_each_cell(other, [&](const Term& cell) { tensors.insert(as<term::Cell>(cell)->tensor); });
    std::optional<Term> found;
    for_each_cell(t, [&](const Term& cell) {
        const std::string& tensor = as<term::Cell>(cell)->tensor;
        if (found || specification.is_input(tensor)) { return; }
        const bool is_shared = tensors.contains(tensor) || (specification.is_recurrent(tensor) &&
                                                            std::ranges::any_of(tensors, [&](const std::string& from) {
                                                                return specification.depends(from, tensor);
                                                            }));
        if (!is_shared) { found = cell; }
    });
    return found;
}

Split split(const Question& question, const Term& cell, bool in_specification, const Specification& specification) {
    const auto [cases, undefined] = specification.unfold(*as<term::Cell>(cell), question.environments);
    Split result;
    for (const Specification::Case& c : cases) {
        Question next = question;
        next.environments = c.environments;
        Term& side = in_specification ? next.specification : next.implementation;
        side = replaced(side, cell, c.value);
        result.cases.push_back(std::move(next));
    }
    if (!undefined.is_empty()) { result.undefined = {undefined, question.specification, question.implementation}; }
    return result;
}

enum class Sides : std::uint8_t { both, specification };
struct Limits {
    std::size_t cases = most_cases, depth = most_depth;
    Limits deeper() const { return {cases, depth - 1}; }
};

void unfold_within(const Question& question, const Specification& specification, Sides sides, Limits limits,
                   std::vector<Question>& questions) {
    const bool may_be =
        limits.depth > 0 && questions.size() < limits.cases && question.environments.n_basic_set() <= most_pieces;
    const auto s = may_be ? to_unfold(question.specification, question.implementation, specification) : std::nullopt;
    const auto i = may_be && !s && sides == Sides::both
                       ? to_unfold(question.implementation, question.specification, specification)
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
    if (as<term::Cell>(t) != nullptr) { visit(t); }
    for (const Term& operand : operands(t)) { for_each_cell(operand, visit); }
}

Term replaced(const Term& t, const Term& old, const Term& by) {
    if (t == old) { return by; }
    const auto part = [&](const Term& a) { return replaced(a, old, by); };
    return std::visit(Overload{[&](const term::Unary& n) { return make_unary(n.op, part(n.a)); },
                               [&](const term::Binary& n) { return make_binary(n.op, part(n.a), part(n.b)); },
                               [&](const term::Cast& n) { return make_cast(t->type, part(n.a)); },
                               [&](const term::Select& n) {
                                   return make_select(part(n.condition), part(n.if_true), part(n.if_false));
                               },
                               [&](const auto&) { return t; }},
                      t->what);
}

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
