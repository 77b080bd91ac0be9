#include "harness/halide/translator.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "harness/sched/normal_form.h"
#include "harness/sched/polynomials.h"
#include "harness/sched/traverse.h"

// Translates nodes that build or take apart vectors, at a lane.
namespace haruspex::halide {

using namespace Halide::Internal;
using Halide::Expr;
using sched::IndexOp;
using sched::Relation;
using value::BinaryOp;

namespace {

// Returns first + n * step if the alternatives have this value for n = 0, 1, … and are indices that read no memory.
std::optional<Term> progression(const Term& number, const std::vector<Term>& alternatives) {
    sched::Atoms atoms;
    sched::NormalForms forms(atoms);
    std::optional<sched::Polynomial> first;
    std::int64_t step = 0;
    for (std::size_t n = 0; n < alternatives.size(); ++n) {
        const Term& term = alternatives[n];
        if (!term.is_index() || !sched::arrays_read(term.expr).empty()) { return std::nullopt; }
        const sched::Polynomial form = forms.of(term.expr);
        if (!first) { first = form; }
        const auto beyond = sched::Polynomials::add(form, *first, -1);
        const auto distance = beyond ? sched::Polynomials::as_constant(*beyond) : std::nullopt;
        if (!distance) { return std::nullopt; }
        if (n == 1) { step = *distance; }
        if (*distance != static_cast<std::int64_t>(n) * step) { return std::nullopt; }
    }
    if (step == 0) { return alternatives[0]; }
    return arithmetic(IndexOp::add, BinaryOp::add, alternatives[0],
                      arithmetic(IndexOp::mul, BinaryOp::mul, number, integer(step)));
}

// Returns the read of one array at such indices, if the alternatives are that.
std::optional<Term> read_in_progression(const Term& number, const std::vector<Term>& alternatives) {
    std::vector<std::vector<Term>> indices;  // by dimension
    const sched::Load* first = nullptr;
    for (const Term& term : alternatives) {
        const auto* load = std::get_if<sched::Load>(&term.expr.node);
        if (load == nullptr || load->guard) { return std::nullopt; }
        if (first == nullptr) { first = load; }
        if (load->array != first->array || load->indices.size() != first->indices.size()) { return std::nullopt; }
        indices.resize(load->indices.size());
        for (std::size_t d = 0; d < indices.size(); ++d) { indices[d].push_back(index_term(load->indices[d])); }
    }
    sched::Load all{first->array, {}, std::nullopt};
    for (const std::vector<Term>& of_dimension : indices) {
        auto index = progression(number, of_dimension);
        if (!index) { return std::nullopt; }
        all.indices.push_back(std::move(index->expr));
    }
    return Term{sched::Expr{std::move(all)}, alternatives[0].type};
}

}  // namespace

std::optional<ExpressionTranslator::LaneParts> ExpressionTranslator::lane_parts(const sched::Expr& lane,
                                                                                int divisor) const {
    const auto* sum = std::get_if<sched::IndexBinary>(&lane.node);
    if (sum == nullptr || sum->op != IndexOp::add) { return std::nullopt; }
    const auto* product = std::get_if<sched::IndexBinary>(&sum->a->node);
    const auto* inner = std::get_if<sched::Variable>(&sum->b->node);
    if (product == nullptr || product->op != IndexOp::mul || inner == nullptr) { return std::nullopt; }
    const bool is_factor = *product->b == sched::Expr{sched::Integer{divisor}};
    const bool is_below = std::ranges::any_of(lanes_taken_, [&](const sched::Lanes& lanes) {
        return lanes.variable == inner->name && lanes.count <= divisor;
    });
    return is_factor && is_below ? std::optional(LaneParts{*product->a, *sum->b}) : std::nullopt;
}

sched::Expr ExpressionTranslator::lane_quotient(const sched::Expr& lane, int divisor) const {
    if (divisor == 1) { return lane; }
    if (const auto parts = lane_parts(lane, divisor)) { return parts->quotient; }
    return as_index(arithmetic(IndexOp::div, BinaryOp::div, index_term(lane), integer(divisor)));
}

sched::Expr ExpressionTranslator::lane_remainder(const sched::Expr& lane, int divisor) const {
    if (divisor == 1) { return sched::Expr{sched::Integer{0}}; }
    if (const auto parts = lane_parts(lane, divisor)) { return parts->remainder; }
    return as_index(arithmetic(IndexOp::mod, BinaryOp::mod, index_term(lane), integer(divisor)));
}

Term ExpressionTranslator::ramp(const Ramp& r, const Lane& lane) {
    const int inner = r.base.type().lanes();
    const Lane within = inner == 1 ? Lane{} : Lane{lane_remainder(*lane, inner)};
    Term base = translate(r.base, within);
    Term stride = translate(r.stride, within);
    Term step = index_term(lane_quotient(*lane, inner));
    // The lane takes part in arithmetic of the ramp's own type.
    if (!base.is_index() || !stride.is_index()) { step = cast(as_value(base).type.type, std::move(step)); }
    Term offset = arithmetic(IndexOp::mul, BinaryOp::mul, std::move(step), std::move(stride));
    return arithmetic(IndexOp::add, BinaryOp::add, std::move(base), std::move(offset));
}

// A shuffle takes lanes, by constant numbers, from its concatenated vectors.
Term ExpressionTranslator::shuffle(const Shuffle& s, const Lane& lane) {
    const auto element = [&](int number) {
        for (const Expr& vector : s.vectors) {
            const int lanes = vector.type().lanes();
            if (number < lanes) {
                return translate(vector, lanes == 1 ? Lane{} : Lane{sched::Expr{sched::Integer{number}}});
            }
            number -= lanes;
        }
        throw NotTranslated("Shuffle beyond its vectors");
    };
    if (s.indices.size() == 1) { return element(s.indices[0]); }
    const sched::Expr& at = *lane;
    if (const auto* constant = std::get_if<sched::Integer>(&at.node)) {
        return element(s.indices.at(static_cast<std::size_t>(constant->value)));
    }
    if (s.vectors.size() == 1) {
        // One vector, in regular steps.
        const int first = s.indices[0];
        const int step = s.indices[1] - s.indices[0];
        bool regular = true;
        for (std::size_t i = 1; i < s.indices.size(); ++i) {
            regular = regular && s.indices[i] - s.indices[i - 1] == step;
        }
        if (regular && s.vectors[0].type().is_vector()) {
            const Term scaled = arithmetic(IndexOp::mul, BinaryOp::mul, index_term(at), integer(step));
            return translate(s.vectors[0], as_index(arithmetic(IndexOp::add, BinaryOp::add, scaled, integer(first))));
        }
    }
    const int count = static_cast<int>(s.vectors.size());
    if (s.is_interleave()) {
        return choose(index_term(lane_remainder(at, count)), s.vectors.size(),
                      [&](std::size_t v) { return translate(s.vectors[v], lane_quotient(at, count)); });
    }
    const int width = s.vectors[0].type().lanes();
    const bool are_alike =
        std::ranges::all_of(s.vectors, [&](const Expr& vector) { return vector.type().lanes() == width; });
    if (s.is_concat() && are_alike && width > 1) {
        return choose(index_term(lane_quotient(at, width)), s.vectors.size(),
                      [&](std::size_t v) { return translate(s.vectors[v], lane_remainder(at, width)); });
    }
    // Lanes that repeat, periodically or in runs; otherwise each lane separately.
    const int lanes = static_cast<int>(s.indices.size());
    const auto taken = [&](std::size_t i) { return s.indices[i]; };
    for (int period = 2; period < lanes; ++period) {
        if (lanes % period != 0) { continue; }
        const std::size_t p = static_cast<std::size_t>(period);
        bool repeats = true, stays = true;
        for (std::size_t i = 0; i < s.indices.size(); ++i) {
            repeats = repeats && taken(i) == taken(i % p);
            stays = stays && taken(i) == taken(i / p * p);
        }
        if (repeats) {
            return choose(index_term(lane_remainder(at, period)), p, [&](std::size_t i) { return element(taken(i)); });
        }
        if (stays) {
            return choose(index_term(lane_quotient(at, period)), s.indices.size() / p,
                          [&](std::size_t i) { return element(taken(i * p)); });
        }
    }
    return choose(index_term(at), s.indices.size(), [&](std::size_t i) { return element(taken(i)); });
}

// A select evaluates all its alternatives. Under a guard that differs between lanes, one lane must therefore not read
// what another lane's alternative reads.
Term ExpressionTranslator::choose(const Term& number, std::size_t count,
                                  const std::function<Term(std::size_t)>& alternative) {
    const auto is = [&](std::size_t n) {
        return compare(Relation::eq, BinaryOp::eq, number, integer(static_cast<std::int64_t>(n)));
    };
    std::vector<Term> all;
    for (std::size_t n = 0; n < count; ++n) { all.push_back(alternative(n)); }
    if (auto term = progression(number, all)) { return std::move(*term); }
    if (auto term = reached_ ? std::nullopt : read_in_progression(number, all)) { return std::move(*term); }
    const auto translated = [&](std::size_t n) {
        return reached_ ? only_if(is(n), [&] { return alternative(n); }) : all[n];
    };
    Term result = translated(count - 1);
    for (std::size_t n = count - 1; n-- > 0;) { result = select(is(n), translated(n), std::move(result)); }
    return result;
}

value::ReductionOp operator_of(const VectorReduce& reduce) {
    switch (reduce.op) {
        case VectorReduce::Add: return value::ReductionOp::sum;
        case VectorReduce::Mul: return value::ReductionOp::prod;
        case VectorReduce::Min: return value::ReductionOp::min;
        case VectorReduce::Max: return value::ReductionOp::max;
        case VectorReduce::And: return value::ReductionOp::logical_and;
        case VectorReduce::Or: return value::ReductionOp::logical_or;
        default: throw NotTranslated("VectorReduce with saturation");
    }
}

Term ExpressionTranslator::vector_reduce(const VectorReduce& r, const Lane& lane) {
    const value::ReductionOp op = operator_of(r);
    const int factor = r.value.type().lanes() / r.type.lanes();
    const sched::Lanes lanes = take_lanes(factor);
    Term at = index_term(sched::Expr{sched::Variable{lanes.variable}});
    if (r.type.is_vector()) {
        at = arithmetic(IndexOp::add, BinaryOp::add,
                        arithmetic(IndexOp::mul, BinaryOp::mul, index_term(*lane), integer(factor)), std::move(at));
    }
    Term body = as_value(translate(r.value, at.expr));
    release_lane();
    const value::Type type = body.type.type;
    return value_term(sched::Expr{sched::LaneReduce{op, lanes, std::move(body.expr)}}, type);
}

}  // namespace haruspex::halide
