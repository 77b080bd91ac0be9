#include "oracle/conversion/premises.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "generators/sare/text.h"
#include "harness/sched/text.h"
#include "harness/sched/traverse.h"
#include "harness/transform/indices.h"
#include "oracle/conversion/definitions.h"

namespace haruspex::conversion {
namespace {

using sched::Expr;

bool is_of_sizes(const Expr& assertion, const std::vector<std::string>& parameters) {
    return std::ranges::all_of(sched::free_names(assertion), [&](const std::string& name) {
        return std::ranges::find(parameters, name) != parameters.end();
    });
}

// Whether it asserts that a buffer has at most 2^31 - 1 bytes or cells, or a greater number; see the conventions.
bool is_of_bytes(const Expr& assertion, sched::AssertKind kind) {
    constexpr auto least = std::numeric_limits<std::int32_t>::max();
    const auto* n = std::get_if<sched::Binary>(&assertion.node);
    const auto* literal = n == nullptr ? nullptr : std::get_if<sched::Literal>(&n->b->node);
    if (literal == nullptr || n->op != value::BinaryOp::le || !literal->value.is_defined()) { return false; }
    const value::Value& limit = literal->value;
    const bool is_large = (limit.type() == value::Type::i64 && limit.as_signed() >= least) ||
                          (limit.type() == value::Type::u64 && limit.as_unsigned() >= least);
    return is_large && kind == sched::AssertKind::size;
}

// Whether it asserts the type of a buffer's cells, which is the specification's.
bool is_of_type(const Expr& assertion, sched::AssertKind kind) {
    return kind == sched::AssertKind::type &&
           std::ranges::all_of(sched::free_names(assertion),
                               [](const std::string& name) { return name.ends_with(".type"); });
}

void split(Expr condition, std::vector<Expr>& parts) {
    if (auto* both = std::get_if<sched::And>(&condition.node)) {
        split(std::move(*both->a), parts);
        split(std::move(*both->b), parts);
    } else {
        parts.push_back(std::move(condition));
    }
}

}  // namespace

std::optional<Premise> premise(const Expr& assertion) {
    auto condition = transform::to_condition(assertion);
    if (!condition) { return Premise{sched::print(assertion), {}}; }
    if (*condition == sare::Condition{sare::Truth{true}}) { return std::nullopt; }
    std::string text = sare::print(*condition);
    return Premise{std::move(text), std::move(condition)};
}

Head take_head(sched::Block& body, const std::vector<std::string>& parameters) {
    Head head;
    sched::Substitution lets;
    bool is_head = true;
    std::erase_if(body, [&](const sched::Stmt& statement) {
        const auto* let = std::get_if<sched::Let>(&statement.node);
        const auto* assertion = std::get_if<sched::Assert>(&statement.node);
        if (let != nullptr) { lets.insert_or_assign(let->name, sched::substitute(let->value, lets)); }
        is_head = is_head && sched::is_of_head(statement);
        if (!is_head || assertion == nullptr) { return false; }
        Expr condition = without_lets(sched::substitute(assertion->condition, lets));
        if (!is_of_sizes(condition, parameters)) {
            const bool is_convention =
                is_of_type(condition, assertion->kind) || is_of_bytes(condition, assertion->kind);
            if (!is_convention) { split(std::move(condition), head.of_buffers); }
        } else if (auto taken = premise(condition);
                   taken && (taken->condition || !is_of_bytes(condition, assertion->kind))) {
            head.premises.push_back(std::move(*taken));
        }
        return true;
    });
    return head;
}

}  // namespace haruspex::conversion
