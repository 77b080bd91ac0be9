#include "oracle/validator/discharge/common_cells.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "oracle/validator/discharge/alignment.h"
#include "oracle/validator/discharge/unfolding.h"

namespace haruspex::validator {
namespace {

constexpr std::uint64_t few_unfoldings = 10;

bool is_one_cell(const Term& s, const Term& i) { return is_written_alike(*as<term::Cell>(s), *as<term::Cell>(i)); }

void collect_choices(const Term& t, std::vector<Term>& choices) {
    std::unordered_set<const TermNode*> seen;
    const auto look = [&](const auto& self, const Term& part) -> void {
        if (!seen.insert(part.get()).second) { return; }
        if (as<term::Choice>(part) != nullptr) { return choices.push_back(part); }
        for (const Term& operand : operands(part)) { self(self, operand); }
    };
    look(look, t);
}

}  // namespace

Question CommonCells::in_cells(Question question) const {
    std::vector<Term> all, mine, theirs;
    for_each_cell(question.specification, [&](const Term& cell) { all.push_back(cell); });
    for_each_cell(question.implementation, [&](const Term& cell) { theirs.push_back(cell); });
    for (const Term& s : all) {
        if (std::ranges::any_of(mine, [&](const Term& m) { return is_one_cell(s, m); })) { continue; }
        const auto other = std::ranges::find_if(mine, [&](const Term& m) {
            return refines(s, m, question.environments) && refines(m, s, question.environments);
        });
        if (other == mine.end()) {
            mine.push_back(s);
        } else {
            question.specification = replaced(question.specification, {s}, *other);
        }
    }
    for (const Term& i : theirs) {
        if (std::ranges::any_of(mine, [&](const Term& m) { return is_one_cell(i, m); })) { continue; }
        const auto common =
            std::ranges::find_if(mine, [&](const Term& s) { return refines(s, i, question.environments); });
        if (common != mine.end()) { question.implementation = replaced(question.implementation, {i}, *common); }
    }
    return question;
}

std::optional<Question> CommonCells::in_reads(Question question) const {
    std::vector<Term> cells, reads;
    for_each_cell(question.specification, [&](const Term& cell) { cells.push_back(cell); });
    collect_choices(question.implementation, reads);
    for (const Term& read : reads) {
        const auto found = std::ranges::find_if(cells, [&](const Term& cell) {
            return cell->type == read->type && is_aligned(cell, read, question.environments);
        });
        if (found == cells.end()) { return std::nullopt; }
        question.implementation = replaced(question.implementation, {read}, *found);
    }
    return question;
}

// False for cells of inputs: translation sees whether they are equal, and cells that copy them are unfolded.
bool CommonCells::refines(const Term& s, const Term& i, const isl::set& environments) const {
    const std::string &from = as<term::Cell>(s)->tensor, &to = as<term::Cell>(i)->tensor;
    const bool may_be_same = specification_.depends(from, to) || specification_.depends(to, from);
    const bool is_input = specification_.is_input(from) || specification_.is_input(to);
    if (s->type != i->type || !may_be_same || is_input) { return false; }
    return is_aligned(s, i, environments);
}

// Whether the second term refines the first one, by alignment with few unfoldings.
bool CommonCells::is_aligned(const Term& s, const Term& i, const isl::set& environments) const {
    if (sampling_ != nullptr && sampling_->differ(s, i, environments)) { return false; }
    return Alignment(specification_, floats_, few_unfoldings, sampling_).unproved(s, i, environments).is_empty();
}

}  // namespace haruspex::validator
